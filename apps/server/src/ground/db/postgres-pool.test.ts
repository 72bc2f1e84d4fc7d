import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDatabaseHosts } from './database-hosts.ts';
import { runInLane } from './lane.ts';
import { isOutage } from './outage.ts';
import type { PostgresClient } from './postgres-client.ts';
import { createPostgresPool, type PoolOptions } from './postgres-pool.ts';

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
);
afterEach(() => vi.useRealTimers());

/** Fake connections, which answer when the test says so. */
const createPool = (options: Partial<PoolOptions> = {}) => {
  const made: (EventEmitter & {
    accept(): void;
    refuse(error: Error): void;
    closed(): void;
    heardAt: number;
    isSpent: boolean;
  })[] = [];
  let silent: (since: number) => void = () => undefined;
  const lost: Error[] = [];
  const pool = createPostgresPool({
    hosts: createDatabaseHosts('postgres://db.example/candela'),
    max: 3,
    reserved: 1,
    onError: (error) => lost.push(error),
    create: (onSilence) => {
      silent = onSilence;
      const connecting = Promise.withResolvers<void>();
      const client = Object.assign(new EventEmitter(), {
        heardAt: 0,
        isSpent: false,
        isClosing: false,
        connect: () => connecting.promise,
        getTransactionStatus: () => 'I',
        end: async () => undefined,
        abandon: () => {
          client.isSpent = true;
          client.isClosing = true;
        },
        accept: () => connecting.resolve(),
        refuse: (error: Error) => connecting.reject(error),
        closed: () => client.emit('end'),
      });
      made.push(client);
      return client as unknown as PostgresClient;
    },
    ...options,
  });
  const take = async () => {
    const asked = pool.connect();
    await setImmediate();
    for (const client of made) client.accept();
    return asked;
  };
  return { pool, made, lost, take, fallSilent: (since: number) => silent(since) };
};

const outcomeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    (error: unknown) => (isOutage(error) ? 'outage' : error),
  );

test('callers that find all connections taken get returned connections in their order', async () => {
  const { pool, take, made } = createPool();
  const [one, other] = [await take(), await take()];
  const order: string[] = [];
  void pool.connect().then(() => order.push('first'));
  void pool.connect().then(() => order.push('second'));
  await setImmediate();
  expect(order).toEqual([]);
  one.release();
  await setImmediate();
  expect(order).toEqual(['first']);
  other.release();
  await setImmediate();
  expect(order).toEqual(['first', 'second']);
  expect(made).toHaveLength(2);
});

test('token requests get the reserved connections when all others are taken, and may take the others too', async () => {
  const { pool, take } = createPool();
  const usual = [await take(), await take()];
  let isServed = false;
  void pool.connect().then(() => {
    isServed = true;
  });
  const token = await runInLane('reserved', take);
  await setImmediate();
  expect(isServed).toBe(false);
  token.release();
  await setImmediate();
  // The reserved connection stays idle.
  expect(isServed).toBe(false);
  usual[0]?.release();
  await setImmediate();
  expect(isServed).toBe(true);
  const idle = createPool();
  const tokens = await Promise.all([1, 2, 3].map(() => runInLane('reserved', idle.take)));
  expect(tokens).toHaveLength(3);
});

test('the open connections, closing ones included, never exceed the limit', async () => {
  const { pool, take, made } = createPool({ reserved: 0 });
  const taken = [await take(), await take(), await take()];
  taken[0]?.release(true);
  const next = outcomeOf(pool.connect());
  await setImmediate();
  expect(made).toHaveLength(3);
  made[0]?.closed();
  await setImmediate();
  expect(made).toHaveLength(4);
  made[3]?.accept();
  expect(await next).toBe('taken');
});

test('waiting has a time limit, and a full line of waiters refuses at once', async () => {
  const { pool, take } = createPool({ max: 1, reserved: 0, waitMs: 500, maxWaiting: 2 });
  await take();
  const waiting = [outcomeOf(pool.connect()), outcomeOf(pool.connect())];
  expect(await outcomeOf(pool.connect())).toBe('outage');
  await vi.advanceTimersByTimeAsync(500);
  expect(await Promise.all(waiting)).toEqual(['outage', 'outage']);
});

test('waiters of one lane fill no other lane', async () => {
  const { pool, take } = createPool({ max: 2, reserved: 1, maxWaiting: 2 });
  await take();
  const crowd = Array.from({ length: 3 }, () => outcomeOf(pool.connect()));
  expect(await crowd[2]).toBe('outage');
  expect(await outcomeOf(runInLane('reserved', take))).toBe('taken');
});

test('when the server refuses new connections, waiters get the existing ones', async () => {
  const { pool, take, made } = createPool({ reserved: 0 });
  const one = await take();
  const next = outcomeOf(pool.connect());
  await setImmediate();
  made[1]?.refuse(Object.assign(new Error('sorry, too many clients already'), { code: '53300' }));
  made[1]?.closed();
  await setImmediate();
  // The pool does not ask for another connection at once.
  const other = outcomeOf(pool.connect());
  await setImmediate();
  expect(made).toHaveLength(2);
  one.release();
  expect(await next).toBe('taken');
  one.release();
  void other;
});

test('a server that refuses every connection is reported at once', async () => {
  const { pool, made } = createPool();
  const refused = Object.assign(new Error('sorry, too many clients already'), { code: '53300' });
  const asked = pool.connect().catch((error: unknown) => error);
  await setImmediate();
  made[0]?.refuse(refused);
  expect(await asked).toBe(refused);
});

test('when one connection falls silent, connections not heard from since are not used', async () => {
  const { pool, take, made, fallSilent } = createPool();
  const [one, other] = [await take(), await take()];
  one.release();
  vi.advanceTimersByTime(1_000);
  other.heardAt = performance.now();
  other.release();
  fallSilent(500);
  const [first] = [await take()];
  expect(first).toBe(other);
  const second = outcomeOf(pool.connect());
  await setImmediate();
  expect(made[0]?.isSpent).toBe(true);
  made[0]?.closed();
  await setImmediate();
  made[2]?.accept();
  expect(await second).toBe('taken');
});

test('a connection lost while idle is reported, and is not handed out', async () => {
  const { take, made, lost } = createPool();
  const one = await take();
  one.release();
  const error = new Error('Connection terminated unexpectedly');
  made[0]?.emit('error', error);
  made[0]?.closed();
  expect(lost).toEqual([error]);
  expect(await take()).not.toBe(one);
});

test('the pool ends when all taken connections are returned', async () => {
  const { pool, take, made } = createPool();
  const one = await take();
  let isEnded = false;
  const ending = pool.end().then(() => {
    isEnded = true;
  });
  expect(await outcomeOf(pool.connect())).toBe('outage');
  await setImmediate();
  expect(isEnded).toBe(false);
  one.release();
  made[0]?.closed();
  await ending;
});
