import { readdir, rm } from 'node:fs/promises';
import type { PGlite } from '@electric-sql/pglite';
import { StartError } from '../start-error.ts';

/** What PGlite throws: an Error, or a fault of its file system, which has a number and no message. */
interface OpenFault {
  message?: string;
  name?: string;
  errno?: number;
}

/** Faults of the system by their numbers in WebAssembly (WASI snapshot preview 1), which are not those of Linux. */
const CODES: Readonly<Record<number, string>> = {
  2: 'EACCES',
  19: 'EDQUOT',
  29: 'EIO',
  33: 'EMFILE',
  41: 'ENFILE',
  51: 'ENOSPC',
  63: 'EPERM',
  69: 'EROFS',
};
const OF_FULL_DISK = ['ENOSPC', 'EDQUOT'];

/** Why the files in `path` do not open. A fault of the system says nothing about the files, which may be whole. */
const describeFault = (path: string, { message, name, errno = 0 }: OpenFault): string => {
  const code = CODES[errno];
  if (code && OF_FULL_DISK.includes(code))
    return `DATA_DIR: the disk of the embedded database in ${path} is full (${code}): make room, and start again`;
  if (code) return `DATA_DIR: the embedded database in ${path} cannot be read or written (${code})`;
  const why = message ?? `${name ?? 'fault'} ${errno}`;
  return `DATA_DIR: the embedded database in ${path} does not open (${why}): its files are damaged, or of another major version. Restore a copy of DATA_DIR`;
};

/** Whether there is nothing at the path. What cannot be read may be there. */
const isEmpty = (path: string): Promise<boolean> =>
  readdir(path).then(
    (names) => names.length === 0,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  );

/**
 * Opens the embedded database, and makes it where there is none. One that cannot be made whole is removed again: its half
 * would look like damage to the next start.
 * @throws StartError in one line: PGlite reports damaged files by stacks of WebAssembly, which help nobody
 */
export const openPglite = async (path: string): Promise<PGlite> => {
  const isNew = await isEmpty(path);
  const { PGlite } = await import('@electric-sql/pglite');
  return PGlite.create({ dataDir: path }).catch(async (cause: OpenFault) => {
    // Of a folder that cannot be removed, what it holds is.
    if (isNew) await rm(path, { recursive: true, force: true }).catch(() => undefined);
    throw new StartError(describeFault(path, cause), { cause });
  });
};
