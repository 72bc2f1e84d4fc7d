import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../dist');

test('every file of the bundle is held in one byte a character', async () => {
  const files = (await readdir(dist)).filter((name) => name.endsWith('.js'));
  expect(files).toContain('main.js');
  for (const file of files)
    expect(/[^\0-\x7f]/.exec(await readFile(join(dist, file), 'utf8'))?.[0], file).toBeUndefined();
});
