import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../db/connect.ts';
import { openTestDatabases } from '../db/testing.ts';
import { addressKey } from './address-key.ts';
import { giveHitBack, hitRateLimit, isCounted } from './rate-limit.service.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['', 'unknown'],
  ['192.0.2.1, 198.51.100.1', 'unknown'],
  ['192.0.2.256', 'unknown'],
  ['not an address', 'unknown'],
])('the address %j is counted as %s', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

describe.each(openTestDatabases())('on $name', ({ open }) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await open();
  }, 60_000);
  afterAll(() => connection.close());

  test('a window opens with its first hit and takes its number of hits', async () => {
    const { db } = connection;
    const limit = { key: 'a', limit: 2, windowSeconds: 60 };
    const start = Date.parse('2026-01-01T00:00:00Z');
    const hit = (seconds: number) => hitRateLimit(db, limit, new Date(start + seconds * 1000));
    expect([await hit(0), await hit(10), await hit(20), await hit(59.5)]).toEqual([
      undefined,
      undefined,
      40,
      1,
    ]);
    expect(await isCounted(db, 'a', new Date(start + 59_000))).toBe(true);
    expect(await isCounted(db, 'a', new Date(start + 60_000))).toBe(false);
    expect([await hit(60), await hit(61), await hit(62)]).toEqual([undefined, undefined, 58]);
    await giveHitBack(db, 'a');
    expect(await hit(63)).toBe(57);
  });

  test('of parallel hits no more than the limit pass', async () => {
    const limit = { key: 'b', limit: 7, windowSeconds: 60 };
    const now = new Date('2026-01-01T00:00:00Z');
    const hits = await Promise.all(Array.from({ length: 50 }, () => hitRateLimit(connection.db, limit, now)));
    expect(hits.filter((retryAfterSeconds) => retryAfterSeconds === undefined)).toHaveLength(7);
  });
});
