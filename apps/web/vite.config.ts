import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const onlyAccount = /components\/(?:record-row|device-|list-states|confirm-dialog|toast|card\.|focus-soon)/;
const onlyFlow = /components\/(?:[a-z]+-field|tabs|account-card|client-card|checkbox|phrase)/;
const onlyDialog = /components\/modal-dialog/;

/**
 * Few chunks rather than one for each shared module: what every page needs, what the screens of a flow
 * share, what the account's pages share. Pages, languages, dialogs and phone numbers stay on their own.
 * A group takes what its modules import, unless an earlier group has it.
 */
const groups = [
  {
    name: 'base',
    test: (id: string) =>
      /\/node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next)\/(?!.*node_modules)/.test(
        id,
      ) ||
      /\/packages\/contract\/|\/src\/(?:api|forms|boot|styles)|\/i18n\/(?:i18n|format|locale-choice|use-locale)\.ts/.test(
        id,
      ) ||
      (id.includes('/src/components/') && ![onlyAccount, onlyFlow, onlyDialog].some((only) => only.test(id))),
  },
  {
    name: 'flow',
    test: (id: string) => /\/src\/(?:interaction|identifier|scopes)\//.test(id) || onlyFlow.test(id),
  },
  {
    name: 'account',
    test: (id: string) => /@tanstack|\/src\/account\//.test(id) || onlyAccount.test(id),
  },
];

/**
 * The SPA wants types, methods and paths of the contract; checking is the server's. Its schemas become one
 * inert value, which takes zod (6 kB gzip) out of every page.
 */
const inertSchemas: Plugin = {
  name: 'candela:inert-schemas',
  enforce: 'pre',
  transform: {
    filter: { id: /packages\/contract\/src\// },
    handler: (code) => ({
      code: code.replace(
        "import * as z from 'zod/mini';",
        'const z: any = new Proxy(() => z, { get: () => z });',
      ),
      map: null,
    }),
  },
};

export default defineConfig({
  base: '/prod/user/',
  plugins: [inertSchemas, react()],
  // The server puts the nonce of each answer in its place.
  html: { cspNonce: '__CANDELA_NONCE__' },
  build: {
    target: 'es2022',
    assetsDir: '',
    // The Content Security Policy knows no data: but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
});
