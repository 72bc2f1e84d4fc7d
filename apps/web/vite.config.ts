import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { locales } from '@candela/contract/languages';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const onlyAccount =
  /components\/(?:record-row|device-|list-|choice-list|dialog-form|confirm-dialog|toast|card\.|focus-soon)/;
const onlyLater =
  /\/src\/scopes\/|interaction\/(?:use-)?code-entry|components\/(?:moment|phrase|checkbox|hidden-username)/;
const onlyFlow = /components\/(?:[a-z]+-field|tabs|account-card|client-card)/;
const onlyDialog = /components\/modal-dialog/;

/**
 * Few chunks rather than one for each shared module: what every page needs, what the screens of a flow
 * share, what is shared by those after the sign-in, what the account's pages share. Pages, languages, dialogs and phone numbers stay on their own.
 * A group takes what its modules import, unless an earlier group has it.
 */
const groups = [
  {
    name: 'base',
    test: (id: string) =>
      /\/node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next)\/(?!.*node_modules)/.test(
        id,
      ) ||
      /\/packages\/contract\/|\/src\/(?:api|forms|state|boot|bring|lost-chunk|styles)|\/i18n\/(?:i18n|format|locale-choice|use-locale)\.ts/.test(
        id,
      ) ||
      (id.includes('/src/components/') &&
        ![onlyAccount, onlyLater, onlyFlow, onlyDialog].some((only) => only.test(id))),
  },
  {
    name: 'flow',
    test: (id: string) =>
      (/\/src\/(?:interaction|identifier)\//.test(id) && !onlyLater.test(id)) || onlyFlow.test(id),
  },
  { name: 'later', test: onlyLater },
  {
    name: 'account',
    test: (id: string) =>
      /@tanstack|\/src\/account\/(?!step-up-(?:dialog|by-)|(?:use-)?contact)/.test(id) ||
      onlyAccount.test(id),
  },
];

/**
 * Writes what the pages say in each language beside them, by key, for the server: a brand may have words of its
 * own in place of these, and only in place of these. Its name begins with a dot, so it is never served.
 */
const writtenTexts: Plugin = {
  name: 'candela:written-texts',
  apply: 'build',
  generateBundle: async function () {
    const { textsOf } = await import(new URL('src/i18n/catalogs.ts', import.meta.url).href);
    const texts = Object.fromEntries(locales.map((locale) => [locale, textsOf(locale)]));
    this.emitFile({ type: 'asset', fileName: '.texts.json', source: JSON.stringify(texts) });
  },
};

/** The router's production build, which its package holds but does not export. */
const productionRouter = () => {
  const routerDom = createRequire(import.meta.url).resolve('react-router-dom');
  const development = createRequire(routerDom).resolve('react-router');
  return join(dirname(development), '../production/index.mjs');
};

/** The names that the router's chunk has for React: `React`, `React2`, `React3` and so on. */
const reactInRouter = Array.from({ length: 20 }, (_, index) => `React${index === 0 ? '' : index + 1}`);

export default defineConfig({
  base: '/prod/user/',
  plugins: [writtenTexts, react()],
  resolve: { alias: [{ find: /^react-router$/, replacement: productionRouter() }] },
  // The server puts the nonce of each answer in its place.
  html: { cspNonce: '__CANDELA_NONCE__' },
  experimental: {
    // One build for any static host: the page's own links get their base from the server, the chunks find
    // each other where they themselves came from.
    renderBuiltUrl: (filename, { hostType }) =>
      hostType === 'html' ? `__CANDELA_ASSETS__${filename}` : { relative: true },
  },
  build: {
    target: 'es2022',
    assetsDir: '',
    // The Content Security Policy knows no data: but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // A component of the router that nobody imports is left out, although a call makes it (`forwardRef`) and a
      // property names it (`displayName`): 4 kB gzip.
      treeshake: {
        manualPureFunctions: reactInRouter,
        propertyWriteSideEffects: false,
      },
      output: { codeSplitting: { groups } },
    },
  },
});
