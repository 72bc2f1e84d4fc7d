import { readFileSync } from 'node:fs';

/** The statements of each request of a piece of work, by the name of its row. */
export type StatementTable = ReadonlyMap<string, readonly number[]>;

const document = new URL('../../docs/performance.md', import.meta.url);
const HEADING = '## How many statements does each request send?';

/** Reads the table of docs/performance.md: one row for each piece of work, and in it one number for each request. */
export const readStatementTable = (): StatementTable => {
  const [, section = ''] = readFileSync(document, 'utf8').split(`${HEADING}\n`);
  const [text = ''] = section.split('\n## ');
  const rows = [...text.matchAll(/^\| `([^`]+)` \|(?:[^|\n]*\|)* ([\d, ]+?) +\|$/gm)];
  return new Map(rows.map(([, name = '', numbers = '']) => [name, numbers.split(', ').map(Number)]));
};
