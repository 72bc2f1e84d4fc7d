import { setTimeout as wait } from 'node:timers/promises';

/** Waits until `isSo` returns true, for a minute at most: a busy machine takes its time. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(10)) {
    if (await isSo()) return;
  }
  throw new Error('it did not become so');
};
