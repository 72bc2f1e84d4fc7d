import { readFileSync } from 'node:fs';

/** The processor time of a process since its start, and its memory now. */
export interface Usage {
  cpuMs: number;
  residentBytes: number;
}

/** The kernel reports processor time in hundredths of a second, whatever the rate of its own clock. */
const TICK_MS = 10;

/** The usage of all threads of a process; undefined where the process is gone, or the system has no proc(5). */
export const readUsage = (pid: number): Usage | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    // The program's name stands in brackets and may hold anything; the first field after it has the number 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
    const [, residentKb = 0] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? [];
    return { cpuMs: (user + system) * TICK_MS, residentBytes: Number(residentKb) * 1024 };
  } catch {
    return undefined;
  }
};
