import { lstat, mkdir, mkdtemp, readlink, rm, rmdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The longest path that every system takes for a socket: unix(7) has 108 bytes with the end, others have 104. */
const LONGEST = 103;

const fits = (path: string) => Buffer.byteLength(path) <= LONGEST;

const directoryIn = (dataDir: string) => join(dataDir, 'command');

const NAME = 'socket';

/** A directory of this user alone whose path fits. */
const makeShortDirectory = (): Promise<string> => {
  const prefix = 'candela-';
  const parent = fits(join(tmpdir(), `${prefix}123456`, NAME)) ? tmpdir() : '/tmp';
  return mkdtemp(join(parent, prefix));
};

/**
 * Makes the place where a server listens for commands, `dataDir`/command/socket, in a directory of mode 0700. Where
 * that path is too long for a socket, there is a link to a shorter one. The caller holds the lock of the database in
 * `dataDir`: what is there belongs to a process that was killed, and is replaced.
 * @returns a path to listen at.
 */
export const makeSocketPlace = async (dataDir: string): Promise<string> => {
  await removeSocketPlace(dataDir);
  await mkdir(directoryIn(dataDir), { mode: 0o700 });
  const path = join(directoryIn(dataDir), NAME);
  if (fits(path)) return path;
  const short = join(await makeShortDirectory(), NAME);
  await symlink(short, path);
  return short;
};

export const removeSocketPlace = async (dataDir: string): Promise<void> => {
  const short = await readlink(join(directoryIn(dataDir), NAME)).catch(() => undefined);
  if (short) {
    await rm(short, { force: true });
    // Nothing else is in it; what is not empty is not ours.
    await rmdir(dirname(short)).catch(() => undefined);
  }
  await rm(directoryIn(dataDir), { recursive: true, force: true });
};

/** The path at which a server may listen; undefined where none does. */
export const findSocket = async (dataDir: string): Promise<string | undefined> => {
  const path = join(directoryIn(dataDir), NAME);
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isSymbolicLink()) return found && path;
  const short = await readlink(path);
  // Others may write where temporary files are: only the directory of the server itself is trusted.
  const directory = await lstat(dirname(short)).catch(() => undefined);
  const isItsOwn = directory?.isDirectory() && directory.uid === found.uid && (directory.mode & 0o077) === 0;
  return isItsOwn ? short : undefined;
};
