import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCommandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { readMetadata } from './metadata-settings.ts';

const root = join(import.meta.dirname, '../../../../..');

/** The words of a line, as a shell reads them; a comment is none of them. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/\s#.*$/, '').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_quoted, single, double) => single ?? double),
  );

/** The calls of `candela` that a page gives to copy, without the programs before them. */
const callsOn = (text: string): string[][] =>
  [...text.replaceAll(/\\\n\s*/g, '').matchAll(/^\s*npx pnpm@12 candela (.+)$/gm)].map(([, line = '']) =>
    wordsOf(line),
  );

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  .filter(({ text }) => callsOn(text).length > 0);

test.each(pages)('every command that $path gives to copy is understood', ({ text }) => {
  for (const argv of callsOn(text)) {
    const call = parseCommandLine(argv, commands);
    expect(call, argv.join(' ')).toMatchObject({ kind: expect.stringMatching(/^(?:run|help)$/) });
  }
});

test('the README names every group of commands', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, section = ''] = readme.split('## How do I use the command line?');
  const [list = ''] = section.split('; each takes');
  const groups = new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''));
  expect([...groups].filter((group) => !new RegExp(`\`${group}\\b`).test(list))).toEqual([]);
});

/** What a command registers; undefined if it is not `client create`. */
const registeredBy = (argv: readonly string[]) => {
  const call = parseCommandLine(argv, commands);
  if (call.kind !== 'run' || call.command.name !== 'client create') return undefined;
  const { preset, name, set = [], 'redirect-uri': uris = [] } = call.options;
  const settings = Array.isArray(set) ? set.map(String) : [];
  return { preset, client_name: name, redirect_uris: uris, ...readMetadata(settings) };
};

/** Pages about a library with a command that registers, and an entry that does the same. */
const both = pages.flatMap(({ path, text }) => {
  const [section = ''] = text.split('## What do I write?');
  const [registered] = callsOn(section).map(registeredBy).filter(Boolean);
  const entry = /^```json\n(\{.*?)^```$/ms.exec(section)?.[1];
  return section !== text && registered && entry ? [{ path, registered, entry: JSON.parse(entry) }] : [];
});

describe('the command and the entry of a page', () => {
  test.each(both)('register the same client on $path', ({ registered, entry }) => {
    expect(entry).toMatchObject(registered);
  });

  test('stand on the pages of most libraries', () => {
    expect(both.length).toBeGreaterThan(12);
  });
});
