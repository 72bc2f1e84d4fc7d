import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';

/** The body of a thread of bcrypt.ts. */
parentPort?.on('message', ({ password, hash }: { password: string; hash: string }) => {
  parentPort?.postMessage(compareSync(password, hash));
});
