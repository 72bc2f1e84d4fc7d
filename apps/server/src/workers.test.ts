import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Two workers: the first is killed when it listens, and the second listens only after that. */
const program = `
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { startWorkers } from ${JSON.stringify(new URL('workers.ts', import.meta.url).href)};

if (cluster.isPrimary) {
  let listening = 0;
  const third = new Promise((resolve) => {
    cluster.on('listening', (worker) => {
      listening += 1;
      if (worker.id === 1) worker.process.kill('SIGKILL');
      if (listening === 3) resolve();
    });
  });
  cluster.on('exit', ({ id }) => id === 1 && cluster.workers[2].send('listen'));
  const workers = await startWorkers(2, { error: (_facts, message) => console.log(message) });
  await third;
  console.log(Object.keys(cluster.workers).join());
  await workers.stop();
  process.exit();
}
if (cluster.worker.id === 2) await once(process, 'message');
createServer().listen(0, '127.0.0.1');
`;

test('a worker that dies while others start is replaced', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'candela-workers-'));
  const path = join(directory, 'program.mjs');
  await writeFile(path, program);
  const { stdout } = await run(process.execPath, [path], { timeout: 20_000, killSignal: 'SIGKILL' });
  expect(stdout).toBe('a worker ended and is replaced\n2,3\n');
  await rm(directory, { recursive: true });
});
