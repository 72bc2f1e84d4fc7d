import { chmod, lstat, mkdir, mkdtemp, readlink, rm, rmdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '../../ground/start-error.ts';
import { readOsCaller } from '../commands/os-caller.ts';

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
  await mkdir(directoryIn(dataDir), { recursive: true, mode: 0o700 });
  // It was there already where something else is in it.
  await chmod(directoryIn(dataDir), 0o700);
  const path = join(directoryIn(dataDir), NAME);
  if (fits(path)) return path;
  const short = join(await makeShortDirectory(), NAME);
  await symlink(short, path);
  return short;
};

/** Removes a socket, and its directory where nothing else is in it. */
const removeFrom = async (path: string): Promise<void> => {
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => undefined);
};

export const removeSocketPlace = async (dataDir: string): Promise<void> => {
  const path = join(directoryIn(dataDir), NAME);
  const short = await readlink(path).catch(() => undefined);
  if (short) await removeFrom(short);
  await removeFrom(path);
};

/** Nobody but the user of a server sees into its directory: to others it looks as if nothing was there. */
const refuseOthers =
  (dataDir: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== 'EACCES') return undefined;
    throw new StartError(
      `DATA_DIR: the user ${readOsCaller().user} may not read ${dataDir}: run the command as the user of the server, or as root`,
      { cause: error },
    );
  };

/**
 * The path at which a server may listen; undefined where none does.
 * @throws StartError where `dataDir` is of another user
 */
export const findSocket = async (dataDir: string): Promise<string | undefined> => {
  const path = join(directoryIn(dataDir), NAME);
  const found = await lstat(path).catch(refuseOthers(dataDir));
  if (!found?.isSymbolicLink()) return found && path;
  const short = await readlink(path);
  // Others may write where temporary files are: only the directory of the server itself is trusted.
  const directory = await lstat(dirname(short)).catch(() => undefined);
  const isItsOwn = directory?.isDirectory() && directory.uid === found.uid && (directory.mode & 0o077) === 0;
  return isItsOwn ? short : undefined;
};
