import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createChangeAwareCache } from './change-aware-cache.ts';

let live = true;
let tell: (key: string | undefined) => void;
const load = vi.fn<(key: string) => Promise<object>>();

beforeEach(() => {
  vi.useFakeTimers();
  live = true;
  load.mockReset().mockImplementation(async (key) => ({ key }));
});
afterEach(() => vi.useRealTimers());

const createCache = (keyOf?: (changed: string) => string) => {
  const on = (_table: string, listener: (key: string | undefined) => void) => {
    tell = listener;
  };
  return createChangeAwareCache({
    table: 'client',
    changes: { on, isLive: () => live },
    load,
    ...(keyOf && { keyOf }),
  });
};

test('while the change feed is live, a row is read once until the feed reports a change of it', async () => {
  const cache = createCache();
  const [one, other] = await Promise.all([cache.get('a'), cache.get('a')]);
  expect(one).toBe(other);
  const untouched = await cache.get('b');
  vi.advanceTimersByTime(3_600_000);
  expect(await cache.get('a')).toBe(one);
  tell('a');
  expect(await cache.get('a')).not.toBe(one);
  expect(await cache.get('b')).toBe(untouched);
  tell(undefined);
  expect(await cache.get('b')).not.toBe(untouched);
});

test('while the feed is not live, a row is read again after 0.8 s', async () => {
  const cache = createCache();
  const known = await cache.get('a');
  live = false;
  vi.advanceTimersByTime(799);
  expect(await cache.get('a')).toBe(known);
  vi.advanceTimersByTime(1);
  expect(await cache.get('a')).not.toBe(known);
});

test('rows kept under one key are forgotten together', async () => {
  const cache = createCache(() => 'all');
  const known = await cache.get('all');
  tell('a');
  expect(await cache.get('all')).not.toBe(known);
});

test('a failed reading is not kept, and does not remove a newer reading', async () => {
  const cache = createCache();
  const slow = Promise.withResolvers<object>();
  load.mockReturnValueOnce(slow.promise);
  const failing = cache.get('a');
  cache.forget('a');
  const newer = await cache.get('a');
  slow.reject(new Error('connection lost'));
  await expect(failing).rejects.toThrow('connection lost');
  expect(await cache.get('a')).toBe(newer);

  cache.forget('a');
  load.mockRejectedValueOnce(new Error('connection lost'));
  await expect(cache.get('a')).rejects.toThrow('connection lost');
  expect(await cache.get('a')).toEqual({ key: 'a' });
});
