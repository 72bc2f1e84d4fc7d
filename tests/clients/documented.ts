import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A client as a page of docs/integrating documents it. */
export interface DocumentedClient {
  registration: Record<string, unknown> & { client_id: string };
  /** The values written in the client. */
  program: string;
}

/** The placeholders of the document and their values. */
export interface Places {
  issuer: string;
  app: string;
  clientSecret: string;
}

const folder = join(import.meta.dirname, '../../docs/integrating');

/** Every page of the folder, by its heading. */
const pages = new Map(
  globSync('*.md', { cwd: folder }).map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return [/^# (.+)$/m.exec(text)?.[1] ?? '', { file, text }] as const;
  }),
);

const index = readFileSync(join(folder, 'README.md'), 'utf8');

/** The rows of the table of clients in the index: the name of each, and its page. */
export const documentedClients: readonly { name: string; file: string }[] = [
  ...(index.split('## ')[1] ?? '').matchAll(/^\| \[([^\]]+)\]\(([^)#]+)\)/gm),
].map(([, name = '', file = '']) => ({ name, file }));

export const fileOfPage = (name: string): string | undefined => pages.get(name)?.file;

/** The JSON blocks of all pages. */
export const documentedEntries = (): Record<string, unknown>[] =>
  [...pages.values()]
    .flatMap(({ text }) => [...text.matchAll(/^```json\n(.*?)^```$/gms)])
    .flatMap(([, text = '']) => JSON.parse(text.replaceAll('"..."', JSON.stringify('s'.repeat(43)))));

const fill = (text: string, { issuer, app, clientSecret }: Places): string =>
  text
    .replaceAll('http://localhost:3000', issuer)
    .replaceAll('http://localhost:8080', app)
    .replaceAll('"..."', JSON.stringify(clientSecret));

const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);

const readPage = (name: string, places: Places) => {
  const page = pages.get(name);
  if (!page) throw new Error(`docs/integrating has no page "${name}"`);
  const text = fill(page.text, places);
  const [program] = blocksOf(text.split('## What do I write?')[1] ?? '', '\\w+');
  if (!program) throw new Error(`docs/integrating/${page.file} has no program below "What do I write?"`);
  return { json: blocksOf(text, 'json').map((block) => JSON.parse(block)), program };
};

/**
 * The page of docs/integrating with this heading: its first block of JSON is the registration, the first block of
 * "What do I write?" is the program or configuration.
 * @throws Error if there is no such page, or if it lacks a program
 */
export const readDocumented = (name: string, places: Places): DocumentedClient => {
  const { json, program } = readPage(name, places);
  return { registration: json[0], program };
};

/** A page about an API: its blocks of JSON are the APIs and, if a token takes one, the clients. */
export const readDocumentedApi = (name: string, places: Places) => {
  const { json, program } = readPage(name, places);
  const [resources, clients] = json as Record<string, unknown>[][];
  if (!resources || !clients) throw new Error(`the page "${name}" registers no API and clients`);
  return { resources, clients, program };
};
