import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isTest, readSources } from './sources.ts';

const ID = /\b(?:AC|AV|CL|DK|DR|IP|LV|OA|PK|PL|PW|SE|SF|SG|VC)\d{1,2}\b/g;

const page = readFileSync(join(import.meta.dirname, '../../docs/what-must-hold.md'), 'utf8');
const rows = [...page.matchAll(/^\| ([A-Z]{2}\d+) \|/gm)].map(([, id = '']) => id);

/** The ids that tests cite, in their names or beside them. */
const cited = new Set(
  readSources()
    .filter(({ path }) => isTest(path))
    .flatMap(({ text }) => text.match(ID) ?? []),
);

test('every promise has a test', () => {
  expect(rows.filter((id) => !cited.has(id))).toEqual([]);
});

test('every id that a test cites is a promise', () => {
  expect([...cited].filter((id) => !rows.includes(id))).toEqual([]);
});

test('an id stands once', () => {
  expect(new Set(rows).size).toBe(rows.length);
});
