import { chmod } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'vite';

/** These load files of their own package: native code, WebAssembly, pages. */
const withFiles = ['@electric-sql/pglite', '@node-rs/argon2', 'sharp', 'swagger-ui-dist'];

/** A module of it expects what a CommonJS module before it does, and a bundle runs that later. */
const inOrder = ['@simplewebauthn/server'];

/** A module of ours finds its files (word lists, workers, pages) where its source is. */
const placeOfSource = (directory: string): Plugin => ({
  name: 'place-of-source',
  enforce: 'pre',
  transform: {
    filter: { id: { include: /\.ts$/, exclude: /\/node_modules\// }, code: /import\.meta\.url/ },
    handler: (code, id) => {
      const source = JSON.stringify(relative(directory, id));
      return {
        code: code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`),
        map: null,
      };
    },
  },
});

/**
 * Node reads a source of ASCII alone into one byte a character, and any other into two: one letter of Russian, or the ©
 * of a licence, doubles what its file takes while the server runs. An escape means the same in a string, a name and a
 * regular expression.
 */
const inOneByte: Plugin = {
  name: 'in-one-byte',
  generateBundle: (_, bundle) => {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = file.code.replaceAll(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
  },
};

/**
 * Puts the server and its command, with all packages that they load, into a few files: `main.js` and `cli.js` in
 * `fresh`, a directory beside `src`. What is imported on demand stays a file of its own.
 */
export const bundleServer = async (server: string, fresh: string): Promise<void> => {
  await build({
    root: server,
    configFile: false,
    logLevel: 'error',
    plugins: [placeOfSource(fresh), inOneByte],
    // A package that has an ES module besides its CommonJS is taken by that.
    resolve: { mainFields: ['module', 'main'] },
    ssr: { noExternal: true, external: [...withFiles, ...inOrder] },
    build: {
      ssr: true,
      target: 'node24',
      minify: false,
      outDir: fresh,
      emptyOutDir: true,
      rolldownOptions: {
        input: { main: join(server, 'src/main.ts'), cli: join(server, 'src/cli.ts') },
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          hashCharacters: 'hex',
          // What comments say is read in the sources.
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
  });
  await chmod(join(fresh, 'cli.js'), 0o755);
};
