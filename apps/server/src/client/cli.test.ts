import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const cli = new URL('../cli.ts', import.meta.url).pathname;

test('candela client registers by preset, disables, and says so', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'candela-cli-'));
  const file = join(directory, 'clients.json');
  const run = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: '/usr/bin:/bin', DATA_DIR: join(directory, 'data') };
      execFile(process.execPath, [cli, 'client', ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
  const alexa = { client_id: 'alexa', client_secret: 'a secret', client_name: 'Alexa', preset: 'alexa' };
  await writeFile(file, JSON.stringify([{ ...alexa, vendor_id: 'M2EXAMPLE1234' }]));
  expect(await run('apply', file)).toMatchObject({ code: 0, stdout: 'registered: alexa\n' });
  expect(await run('disable', 'alexa')).toMatchObject({ code: 0, stdout: 'disabled: alexa\n' });
  expect((await run('list')).stdout).toBe('alexa\tAlexa\tevery brand\tdisabled\n');
  expect(await run('enable', 'nobody')).toMatchObject({
    code: 1,
    stderr: 'no client has the id "nobody"; client list shows them\n',
  });
  await rm(directory, { recursive: true });
}, 240_000);
