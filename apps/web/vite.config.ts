import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const onlyAccount =
  /components\/(?:record-row|device-|list-|choice-list|toast|card\.|focus-soon)|dialog\/(?:dialog-form|confirm-|kept-once)/;
const onlyLater = /\/src\/scopes\/|components\/(?:phrase|checkbox)/;
const onlySome = /components\/(?:moment|hidden-username)/;
const onlySteps = /code-entry\/(?:\w+-step|use-code-entry)/;
const onlyFlow = /\/src\/(?:interaction|identifier|code-entry)\/|components\/(?:[a-z]+-field|tabs)/;
const onlyDialog = /dialog\/modal-dialog/;

/**
 * Chunks of what pages share: all of them (`base`), the screens of a flow, the screens after a sign-in (`later`), the
 * account's pages. Each page, language and dialog has a chunk of its own, and so have the phone numbers. A group takes
 * what its modules import, unless an earlier group has it.
 */
const groups = [
  {
    name: 'base',
    test: (id: string) =>
      /\/node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next)\/(?!.*node_modules)/.test(
        id,
      ) ||
      /\/packages\/contract\/src\/\w+\.ts|\/src\/(?:api|forms|app-state|store|mobile|boot|bring|lost-chunk|part-with-texts|styles|chunk|connection|frame|kept-pages|navigation)|\/i18n\/(?:i18n|format|locale-choice|use-locale)\.ts/.test(
        id,
      ) ||
      (/\/src\/(?:components|dialog)\//.test(id) &&
        ![onlyAccount, onlyLater, onlySome, onlyFlow, onlyDialog].some((only) => only.test(id))),
  },
  {
    name: 'flow',
    test: (id: string) => onlyFlow.test(id) && !onlyLater.test(id) && !onlySteps.test(id),
  },
  { name: 'later', test: onlyLater },
  { name: 'moment', test: onlySome },
  {
    name: 'account',
    test: (id: string) =>
      /@tanstack|\/src\/account\/(?!step-up-(?:dialog|by-)|(?:use-)?contact)/.test(id) ||
      onlyAccount.test(id),
  },
];

/** Texts are named by their language and group, `ru-flow`: their files have the same names in each language. */
const nameChunk = ({ facadeModuleId }: { facadeModuleId?: string | null }): string => {
  const [, locale, group] = /\/i18n\/([\w-]+)\/([\w-]+)\.ts$/.exec(facadeModuleId ?? '') ?? [];
  return locale ? `${locale}-${group}-[hash].js` : '[name]-[hash].js';
};

/**
 * Writes what the pages say in each language beside them, by key, for the server: a brand may have words of its
 * own in place of these, and only in place of these. Its name begins with a dot, so it is never served.
 */
const writtenTexts: Plugin = {
  name: 'candela:written-texts',
  apply: 'build',
  generateBundle: async function () {
    const { catalogs } = await import(new URL('src/i18n/catalogs.ts', import.meta.url).href);
    this.emitFile({ type: 'asset', fileName: '.texts.json', source: JSON.stringify(catalogs) });
  },
};

/** The router's production build, which its package holds but does not export. */
const productionRouter = () => {
  const routerDom = createRequire(import.meta.url).resolve('react-router-dom');
  const development = createRequire(routerDom).resolve('react-router');
  return join(dirname(development), '../production/index.mjs');
};

/**
 * Takes the display names, which only React's developer tools show, from the router: a component that has one counts
 * as used, although nobody imports it (4 kB gzip). No option of the bundler does this: `propertyWriteSideEffects:
 * false` also drops assignments that React's own functions need.
 */
const namelessRouter: Plugin = {
  name: 'candela:nameless-router',
  enforce: 'pre',
  transform: {
    filter: { id: /\/react-router\/dist\/production\// },
    handler: (code) => ({ code: code.replaceAll(/^\w+\.displayName = "[^"]+";$/gm, ''), map: null }),
  },
};

export default defineConfig({
  base: '/prod/user/',
  plugins: [writtenTexts, namelessRouter, react()],
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
      // These calls only make a component or a context: where nobody uses it, it is left out.
      treeshake: {
        manualPureFunctions: ['forwardRef', 'createContext', 'memo'].map((name) => `import_react.${name}`),
      },
      output: { codeSplitting: { groups }, chunkFileNames: nameChunk },
    },
  },
});
