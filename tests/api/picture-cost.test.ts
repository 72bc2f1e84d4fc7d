import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createHostilePictures } from '@candela/server/testing/hostile-pictures';
import { createPhoto } from '@candela/server/testing/pictures';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serverProgram } from '../support/programs.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createVerbs, freePort } from '../support/world.ts';

const MB = 1_000_000;
const TICK_MS = 10;
/** A busy machine usually takes a quarter of it. */
const OWN_MS = 500;

/** The memory and processor time of a process; undefined when it has ended (proc(5)). */
const look = (pid: number) => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0] = fields.slice(11, 13);
    const bytesOf = (name: string) => Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
    return { parent, cpuMs: (user + system) * TICK_MS, resident: bytesOf('VmRSS'), most: bytesOf('VmHWM') };
  } catch {
    return undefined;
  }
};

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((other) => other > 0 && look(other)?.parent === pid);

let directory: string;
let server: ChildProcess;
let pid: number;
let origin: string;
let agent: UserAgent;
let output = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-pictures-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  server = spawn(process.execPath, [serverProgram], {
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      DATA_DIR: directory,
      PLAYGROUND_PORT: '0',
      LOG_LEVEL: 'info',
    },
  });
  pid = server.pid ?? 0;
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
        if (output.includes('Ready in')) resolve();
      });
    server.once('exit', () => reject(new Error(output)));
  });
  await ready;
  const registerClients = () => Promise.reject(new Error('there are none'));
  const verbs = createVerbs({ origin, ports: [port], dataDirs: [directory], registerClients });
  ({ agent } = await verbs.signUp());
});
afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
  await rm(directory, { recursive: true });
});

const put = (raw: Buffer) =>
  agent.request('PUT', '/api/account/avatar', { raw, headers: { 'content-type': 'image/png' } });

/** Runs the work, and measures the peak memory of the processes in bytes and the delays of other requests. */
const watch = async (work: () => Promise<void>) => {
  const most = new Map<number, number>();
  const health = { asked: 0, slowestMs: 0 };
  const note = () => {
    for (const each of [pid, ...childrenOf(pid)]) most.set(each, look(each)?.most ?? 0);
  };
  for (const each of [pid, ...childrenOf(pid)]) writeFileSync(`/proc/${each}/clear_refs`, '5');
  const looking = setInterval(note, 20);
  let over = false;
  const working = work().finally(() => {
    note();
    clearInterval(looking);
    over = true;
  });
  const asking = async () => {
    while (!over) {
      const asked = performance.now();
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      health.asked += 1;
      health.slowestMs = Math.max(health.slowestMs, performance.now() - asked);
      // Asked without pause, these requests alone make the heap of the server grow.
      await wait(10);
    }
  };
  await Promise.all([working, asking()]);
  const { [pid]: own = 0, ...decoders } = Object.fromEntries(most);
  return { ...health, own, decoder: Math.max(0, ...Object.values(decoders)) };
};

const putPhotos = async (count: number) => {
  const photo = await createPhoto();
  for (let left = count; left > 0; left -= 1) expect((await put(photo)).status).toBe(200);
};

const linesOf = (event: string) =>
  output
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line));

test('AV3: a hostile picture takes less than 100 MB, and delays nobody', async () => {
  const pictures = await createHostilePictures();
  await putPhotos(5);
  const decoders = childrenOf(pid);
  expect(decoders).toHaveLength(1);
  const decoderBefore = look(decoders[0] ?? 0)?.resident ?? 0;
  // The heap of the server comes and goes by tens of MB with any work: only what a photo does not take counts.
  const photos = await watch(() => putPhotos(pictures.length));
  const { own, decoder, asked, slowestMs } = await watch(async () => {
    for (const { name, bytes, outcome } of pictures) {
      const from = look(pid)?.cpuMs ?? 0;
      const { status, body } = await put(bytes);
      const ownMs = (look(pid)?.cpuMs ?? 0) - from;
      const expected = outcome === 'taken' ? [200, ''] : [422, 'image_unreadable'];
      expect([name, status, body.match(/image_unreadable/)?.[0] ?? '']).toEqual([name, ...expected]);
      // Only processor time of the server itself stalls others, however busy the machine is.
      expect([name, Math.min(ownMs, OWN_MS)]).toEqual([name, ownMs]);
    }
  });
  const grown = own - photos.own + decoder - decoderBefore;
  expect(grown).toBeLessThan(100 * MB);
  expect(asked).toBeGreaterThan(pictures.length);
  const healthz = `/healthz at most ${slowestMs.toFixed(0)} ms`;
  process.stdout.write(`pictures made to cost: ${(grown / MB).toFixed(0)} MB, ${healthz}\n`);
});

test('the log has each refused picture, with its account and its fault', async () => {
  const { id } = (await agent.get('/api/account')).json();
  const refused = linesOf('picture.refused');
  const hostile = (await createHostilePictures()).filter(({ outcome }) => outcome === 'refused');
  expect(refused).toHaveLength(hostile.length);
  expect(refused.filter((line) => line.accountId !== id || line.reason !== 'image_unreadable')).toEqual([]);
  expect(refused.map(({ detail }) => detail)).toContain('a PNG that moves');
});

test('the next picture starts a new decoder after one was killed', async () => {
  const [decoder = 0] = childrenOf(pid);
  expect((await put(await createPhoto())).status).toBe(200);
  process.kill(decoder, 'SIGKILL');
  await vi.waitFor(() => expect(childrenOf(pid)).toEqual([]));
  const { avatar } = (await agent.get('/api/account')).json();
  expect((await put(await createPhoto({ left: '#00c832' }))).json().avatar).not.toBe(avatar);
});
