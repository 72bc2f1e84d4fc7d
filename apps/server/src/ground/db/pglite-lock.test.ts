import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acquirePgliteLock } from './pglite-lock.ts';

const lockModule = new URL('./pglite-lock.ts', import.meta.url).href;
const taker = `
  import { acquirePgliteLock } from ${JSON.stringify(lockModule)};
  process.stdin.once('data', () => acquirePgliteLock(process.argv[1]).then(
    () => console.log('won'), (error) => console.log(error.message)));
  process.stdin.on('end', () => process.exit());
  console.log('ready');
`;

/** A separate process that takes the lock on request and keeps it until it ends. */
const startTaker = async (dataDir: string) => {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', taker, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (!child.stdin || !child.stdout) throw new Error('no pipes');
  const { stdin, stdout } = child;
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  const readLine = async (): Promise<string> => (await lines.next()).value ?? '';
  await readLine();
  return {
    pid: child.pid ?? 0,
    take: async (): Promise<string> => {
      stdin.write('go\n');
      return readLine();
    },
    kill: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
};

describe('the lock of the embedded database', () => {
  let dataDir: string;
  const lockFile = () => join(dataDir, 'db.lock');

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'candela-lock-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  test('a second process is refused, with the pid of the holder', async () => {
    const other = await startTaker(dataDir);
    expect(await other.take()).toBe('won');
    await expect(acquirePgliteLock(dataDir)).rejects.toThrow(
      `The embedded database in ${dataDir} is in use by process ${other.pid}`,
    );
    await other.kill();
  });

  test('a second opening in the same process is refused, and works after the release', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => acquirePgliteLock(dataDir)));
    const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
    expect(won).toHaveLength(1);
    await won[0]?.value.release();
    expect(await readdir(dataDir)).toEqual([]);
    const again = await acquirePgliteLock(dataDir);
    await again.release();
  });

  test('a process takes over the lock of a killed process', async () => {
    const other = await startTaker(dataDir);
    await other.take();
    await other.kill();
    const lock = await acquirePgliteLock(dataDir);
    expect(JSON.parse(await readFile(lockFile(), 'utf8')).pid).toBe(process.pid);
    await lock.release();
  });

  test.skipIf(!existsSync('/proc/self/stat'))('a recycled pid does not hold the lock', async () => {
    const other = await startTaker(dataDir);
    await writeFile(lockFile(), JSON.stringify({ pid: other.pid, startedAt: '1', nonce: 'a' }));
    const lock = await acquirePgliteLock(dataDir);
    await lock.release();
    await other.kill();
  });

  test('a process takes over the lock of an earlier process that had its pid', async () => {
    await writeFile(lockFile(), JSON.stringify({ pid: process.pid, startedAt: null, nonce: 'a' }));
    const lock = await acquirePgliteLock(dataDir);
    await lock.release();
  });

  test.each(['', 'not JSON', '{"pid":-1}', 'null'])('a lock that says %j is taken over', async (content) => {
    await writeFile(lockFile(), content);
    const lock = await acquirePgliteLock(dataDir);
    await lock.release();
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('of several processes that find a stale lock, one takes it over', async () => {
    const takers = await Promise.all(Array.from({ length: 6 }, () => startTaker(dataDir)));
    await writeFile(lockFile(), JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1', nonce: 'a' }));
    const answers = await Promise.all(takers.map((one) => one.take()));
    expect(answers.filter((answer) => answer === 'won')).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes('is in use by process'))).toHaveLength(5);
    await Promise.all(takers.map((one) => one.kill()));
  });
});
