import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createDecodingProcess, type DecodingLimits, type DecodingProcess } from './decoding-process.ts';
import { readUsage } from './process-usage.ts';

const MIB = 1024 * 1024;
const limits: DecodingLimits = {
  cpuMs: 300,
  growthBytes: 64 * MIB,
  wallMs: 30_000,
  keptBytes: 32 * MIB,
  idleMs: 30_000,
};
const task = { bytes: Buffer.from('a picture'), into: 'avatar', side: 8, maxPixels: 64 } as const;

let directory: string;
let faults: string[] = [];
let open: DecodingProcess[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-decoding-'));
});
afterEach(async () => {
  await Promise.all(open.map((decoder) => decoder.close()));
  open = [];
  faults = [];
});
afterAll(() => rm(directory, { recursive: true }));

/** A process that is ready at once, and runs this code with each message as `task`. */
const decoderOf = async (work: string, changes: Partial<DecodingLimits> = {}, beforeReady = '') => {
  const file = join(directory, `${open.length}-${Math.random()}.mjs`);
  await writeFile(
    file,
    `const answer = (text) => process.send({ bytes: Buffer.from(text) });
    ${beforeReady}
    process.on('message', async (task) => { ${work} });
    process.send({ ready: true });`,
  );
  const decoder = createDecodingProcess({
    limits: { ...limits, ...changes },
    onFault: (why) => faults.push(why),
    file,
  });
  open.push(decoder);
  return decoder;
};

const textOf = async (decoder: DecodingProcess, text = 'a picture') =>
  String(await decoder.run({ ...task, bytes: Buffer.from(text) }));

const isAlive = (pid: number) => (readUsage(pid)?.residentBytes ?? 0) > 0;
const gone = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });

/** Obeys the text of its picture, or answers with its own pid. */
const obedient = `
  const text = String(task.bytes);
  if (text === 'spin') for (;;);
  if (text === 'die') process.kill(process.pid, 'SIGSEGV');
  if (text === 'fail') return process.send({ failure: 'no picture' });
  if (text.startsWith('hold')) globalThis.held = Buffer.alloc(Number(text.slice(5)) * ${MIB}, 1);
  answer(String(process.pid));`;

const refusal = (detail: string) => ({
  code: 'image_unreadable',
  cause: expect.objectContaining({ message: expect.stringContaining(detail) }),
});

test('it starts with the first picture, serves further pictures, and ends when idle', async () => {
  const decoder = await decoderOf(obedient, { idleMs: 50 });
  expect(decoder.pid).toBeUndefined();
  const first = decoder.run(task);
  const { pid = 0 } = decoder;
  expect(String(await first)).toBe(String(pid));
  await gone(pid);
  expect(decoder.pid).toBeUndefined();
  expect(await textOf(decoder)).not.toBe(String(pid));
});

test.each([
  ['spin', 'takes too long'],
  ['hold 120', 'too much memory'],
  ['die', 'ended its decoder'],
])(
  'a picture that makes it %s is refused, the process is gone, and the next one has another',
  async (text, why) => {
    const decoder = await decoderOf(obedient);
    const pid = Number(await textOf(decoder));
    expect(await textOf(decoder)).toBe(String(pid));
    await expect(textOf(decoder, text)).rejects.toMatchObject(refusal(why));
    expect(isAlive(pid)).toBe(false);
    expect(Number(await textOf(decoder))).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  },
);

test('the process survives a picture that cannot be decoded, and refuses it', async () => {
  const decoder = await decoderOf(obedient);
  const pid = await textOf(decoder);
  await expect(textOf(decoder, 'fail')).rejects.toMatchObject(refusal('no picture'));
  expect(await textOf(decoder)).toBe(pid);
});

test('the kernel bounds the memory of the process, however fast it allocates', async () => {
  const decoder = await decoderOf(obedient, { growthBytes: Number.POSITIVE_INFINITY, cpuMs: 60_000 });
  await expect(textOf(decoder, 'hold 600')).rejects.toMatchObject({ code: 'image_unreadable' });
});

test('memory left over from earlier pictures is freed', async () => {
  const decoder = await decoderOf(obedient);
  const pid = await textOf(decoder, 'hold 16');
  expect(await textOf(decoder, 'hold 48')).toBe(pid);
  expect(await textOf(decoder)).not.toBe(pid);
});

test('without any time left the answer is busy', async () => {
  const decoder = await decoderOf('', { wallMs: 200 });
  await expect(decoder.run(task)).rejects.toMatchObject({ code: 'busy', details: { retryAfterSeconds: 2 } });
});

test('a process that fails to start is no fault of the picture', async () => {
  const decoder = await decoderOf('', {}, 'process.exit(1);');
  await expect(decoder.run(task)).rejects.toMatchObject({ code: 'busy' });
  expect(faults).toEqual(['the process that decodes pictures ended before it began']);
});

test('it does not get the environment of the server', async () => {
  vi.stubEnv('SECRET_KEY', 'secret');
  const decoder = await decoderOf('answer(JSON.stringify(process.env));');
  const told = JSON.parse(await textOf(decoder));
  vi.unstubAllEnvs();
  expect(
    Object.keys(told).filter((name) => !/^(UV_|MALLOC_|NODE_CHANNEL|PWD$|OLDPWD$|SHLVL$|_$)/.test(name)),
  ).toEqual([]);
});

test('it ends with the server, however the server ends', async () => {
  const pidFile = join(directory, 'pid');
  const program = join(directory, 'server.mjs');
  const file = join(directory, 'endless.mjs');
  const worker = new URL('./picture-worker.ts', import.meta.url).href;
  await writeFile(file, `import ${JSON.stringify(worker)};`);
  await writeFile(
    program,
    `import { writeFileSync } from 'node:fs';
    import { createDecodingProcess } from ${JSON.stringify(new URL('./decoding-process.ts', import.meta.url).href)};
    const decoder = createDecodingProcess({ limits: ${JSON.stringify(limits)}, onFault: () => {}, file: ${JSON.stringify(file)} });
    await decoder.run({ bytes: Buffer.from('no picture'), into: 'avatar', side: 8, maxPixels: 64 }).catch(() => {});
    writeFileSync(${JSON.stringify(pidFile)}, String(decoder.pid));
    process.kill(process.pid, 'SIGKILL');`,
  );
  const ended = promisify(execFile)(process.execPath, [program], { timeout: 30_000 });
  await expect(ended).rejects.toMatchObject({ signal: 'SIGKILL' });
  await gone(Number(await readFile(pidFile, 'utf8')));
});

test('it does not keep an idle server running', async () => {
  const program = join(directory, 'idle.mjs');
  await writeFile(
    program,
    `import { createDecodingProcess } from ${JSON.stringify(new URL('./decoding-process.ts', import.meta.url).href)};
    const decoder = createDecodingProcess({ limits: ${JSON.stringify(limits)}, onFault: () => {} });
    await decoder.run({ bytes: Buffer.from('no picture'), into: 'avatar', side: 8, maxPixels: 64 }).catch(({ code }) => console.log(code));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 20_000 });
  expect(stdout).toBe('image_unreadable\n');
});

test('a process that has ended reports no usage', () => {
  expect(readUsage(process.pid)?.residentBytes).toBeGreaterThan(MIB);
  expect(readUsage(2 ** 30)).toBeUndefined();
});
