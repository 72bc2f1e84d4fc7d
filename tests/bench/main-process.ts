import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { serverProgram } from '../support/programs.ts';
import { freePort } from '../support/world.ts';
import { openConnection } from './http-connection.ts';
import type { ServerProcess } from './server-process.ts';
import { HOST } from './setting.ts';

const POLL_MS = 10;
const PATIENCE_MS = 150_000;
/** The unit of processor time in `/proc` (sysconf(_SC_CLK_TCK)). */
const TICK_MS = 10;

const isReady = async (port: number): Promise<boolean> => {
  try {
    const connection = await openConnection(port, HOST);
    const { status } = await connection.send({ path: '/readyz' });
    connection.close();
    return status === 200;
  } catch {
    return false;
  }
};

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** proc_pid_stat(5): the fields after the name in parentheses; the 12th and 13th are utime and stime. */
const processorMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
};

/** `VmRSS` of proc_pid_status(5). Linux alone tells. */
const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/**
 * Starts the server by `command`, as a person does, and resolves when it is ready.
 * @throws Error if it ends, or takes minutes
 */
export const startMainProcess = async (
  command: (node: readonly string[]) => [string, ...string[]],
  env: Record<string, string>,
): Promise<Omit<ServerProcess, 'ask'>> => {
  const port = await freePort();
  const [file, ...args] = command([process.execPath, serverProgram]);
  const child = spawn(file, args, {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const started = performance.now();
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() - started > PATIENCE_MS) {
      await stop();
      throw new Error('the server did not become ready');
    }
    await delay(POLL_MS);
  }
  return {
    port,
    stop,
    usage: async () => ({
      cpuMilliseconds: [child.pid ?? 0, ...childrenOf(child.pid ?? 0)]
        .map(processorMs)
        .reduce((sum, ms) => sum + ms, 0),
      residentBytes: residentBytes(child.pid ?? 0),
      loopDelayMilliseconds: Number.NaN,
    }),
  };
};
