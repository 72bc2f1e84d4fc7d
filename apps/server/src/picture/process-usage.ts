import { readFileSync } from 'node:fs';

/** What a process took since it started, and what it holds now. */
export interface Usage {
  cpuMs: number;
  residentBytes: number;
}

/** The kernel counts for programs in hundredths of a second, whatever its own clock does. */
const TICK_MS = 10;

/** All threads together; undefined where the process is gone, or the system does not tell it (proc(5)). */
export const readUsage = (pid: number): Usage | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    // The name of the program stands in brackets and may hold anything; the fields behind it are counted from 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
    const [, residentKb = 0] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? [];
    return { cpuMs: (user + system) * TICK_MS, residentBytes: Number(residentKb) * 1024 };
  } catch {
    return undefined;
  }
};
