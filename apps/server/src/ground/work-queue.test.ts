import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWorkQueue, type WorkQueueOptions } from './work-queue.ts';

/** A queue whose tasks end when the test says so. */
const create = (options: WorkQueueOptions) => {
  const enqueue = createWorkQueue(options);
  const running: { name: string; end: () => void }[] = [];
  const begun: string[] = [];
  const refused: string[] = [];
  return {
    begun,
    refused,
    add: (name: string, from?: string) => {
      const work = () => {
        begun.push(name);
        return new Promise<void>((end) => running.push({ name, end }));
      };
      enqueue(work, from).catch(({ code, details }) =>
        refused.push(`${name} ${code} ${details.retryAfterSeconds}`),
      );
    },
    /** Ends the oldest task and lets the next task begin. */
    next: async () => {
      await setImmediate();
      running.shift()?.end();
      await setImmediate();
    },
  };
};

test('tasks begin in their order, as many at once as allowed', async () => {
  const queue = create({ concurrency: 2, maxQueue: 10 });
  for (const name of ['a', 'b', 'c', 'd']) queue.add(name);
  await setImmediate();
  expect(queue.begun).toEqual(['a', 'b']);
  await queue.next();
  await queue.next();
  expect(queue.begun).toEqual(['a', 'b', 'c', 'd']);
});

test('senders take turns: a sender’s flood waits behind its own tasks', async () => {
  const queue = create({ concurrency: 1, maxQueue: 100 });
  for (let count = 0; count < 50; count += 1) queue.add(`flood${count}`, 'flood');
  for (const name of ['one', 'two']) queue.add(name, name);
  queue.add('three', 'one');
  for (let count = 0; count < 6; count += 1) await queue.next();
  expect(queue.begun).toEqual(['flood0', 'flood1', 'one', 'two', 'flood2', 'three', 'flood3']);
});

test('a full queue refuses the sender with the most tasks, and makes room for other senders', async () => {
  const queue = create({ concurrency: 1, maxQueue: 4 });
  for (let count = 0; count < 6; count += 1) queue.add(`flood${count}`, 'flood');
  await setImmediate();
  expect(queue.refused).toEqual(['flood5 busy 2']);
  for (const name of ['one', 'two', 'three']) queue.add(name, name);
  await setImmediate();
  expect(queue.refused).toEqual(['flood5 busy 2', 'flood4 busy 2', 'flood3 busy 2', 'flood2 busy 2']);
  // Each sender has one task: the queue makes no more room.
  queue.add('four', 'four');
  await setImmediate();
  expect(queue.refused.at(-1)).toBe('four busy 2');
  for (let count = 0; count < 5; count += 1) await queue.next();
  expect(queue.begun).toEqual(['flood0', 'flood1', 'one', 'two', 'three']);
});

test('one sender has no more waiting tasks than its limit, however much room there is', async () => {
  const queue = create({ concurrency: 1, maxQueue: 10, maxLane: 2 });
  for (let count = 0; count < 5; count += 1) queue.add(`flood${count}`, 'flood');
  queue.add('one', 'one');
  await setImmediate();
  expect(queue.refused).toEqual(['flood3 busy 2', 'flood4 busy 2']);
  for (let count = 0; count < 4; count += 1) await queue.next();
  expect(queue.begun).toEqual(['flood0', 'flood1', 'one', 'flood2']);
});

test('a failing task gives its place to the next', async () => {
  const enqueue = createWorkQueue({ concurrency: 1, maxQueue: 2 });
  const failing = enqueue(() => Promise.reject(new Error('it failed')));
  const next = enqueue(async () => 'done');
  await expect(failing).rejects.toThrow('it failed');
  expect(await next).toBe('done');
});

test('the queue works again after it was empty, any number of times', async () => {
  const enqueue = createWorkQueue({ concurrency: 2, maxQueue: 0 });
  for (let round = 0; round < 5; round += 1) {
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => enqueue(async () => name, name)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  }
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('no task waits longer than allowed, and a task that began meanwhile continues', async () => {
  const queue = create({ concurrency: 1, maxQueue: 10, maxWaitMs: 5_000 });
  for (const name of ['a', 'b', 'c']) queue.add(name, name);
  vi.advanceTimersByTime(4_999);
  await queue.next();
  vi.advanceTimersByTime(1);
  await setImmediate();
  expect(queue.refused).toEqual(['c busy 2']);
  await queue.next();
  queue.add('d');
  await queue.next();
  expect(queue.begun).toEqual(['a', 'b', 'd']);
});
