import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A page of docs/integrating, as the build of the pages wrote it. */
export interface DocumentationPage {
  title: string;
  /** Markup that the build made: it left none of the source's in it. */
  html: string;
  contents: readonly { anchor: string; title: string }[];
}

/** The documentation for developers. */
export interface Documentation {
  /** A page by its name; that of `''` is about all pages. Undefined where there is none. */
  find(name: string): Promise<DocumentationPage | undefined>;
}

/** The file is read when a page is first asked for. */
export const createDocumentation = (webDist: string): Documentation => {
  const read = async () =>
    new Map<string, DocumentationPage>(
      Object.entries(JSON.parse(await readFile(join(webDist, '.documentation.json'), 'utf8'))),
    );
  let loaded: ReturnType<typeof read> | undefined;
  return {
    find: async (name) => {
      loaded ??= read().catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
      return (await loaded).get(name);
    },
  };
};
