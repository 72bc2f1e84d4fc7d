import { expect, test } from 'vitest';
import { every, type LoopOptions } from './every.ts';

/** A clock whose pauses last until the test ends them. */
const createPauses = () => {
  const lengths: number[] = [];
  let resume: () => void = () => undefined;
  return {
    /** The length of each pause that began, in milliseconds. */
    lengths,
    pause: (milliseconds: number, signal: AbortSignal): Promise<void> => {
      lengths.push(milliseconds);
      const { promise, resolve } = Promise.withResolvers<void>();
      resume = resolve;
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
      return promise;
    },
    /** Ends the pause, and resolves when the work that follows at once has run. */
    turn: async () => {
      resume();
      await settled();
    },
  };
};
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

const start = (work: (signal: AbortSignal) => Promise<unknown>, options: Partial<LoopOptions> = {}) => {
  const pauses = createPauses();
  const failures: unknown[] = [];
  const loop = every(60, work, { onFailure: (error) => failures.push(error), ...pauses, ...options });
  return { ...loop, ...pauses, failures };
};

test('work begins after each pause, and a pause precedes the first work', async () => {
  let count = 0;
  const loop = start(async () => {
    count += 1;
  });
  await settled();
  expect(count).toBe(0);
  await loop.turn();
  expect(count).toBe(1);
  await loop.turn();
  expect(count).toBe(2);
  expect(loop.lengths).toEqual([60_000, 60_000, 60_000]);
  await loop.stop();
});

test('a pause that is longer than any timer does not end at once', async () => {
  let count = 0;
  const loop = every(3_000_000, async () => (count += 1), { onFailure: () => undefined });
  await new Promise((resolve) => setTimeout(resolve, 10));
  await loop.stop();
  expect(count).toBe(0);
});

test('work requested at once does not wait for the first pause', async () => {
  let count = 0;
  const loop = start(
    async () => {
      count += 1;
    },
    { atOnce: true },
  );
  await settled();
  expect(count).toBe(1);
  await loop.stop();
  expect(count).toBe(1);
});

test('the pause begins when the work has ended, so that no two runs overlap', async () => {
  const work = Promise.withResolvers<void>();
  const loop = start(() => work.promise);
  await loop.turn();
  expect(loop.lengths).toHaveLength(1);
  work.resolve();
  await settled();
  expect(loop.lengths).toHaveLength(2);
  await loop.stop();
});

test('failed work is reported and tried again, after the pause for failures if there is one', async () => {
  const failure = new Error('down');
  const fail = () => Promise.reject(failure);
  const loop = start(fail);
  await loop.turn();
  expect(loop.failures).toEqual([failure]);
  expect(loop.lengths).toEqual([60_000, 60_000]);
  await loop.stop();

  const impatient = start(fail, { retrySeconds: 5 });
  await impatient.turn();
  expect(impatient.lengths).toEqual([60_000, 5_000]);
  await impatient.stop();
});

test('work that throws synchronously is reported too', async () => {
  const loop = start(() => {
    throw new Error('at once');
  });
  await loop.turn();
  expect(loop.failures).toEqual([new Error('at once')]);
  await loop.stop();
});

test('stopping ends a pause and starts no more work', async () => {
  let count = 0;
  const loop = start(async () => {
    count += 1;
  });
  await loop.stop();
  expect(count).toBe(0);
});

test('stopping aborts the signal of the work under way and waits for its end', async () => {
  const work = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  const loop = start((given) => {
    signal = given;
    return work.promise;
  });
  await loop.turn();
  let isStopped = false;
  const stopped = loop.stop().then(() => {
    isStopped = true;
  });
  await settled();
  expect(signal?.aborted).toBe(true);
  expect(isStopped).toBe(false);
  work.resolve();
  await stopped;
  expect(loop.failures).toEqual([]);
});

test('without a clock of its own the loop uses the clock of the process', async () => {
  const worked = Promise.withResolvers<void>();
  const loop = every(0.001, async () => worked.resolve(), { onFailure: () => undefined });
  await worked.promise;
  await loop.stop();
});
