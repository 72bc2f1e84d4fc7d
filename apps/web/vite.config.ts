import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const onlyAccount =
  /components\/(?:moment|record-row|device-|list-states|confirm-dialog|toast|card\.|focus-soon)/;
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
      /\/node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next|zod)\/(?!.*node_modules)/.test(
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

export default defineConfig({
  base: '/prod/user/',
  plugins: [react()],
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
