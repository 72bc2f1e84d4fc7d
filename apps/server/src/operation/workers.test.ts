import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Two workers: the first is killed when it serves, and the second serves only after that. */
const program = `
import cluster from 'node:cluster';
import { once } from 'node:events';
import { startWorkers, tellServing } from ${JSON.stringify(new URL('workers.ts', import.meta.url).href)};

if (cluster.isPrimary) {
  let serving = 0;
  const third = new Promise((resolve) => {
    cluster.on('message', (worker) => {
      serving += 1;
      if (worker.id === 1) worker.process.kill('SIGKILL');
      if (serving === 3) resolve();
    });
  });
  cluster.on('exit', ({ id }) => id === 1 && cluster.workers[2].send('serve'));
  const workers = await startWorkers({
    count: 2,
    logger: { error: (_facts, message) => console.log(message) },
    claim: async () => {
      console.log('the port is claimed');
      return { release: async () => console.log('the claim ends') };
    },
  });
  await third;
  console.log(Object.keys(cluster.workers).join());
  await workers.stop();
  process.exit();
}
if (cluster.worker.id === 2) await once(process, 'message');
tellServing();
`;

test('a worker that dies while others start is replaced, and the port is claimed while none serves', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'candela-workers-'));
  const path = join(directory, 'program.mjs');
  await writeFile(path, program);
  const { stdout } = await run(process.execPath, [path], { timeout: 20_000, killSignal: 'SIGKILL' });
  expect(stdout.split('\n')).toEqual([
    'the port is claimed',
    'a worker ended and is replaced',
    'the claim ends',
    '2,3',
    '',
  ]);
  await rm(directory, { recursive: true });
});
