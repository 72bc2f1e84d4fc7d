import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Which cores the server has for itself, and which are left to the load and the database. */
export interface Cores {
  pinned: boolean;
  server: string;
  rest: string;
}

/** The cores this process may use, as `taskset` names them; `0-2,5` is 0, 1, 2 and 5. */
const listAllowed = (): number[] => {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
};

/**
 * Moves this process, and so the database it starts, off the first core, which the servers get.
 * Where `taskset` is missing or there is one core only, everything shares what there is.
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

/** Time, in some unit, that passed on the server's core and that it spent idle, since the machine started. */
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

/** The command that runs `command` on the server's core. */
export const onServerCore = (cores: Cores, command: readonly string[]): [string, ...string[]] => {
  const [file = '', ...args] = cores.pinned ? ['taskset', '-c', cores.server, ...command] : command;
  return [file, ...args];
};
