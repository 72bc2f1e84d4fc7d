import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { parseRow } from './backup-file.ts';

const TEXTS = [
  'plain',
  null,
  '',
  ' ',
  'a,b',
  '(a)',
  '"',
  '""',
  '\\',
  '\\"',
  'line\nbreak',
  '{"a": "b\\n"}',
  '灯',
];

describeOnDatabases('the text of a row', (connection) => {
  test('is read as the database wrote it, whatever its columns hold', async () => {
    const { rows } = await sql<{ line: string }>`
      select row(${sql.join(TEXTS.map((text) => sql`${text}::text`))})::text as line`.execute(connection.db);
    expect(parseRow(JSON.stringify(rows[0]?.line))).toEqual(TEXTS);
  });
});
