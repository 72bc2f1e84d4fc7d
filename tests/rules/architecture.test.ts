import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, isTest, readSources } from './sources.ts';

const root = join(import.meta.dirname, '../..');
const server = 'apps/server/src/';
const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

/** The wings as the document lists them, from the ground up. */
const wings = [
  ...(/\| wing \| .*\n.*\n((?:\|.*\n)+)/.exec(document)?.[1] ?? '').matchAll(/^\| `([\w-]+)` \|/gm),
].map(([, name = '']) => name);

const wingOf = (path: string): number => wings.indexOf(path.slice(server.length).split('/')[0] ?? '');

test('the server is its wings and the four files that start it', () => {
  const children = readdirSync(join(root, server)).filter((name) => !isTest(name));
  const files = ['app.ts', 'cli.ts', 'main.ts', 'serve.ts'];
  expect(children.toSorted()).toEqual([...wings, ...files].toSorted());
});

test('a wing imports from the wings above it in the table alone', () => {
  const upward = readSources()
    .filter(({ path }) => path.startsWith(server) && wingOf(path) >= 0 && !isTest(path))
    .flatMap((source) =>
      importsOf(source)
        .filter((imported) => imported.startsWith(server))
        .filter((imported) => wingOf(imported) < 0 || wingOf(imported) > wingOf(source.path))
        .map((imported) => `${source.path}: ${imported}`),
    );
  expect(upward).toEqual([]);
});

test('each file that the document names is there', () => {
  const named = [
    ...document.matchAll(/`((?:apps|packages|tests|docs|migrations)\/[\w./-]+|[\w-]+\/[\w/-]+\.ts)`/g),
  ]
    .map(([, path = '']) => path)
    .filter((path) => ![path, join(server, path)].some((each) => existsSync(join(root, each))));
  expect(named).toEqual([]);
});
