import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const cli = new URL('../cli.ts', import.meta.url).pathname;

test('candela account import makes the database, imports, reports, and says by its exit code if all went well', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'candela-cli-'));
  const file = join(directory, 'people.jsonl');
  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: '/usr/bin:/bin', DATA_DIR: join(directory, 'data') };
      execFile(process.execPath, [cli, 'account', 'import', ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  await writeFile(file, '{"email":"ada@example.com"}\n{"email":"eve@example.com"}\n');
  const first = await run(file);
  expect(first).toMatchObject({ code: 0, stdout: 'imported 2, unchanged 0, refused 0\n' });
  expect(first.stderr).toContain('100 %  2 lines');

  await writeFile(file, '{"email":"ada@example.com"}\n{"email":"ada"}\n');
  const second = await run(file);
  expect(second.code).toBe(1);
  expect(second.stdout).toBe(
    `imported 0, unchanged 1, refused 1\n  email_invalid 1\nrefused lines: ${file}.refused.jsonl\n`,
  );
  expect(await readFile(`${file}.refused.jsonl`, 'utf8')).toBe('{"line":2,"reason":"email_invalid"}\n');

  expect(await run(join(directory, 'nothing.jsonl'))).toMatchObject({ code: 1 });
  expect(await run()).toMatchObject({ code: 1 });
  await rm(directory, { recursive: true });
}, 120_000);
