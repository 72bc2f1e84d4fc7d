import { join } from 'node:path';
import { locales } from '@candela/contract/languages';
import { type PagePath, pagePaths, pages } from '@candela/contract/pages';
import type { Plugin, Rolldown } from 'vite';

const src = join(import.meta.dirname, 'src');

type Load = (...bring: never) => unknown;

/** What is read of `src/page-parts.ts`. */
interface Table {
  pageParts: Readonly<Record<string, Load>>;
  loadPageFrame: Load;
  partsOf(page: PagePath | undefined): readonly string[];
  isKept(page: PagePath): boolean;
}

let reads = 0;
/**
 * The table of the pages. It is imported when the build runs, anew for each build of a watch: Vite would bundle its
 * pages into the configuration. A change of the contract needs a new watch.
 */
const readTable = (): Promise<Table> => {
  reads += 1;
  return import(`${new URL('src/page-parts.ts', import.meta.url).href}?${reads}`);
};

/** The module that a loader of the table imports. */
const moduleOf = (load: Load | undefined): string => {
  const [found, ...more] = String(load).matchAll(/import\(["']\.\/([^"']+)["']\)/g);
  if (!found?.[1] || more.length > 0) throw new Error(`Not one import in ${load}`);
  return join(src, found[1]);
};

/** The modules of what draws a page: its parts, and the frame of the kept pages. */
const modulesOf = (
  { pageParts, loadPageFrame, partsOf, isKept }: Table,
  page: PagePath | undefined,
): string[] => {
  const loads = partsOf(page).map((name) => pageParts[name]);
  return [...loads, ...(page && isKept(page) ? [loadPageFrame] : [])].map(moduleOf);
};

/** The groups of the texts that a page starts with. */
const groupsOf = (page: PagePath | undefined): string[] => {
  if (!page) return ['flow', 'account'];
  const { texts, frame } = pages[page];
  const more = texts === 'flow' ? [] : ['account', texts];
  return [...new Set(['flow', ...more, ...(frame === 'desk' ? ['desk'] : [])])];
};

/** The files of chunks with all that they import, and their styles. */
const filesOf = (bundle: Rolldown.OutputBundle, chunks: readonly Rolldown.OutputChunk[]): Set<string> => {
  const files = new Set<string>();
  const add = (chunk: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined) => {
    if (chunk?.type !== 'chunk' || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
    for (const other of chunk.imports) add(bundle[other]);
  };
  chunks.forEach(add);
  return files;
};

/**
 * Writes down which files each page, and the page for unknown paths, needs in each language beside those of index.html.
 * The server names them in the page: else they would wait until the shell has loaded and run. The file's name begins
 * with a dot, so it is never served.
 */
export const writtenParts: Plugin = {
  name: 'candela:written-parts',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const table = await readTable();
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const named = filesOf(
        bundle,
        chunks.filter(({ isEntry }) => isEntry),
      );
      const chunkOf = (module: string): Rolldown.OutputChunk => {
        const found = chunks.find(({ facadeModuleId }) => facadeModuleId === module);
        return found ?? this.error(`No chunk of ${module}`);
      };
      const filesOfModules = (modules: readonly string[]) => [
        ...filesOf(bundle, modules.map(chunkOf)).difference(named),
      ];
      const textsOf = (page: PagePath | undefined, locale: string) =>
        filesOfModules(groupsOf(page).map((group) => join(src, 'i18n', locale, `${group}.ts`)));
      const written = [...pagePaths, undefined].map((page) => [
        page ?? 'notFound',
        {
          files: filesOfModules(modulesOf(table, page)),
          texts: Object.fromEntries(locales.map((locale) => [locale, textsOf(page, locale)])),
        },
      ]);
      const source = JSON.stringify(Object.fromEntries(written));
      this.emitFile({ type: 'asset', fileName: '.parts.json', source });
    },
  },
};
