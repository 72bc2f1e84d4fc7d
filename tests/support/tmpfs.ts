import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A small file system of its own, in memory. */
export interface SmallDisk {
  directory: string;
  /** Takes all the space that is left. */
  fill(): Promise<void>;
  /** Gives back what `fill` took. */
  empty(): Promise<void>;
  unmount(): Promise<void>;
}

/** Undefined where this process may not mount: only root may, and not in every container. */
export const mountSmallDisk = (mebibytes: number): SmallDisk | undefined => {
  const directory = mkdtempSync('/tmp/candela-disk.');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=777`, 'tmpfs', directory], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
  const ballast: string[] = [];
  return {
    directory,
    fill: async () => {
      for (;;) {
        const { bavail, bsize } = await statfs(directory);
        if (bavail === 0) return;
        const file = join(directory, `ballast-${ballast.length}`);
        ballast.push(file);
        // Somebody else may have been faster; then what is left is taken by the next turn.
        await writeFile(file, Buffer.alloc(Math.min(bavail * bsize, 64 * 1_048_576))).catch(() => undefined);
      }
    },
    empty: async () => {
      for (const file of ballast.splice(0)) await rm(file, { force: true });
    },
    unmount: async () => {
      execFileSync('umount', ['--lazy', directory]);
      await rm(directory, { recursive: true, force: true });
    },
  };
};
