import { Worker } from 'node:worker_threads';

const IDLE_MS = 30_000;
/** bcrypt reads no byte beyond this one. */
const BYTES_READ = 72;

interface Thread {
  worker: Worker;
  idle?: NodeJS.Timeout;
}

/**
 * Whether bcrypt reads all of the password, and reads it as it is: it drops what follows the 72nd byte, and
 * repeats a shorter password around a zero byte, so that others of those kinds would match too.
 */
export const isReadByBcrypt = (password: string): boolean =>
  Buffer.byteLength(password) <= BYTES_READ && !password.includes('\0');

/** Compares in threads of its own: bcryptjs takes 100 ms and more, and would stall everyone on the event loop. */
export const createBcryptVerifier = () => {
  const free: Thread[] = [];

  const spawn = (): Thread => {
    const worker = new Worker(new URL('./bcrypt-worker.ts', import.meta.url));
    const thread: Thread = { worker };
    worker.on('error', () => undefined);
    worker.on('exit', () => take(thread));
    return thread;
  };

  const take = (thread: Thread | undefined): Thread | undefined => {
    const at = thread ? free.indexOf(thread) : -1;
    if (at >= 0) free.splice(at, 1);
    clearTimeout(thread?.idle);
    return thread;
  };

  const release = (thread: Thread) => {
    // A waiting thread does not keep the process alive.
    thread.worker.unref();
    thread.idle = setTimeout(() => void thread.worker.terminate(), IDLE_MS).unref();
    free.push(thread);
  };

  /** As many threads as there are calls at the same time: the caller bounds them. */
  return (hash: string, password: string): Promise<boolean> => {
    const thread = take(free.at(-1)) ?? spawn();
    const { worker } = thread;
    worker.ref();
    return new Promise<boolean>((resolve, reject) => {
      const fail = () => reject(new Error('a thread of bcrypt ended'));
      worker.once('exit', fail);
      worker.once('message', (matches: boolean) => {
        worker.off('exit', fail);
        release(thread);
        resolve(matches);
      });
      worker.postMessage({ password, hash });
    });
  };
};
