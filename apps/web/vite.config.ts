import { readdir, readFile } from 'node:fs/promises';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { nameOf, writePage } from './written-documentation.ts';
import { writtenParts } from './written-parts.ts';

/** The packages of the shell. The others come with what imports them. */
const shellPackages = 'react|react-dom|scheduler|react-router|react-router-dom|i18next|react-i18next';

/** What three parts (pages, dialogs) need stands in the chunk of its room; the bundler places what fewer need. */
const shared = { minShareCount: 3 };

/**
 * The chunks of what pages share, each a room of `src` (ARCHITECTURE.md). Each page, language and dialog has a chunk of
 * its own, and so have the phone numbers. A group takes what its modules import, unless an earlier group has it.
 */
const groups = [
  {
    name: 'shell',
    test: new RegExp(`/web/src/shell/|/node_modules/(?:${shellPackages})/(?!.*node_modules)`),
  },
  { name: 'flow', test: /\/web\/src\/flow\/(?!(?:steps|registration|providers)\/)/, ...shared },
  { name: 'portal', test: /\/web\/src\/portal\//, ...shared },
  { name: 'console', test: /\/web\/src\/console\//, ...shared },
  { name: 'desk', test: /\/web\/src\/desk\//, ...shared },
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

const documentation = new URL('../../docs/integrating/', import.meta.url);

/** Writes the pages of docs/integrating down by name, for the server, which puts them into a brand's frame. */
const writtenDocumentation: Plugin = {
  name: 'candela:written-documentation',
  apply: 'build',
  generateBundle: async function () {
    const files = (await readdir(documentation)).filter((file) => file.endsWith('.md')).sort();
    const pages = await Promise.all(
      files.map(async (file) => [
        nameOf(file),
        writePage(await readFile(new URL(file, documentation), 'utf8')),
      ]),
    );
    this.emitFile({
      type: 'asset',
      fileName: '.documentation.json',
      source: JSON.stringify(Object.fromEntries(pages)),
    });
  },
};

export default defineConfig({
  base: '/prod/user/',
  plugins: [writtenTexts, writtenParts, writtenDocumentation, react()],
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
    rolldownOptions: { output: { codeSplitting: { groups }, chunkFileNames: nameChunk } },
  },
});
