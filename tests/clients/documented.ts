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
    .replaceAll('https://id.example', issuer)
    .replaceAll('https://app.example', app)
    .replaceAll('"..."', JSON.stringify(clientSecret));

/**
 * The page of docs/integrating with this heading: its first block of JSON is the registration, the first block that
 * follows is the program or configuration.
 * @throws Error if there is no such page, or if it lacks a block
 */
export const readDocumented = (name: string, places: Places): DocumentedClient => {
  const blocks = [...(pages.get(name)?.text ?? '').matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  const first = blocks.findIndex(([, language]) => language === 'json');
  const [registration, program] = blocks.slice(first).map(([, , text = '']) => fill(text, places));
  if (!registration || !program) throw new Error(`docs/integrating has no two blocks on the page "${name}"`);
  return { registration: JSON.parse(registration), program };
};
