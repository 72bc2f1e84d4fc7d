import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The cores reserved for the server, and the cores left to the load and the database. */
export interface Cores {
  pinned: boolean;
  server: string;
  rest: string;
}

/** The cores that this process may use, in the notation of `taskset`; `0-2,5` is 0, 1, 2 and 5. */
const listAllowed = (): number[] => {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
};

/**
 * Moves this process, and so the database that it starts, off the first core, which is reserved for the servers.
 * Without `taskset`, or with one core only, all processes share the cores.
 */
export const divideCores = (): Cores => {
  try {
    const [server, ...rest] = listAllowed();
    if (server === undefined || rest.length === 0) return { pinned: false, server: '', rest: '' };
    execFileSync('taskset', ['-acp', rest.join(','), String(process.pid)], { stdio: 'ignore' });
    return { pinned: true, server: String(server), rest: rest.join(',') };
  } catch {
    return { pinned: false, server: '', rest: '' };
  }
};

/** The total time of the server’s core since the machine started, and its idle time, in the same unit. */
export const readServerCore = (cores: Cores): { total: number; idle: number } | undefined => {
  if (!cores.pinned) return undefined;
  const line = new RegExp(`^cpu${cores.server} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1];
  // proc_stat(5): user nice system idle iowait irq softirq steal.
  const ticks = (line ?? '').split(' ').slice(0, 8).map(Number);
  return {
    total: ticks.reduce((sum, tick) => sum + tick, 0),
    idle: (ticks[3] ?? 0) + (ticks[4] ?? 0),
  };
};

/** The command line that runs `command` on the server’s core. */
export const onServerCore = (cores: Cores, command: readonly string[]): [string, ...string[]] => {
  const [file = '', ...args] = cores.pinned ? ['taskset', '-c', cores.server, ...command] : command;
  return [file, ...args];
};
