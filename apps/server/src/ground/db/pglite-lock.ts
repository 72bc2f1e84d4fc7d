import { createHash, randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface PgliteLock {
  release(): Promise<void>;
}

/** A live process holds the lock. */
export class LockHeldError extends Error {}

interface Owner {
  pid: number;
  /** Clock ticks from boot to the start of the process; distinguishes a recycled pid from its former holder. */
  startedAt: string | null;
}

/** What this process wrote into the lock. Its pid alone is not enough: the first process of each container is 1. */
const writtenHere = new Set<string>();

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

const readIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const startOf = async (pid: number): Promise<string | null> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // proc(5): the second field is the command in parentheses and may hold spaces; the start time is the 22nd.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
};

const parseOwner = (content: string): Owner | undefined => {
  try {
    const { pid, startedAt } = JSON.parse(content);
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, startedAt: startedAt ?? null } : undefined;
  } catch {
    return undefined;
  }
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, 'EPERM');
  }
};

/** The live process that wrote this lock; undefined when it is gone, or its pid is another process by now. */
const liveOwner = async (content: string): Promise<Owner | undefined> => {
  const owner = parseOwner(content);
  if (!owner) return undefined;
  if (owner.pid === process.pid) return writtenHere.has(content) ? owner : undefined;
  if (!isRunning(owner.pid)) return undefined;
  const startedAt = await startOf(owner.pid);
  return owner.startedAt === null || startedAt === null || owner.startedAt === startedAt ? owner : undefined;
};

const writeDraft = async (path: string, content: string): Promise<string> => {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
};

/** Answers whether this process holds the lock at `path` now; false means that another one was faster. */
const replaceStale = async (path: string, stale: string, draft: string, what: string): Promise<boolean> => {
  // A process that takes over first holds a claim that is named after the stale lock. Of two, the second finds
  // another lock than the stale one once it has the claim.
  const claim = await acquire(
    `${path}.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`,
    what,
  );
  try {
    if ((await readIfThere(path)) !== stale) return false;
    await rename(draft, path);
    return true;
  } finally {
    await claim.release();
  }
};

/** @throws LockHeldError when a live process holds the lock */
const take = async (path: string, draft: string, what: string): Promise<void> => {
  for (;;) {
    try {
      // link(2) creates exclusively, and no reader ever sees a lock that is not fully written.
      return await link(draft, path);
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
    }
    const found = await readIfThere(path);
    if (found === undefined) continue;
    const other = await liveOwner(found);
    if (other) throw new LockHeldError(`${what} is in use by process ${other.pid}`);
    if (await replaceStale(path, found, draft, what)) return;
  }
};

const acquire = async (path: string, what: string): Promise<PgliteLock> => {
  const owner = {
    pid: process.pid,
    startedAt: await startOf(process.pid),
    nonce: randomBytes(8).toString('hex'),
  };
  const content = JSON.stringify(owner);
  const draft = await writeDraft(path, content);
  writtenHere.add(content);
  try {
    await take(path, draft, what);
  } catch (error) {
    writtenHere.delete(content);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return {
    release: async () => {
      if ((await readIfThere(path)) === content) await rm(path, { force: true });
      writtenHere.delete(content);
    },
  };
};

const lockIn = (dataDir: string) => join(dataDir, 'db.lock');
const whatIn = (dataDir: string) => `The embedded database in ${dataDir}`;

/**
 * Whether the lock could be taken now; nothing is written.
 * @throws LockHeldError as `acquirePgliteLock` does
 */
export const requirePgliteUnlocked = async (dataDir: string): Promise<void> => {
  // A place that cannot be read is a fault of its own.
  const found = await readIfThere(lockIn(dataDir)).catch(() => undefined);
  const other = found === undefined ? undefined : await liveOwner(found);
  if (other) throw new LockHeldError(`${whatIn(dataDir)} is in use by process ${other.pid}`);
};

/**
 * Takes the embedded database in `dataDir` for this process: PGlite itself lets two processes open and
 * ruin the same files. The lock of a process that is gone is taken over.
 *
 * @throws LockHeldError with one line naming the directory and the pid when a live process holds it.
 */
export const acquirePgliteLock = (dataDir: string): Promise<PgliteLock> =>
  acquire(lockIn(dataDir), whatIn(dataDir));
