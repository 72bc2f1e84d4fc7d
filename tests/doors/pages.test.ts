import { generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { providerKinds } from '@candela/contract/rules/provider-kinds';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

const folder = new URL('../../docs/providers', import.meta.url).pathname;
const pages = globSync('*.md', { cwd: folder })
  .filter((file) => file !== 'README.md')
  .map((file) => ({ name: basename(file, '.md'), text: readFileSync(join(folder, file), 'utf8') }));

/** The entries of the page, as it has them. */
const entriesOf = (text: string): Record<string, string>[] =>
  JSON.parse(/## What stands in the file\?\n\n```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '');
const idOf = (text: string): string => entriesOf(text)[0]?.id ?? '';

let directory: string;
let world: World;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-pages-'));
  const entries = pages.flatMap(({ text }) => entriesOf(text));
  await writeFile(join(directory, 'providers.json'), JSON.stringify(entries));
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  for (const entry of entries) {
    if (entry.private_key_file) await writeFile(join(directory, entry.private_key_file), privateKey);
    if (entry.client_secret_file) await writeFile(join(directory, entry.client_secret_file), 'a secret\n');
  }
  // The server starts with the entries of all pages.
  world = await createWorld({
    env: { PROVIDERS_FILE: join(directory, 'providers.json') },
    reachProvider: () => 'https://localhost:1',
  });
});
afterAll(async () => {
  await world?.close();
  await rm(directory, { recursive: true, force: true });
});

test('each kind of provider has a page, and the overview leads to it', () => {
  expect(pages.map(({ name }) => name).sort()).toEqual([...providerKinds].sort());
  const overview = readFileSync(join(folder, 'README.md'), 'utf8');
  for (const { name } of pages) expect(overview).toContain(`(${name}.md) | \`${name}\``);
});

test.each(pages)(
  'the entry of the page $name is of that kind, and the redirect URI is the server’s',
  ({ name, text }) => {
    const [entry, ...others] = entriesOf(text);
    expect([entry?.kind, others]).toEqual([name, []]);
    const found = world.findProvider(entry?.id ?? '');
    const { pathname } = new URL(found?.context.redirectUri ?? '');
    expect(found?.provider.kind).toBe(name);
    expect(text).toContain(`    https://id.example.com${pathname}\n`);
  },
);

test.each(pages)('what the page $name says of the address for events is so', async ({ text }) => {
  const path = `/sign-in/${idOf(text)}/events`;
  const answer = await world.browser().request('POST', path, {
    raw: '{}',
    headers: { 'content-type': 'application/json', origin: '', 'sec-fetch-site': '' },
  });
  const isHeard = text.includes(`https://id.example.com${path}`);
  expect(isHeard ? [400, 503] : [404]).toContain(answer.status);
});

test.each(pages)('the page $name tables only fields that its entry has', ({ text }) => {
  const fields = [...text.matchAll(/^\| [^|]* \| `([a-z_]+)`/gm)].map(([, field]) => field);
  const known = Object.keys(entriesOf(text)[0] ?? {});
  const inFile = /## What stands in the file\?[\s\S]*?\| at /.test(text) ? fields : [];
  expect(inFile.filter((field) => !known.includes(field ?? ''))).toEqual([]);
});
