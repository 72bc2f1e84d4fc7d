import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).sort();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The anchor that a heading gets on the pages of a repository's host. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const linksOf = (path: string) =>
  [...read(path).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^(?:https?|mailto):/.test(link));

test.each(documents)('every link in %s leads to a file, and to a heading of it', (path) => {
  const broken = linksOf(path).filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file ? join(dirname(path), file) : path;
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test('a source file that a document names with its folder is there', () => {
  const homes = ['', 'apps/server', 'apps/server/src', 'apps/web', 'apps/web/src', 'packages/contract/src'];
  const missing = documents.flatMap((path) =>
    [...read(path).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.tsx?)`/g)]
      .map(([, file = '']) => file)
      .filter((file) => !homes.some((home) => existsSync(join(root, home, file))))
      .map((file) => `${path}: ${file}`),
  );
  expect(missing).toEqual([]);
});

test('a command of candela that a document gives is one of its commands', () => {
  const names = globSync('apps/server/src/operation/commands/*.commands.ts', { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/^ {4}name: '([\w -]+)',$/gm)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(20);
  const unknown = documents.flatMap((path) =>
    [...read(path).matchAll(/pnpm@12 candela ([a-z][\w-]*(?: [a-z][\w-]*)?)/g)]
      .map(([, call = '']) => call)
      .filter((call) => !names.some((name) => call === name || call.startsWith(`${name} `)))
      .map((call) => `${path}: ${call}`),
  );
  expect(unknown).toEqual([]);
});

test('the near loop looks at the uncommitted change: a word behind --changed would be a revision of git', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(scripts['test:near']).toMatch(/ --changed(?: --|$)/);
});
