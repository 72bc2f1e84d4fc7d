import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, isTest, readSources } from './sources.ts';

const root = join(import.meta.dirname, '../..');
const server = 'apps/server/src/';
const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

/** The floors of the table, from the ground up, each with its folders. */
const floors = [
  ...(/\| floor \| folders \|\n.*\n((?:\|.*\n)+)/.exec(document)?.[1] ?? '').matchAll(/^\|[^|]+\|(.*)\|$/gm),
].map(([, folders = '']) => [...folders.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name));

const floorOf = (path: string): number =>
  floors.findIndex((folders) => folders.includes(path.slice(server.length).split('/')[0] ?? ''));

const sources = readSources().filter(({ path }) => path.startsWith(server) && !isTest(path));
const inFolders = sources.filter(({ path }) => path.slice(server.length).includes('/'));

test('each folder of the server stands on one floor', () => {
  const folders = new Set(inFolders.map(({ path }) => path.slice(server.length).split('/')[0]));
  expect(floors.flat().toSorted()).toEqual([...folders].toSorted());
});

test('a folder imports from its own floor and from those below it', () => {
  const upward = inFolders.flatMap((source) =>
    importsOf(source)
      .filter((imported) => imported.startsWith(server) && floorOf(imported) > floorOf(source.path))
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
