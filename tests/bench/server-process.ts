import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Cores, onServerCore } from './cores.ts';
import type { Ready, Reply, Usage } from './verbs.ts';

/** A server under test, in a process of its own. */
export interface ServerProcess {
  port: number;
  ask<T>(verb: string, argument?: unknown): Promise<T>;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/**
 * Starts `entry` of this folder, or of the same folder in another checkout, on the server’s core.
 * @throws Error if the process ends before it listens
 */
export const startServerProcess = async (
  entry: 'serve-candela.ts' | 'serve-reference.ts' | 'serve-argon2.ts',
  {
    cores,
    env,
    flags = [],
    folder = import.meta.dirname,
  }: { cores: Cores; env: Record<string, string>; flags?: readonly string[]; folder?: string },
): Promise<ServerProcess> => {
  const [file, ...args] = onServerCore(cores, [process.execPath, ...flags, join(folder, entry)]);
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const pending = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));

  const { port } = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ready));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${entry} ended with ${code} before it listened`)));
  });
  child.on('message', ({ id, value, error }: Reply) => {
    const question = pending.get(id);
    pending.delete(id);
    if (error === undefined) question?.resolve(value as never);
    else question?.reject(new Error(error));
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of pending.values()) reject(new Error(`${entry} ended with ${code ?? signal}`));
    pending.clear();
  });

  let asked = 0;
  const ask = <T>(verb: string, argument?: unknown): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const id = asked++;
      pending.set(id, { resolve, reject });
      child.send({ id, verb, argument });
    });
  return {
    port,
    ask,
    usage: () => ask<Usage>('usage'),
    stop: async () => {
      // The process ends by itself, so that it writes a profile.
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};
