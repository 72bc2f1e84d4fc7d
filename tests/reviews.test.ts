import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/reviews.md'), 'utf8');

/** The tests that a cell names: a path, and after a colon the names of tests in that file. */
const named = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| | what'))
  .flatMap((line) => {
    const [, id = '', , cell = ''] = line.split(' | ').join('|').split('|');
    return cell.split(/; (?=`|drill)/).map((part) => ({
      id: id.trim(),
      part: part.trim(),
      file: /`([^`]+\.(?:test|race)\.ts)`/.exec(part)?.[1],
      tests: [...part.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
      drills: /^drills? /.test(part.trim())
        ? [...part.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name)
        : [],
    }));
  });

test('every test that the page of reviews names is there', () => {
  expect(named.length).toBeGreaterThan(60);
  for (const { part, file, tests, drills } of named) {
    expect(file ?? drills[0], part).toBeDefined();
    if (file) {
      const source = readFileSync(join(root, file), 'utf8');
      for (const name of tests) expect(source, `${file}: ${name}`).toContain(name);
    }
    for (const drill of drills)
      expect(existsSync(join(root, `tests/drills/${drill}.drill.ts`)), drill).toBe(true);
  }
});

test('every finding of both reviews has a row', () => {
  const ids = new Set(named.map(({ id }) => id));
  for (let number = 1; number <= 15; number += 1) expect(ids).toContain(`F${number}`);
  for (let number = 1; number <= 14; number += 1) expect(ids).toContain(String(number));
});
