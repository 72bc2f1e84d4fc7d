import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A client as docs/clients.md documents it. */
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

const page = readFileSync(join(import.meta.dirname, '../../docs/clients.md'), 'utf8');

const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);

export const documentedNames: readonly string[] = [...sections.keys()];

const fill = (text: string, { issuer, app, clientSecret }: Places): string =>
  text
    .replaceAll('https://id.example', issuer)
    .replaceAll('https://app.example', app)
    .replaceAll('"..."', JSON.stringify(clientSecret));

/**
 * The section of docs/clients.md with this heading: its first block is the registration, its second block the program
 * or configuration.
 * @throws Error if there is no such section, or if it lacks a block
 */
export const readDocumented = (name: string, places: Places): DocumentedClient => {
  const blocks = [...(sections.get(name) ?? '').matchAll(/^```\w+\n(.*?)^```$/gms)];
  const [registration, program] = blocks.map(([, text = '']) => fill(text, places));
  if (!registration || !program) throw new Error(`docs/clients.md has no two blocks under "${name}"`);
  return { registration: JSON.parse(registration), program };
};
