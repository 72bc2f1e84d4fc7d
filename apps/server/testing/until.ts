import { setTimeout as wait } from 'node:timers/promises';

/** Waits until `isSo` returns true, for five seconds at most. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 5_000; Date.now() < end; await wait(10)) {
    if (await isSo()) return;
  }
  throw new Error('it did not become so');
};
