import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const cli = new URL('cli.ts', import.meta.url).pathname;

// One database for all: to make it takes longer than all that is done with it.
const directory = mkdtempSync(join(tmpdir(), 'candela-cli-'));
afterAll(() => rmSync(directory, { recursive: true }));

const run = (...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: '/usr/bin:/bin', DATA_DIR: join(directory, 'data') };
    execFile(process.execPath, [cli, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

describe('candela', { timeout: 240_000 }, () => {
  test('account import makes the database, imports, reports, and says by its exit code if all went well', async () => {
    const file = join(directory, 'people.jsonl');
    await writeFile(file, '{"email":"ada@example.com"}\n{"email":"eve@example.com"}\n');
    const first = await run('account', 'import', file);
    expect(first).toMatchObject({ code: 0, stdout: 'imported 2, unchanged 0, refused 0\n' });
    expect(first.stderr).toContain('100 %  2 lines');

    await writeFile(file, '{"email":"ada@example.com"}\n{"email":"ada"}\n');
    const second = await run('account', 'import', file);
    expect(second.code).toBe(1);
    expect(second.stdout).toBe(
      `imported 0, unchanged 1, refused 1\n  email_invalid 1\nrefused lines: ${file}.refused.jsonl\n`,
    );
    expect(await readFile(`${file}.refused.jsonl`, 'utf8')).toBe('{"line":2,"reason":"email_invalid"}\n');

    expect(await run('account', 'import', join(directory, 'nothing.jsonl'))).toMatchObject({ code: 1 });
    expect(await run('account', 'import')).toMatchObject({
      code: 1,
      stderr: 'account import needs a FILE\n',
    });
  });

  test('client registers by preset, disables, and says so', async () => {
    const file = join(directory, 'clients.json');
    const alexa = {
      client_id: 'alexa',
      client_secret: 'a long random secret of the app',
      client_name: 'Alexa',
      preset: 'alexa',
    };
    await writeFile(file, JSON.stringify([{ ...alexa, vendor_id: 'M2EXAMPLE1234' }]));
    expect(await run('client', 'apply', file)).toMatchObject({ code: 0, stdout: 'registered: alexa\n' });
    expect(await run('client', 'disable', 'alexa')).toMatchObject({ code: 0, stdout: 'disabled: alexa\n' });
    expect((await run('client', 'list')).stdout).toBe('alexa\tAlexa\tevery brand\tdisabled\n');
    expect(await run('client', 'enable', 'nobody')).toMatchObject({
      code: 1,
      stderr: 'no client has the id "nobody"; client list shows them\n',
    });
  });
});
