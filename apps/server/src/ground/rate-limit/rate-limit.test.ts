import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { recordEvents } from '../../../testing/recorded-events.ts';
import { addressKey, neighbourhoodOf, networksOf } from './address-key.ts';
import { addressLimits } from './address-limits.ts';
import { createKeyOf } from './key-of.ts';
import { deleteRateLimitsOf } from './rate-limit.repository.ts';
import {
  countHits,
  giveHitBack,
  hitAllOrNone,
  hitRateLimit,
  hitRateLimits,
  requireRateLimits,
} from './rate-limit.service.ts';

test.each([
  ['192.0.2.1', ['192.0.2.1', '192.0.2.0/24']],
  ['::ffff:192.0.2.1', ['192.0.2.1', '192.0.2.0/24']],
  ['::FFFF:c000:201', ['192.0.2.1', '192.0.2.0/24']],
  ['64:ff9b::192.0.2.1', ['192.0.2.1', '192.0.2.0/24']],
  ['64:FF9B::c000:201', ['192.0.2.1', '192.0.2.0/24']],
  ['64:ff9b::1:c000:201', ['64:ff9b:0:0::/64', '64:ff9b:0:0::/56', '64:ff9b:0::/48']],
  ['64:ff9b:1::c000:201', ['64:ff9b:1:0::/64', '64:ff9b:1:0::/56', '64:ff9b:1::/48']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
  ['2001:0DB8:0001:abCD::1', ['2001:db8:1:abcd::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48']],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
  ['', ['unknown']],
  ['192.0.2.1, 198.51.100.1', ['unknown']],
  ['192.0.2.256', ['unknown']],
  ['not an address', ['unknown']],
])('the address %j is counted as %j', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
  expect([addressKey(address), neighbourhoodOf(address)]).toEqual([networks[0], networks.at(-1)]);
});

test.each([
  ['2001:db8:1:2::1', [30, 90, 300]],
  ['192.0.2.1', [30, 300]],
  ['nonsense', [30]],
])('the limits of the networks of %s grow more slowly than these do', (address, expected) => {
  const limits = addressLimits('tries', address, { limit: 30, windowSeconds: 60 });
  expect(limits.map(({ limit }) => limit)).toEqual(expected);
  expect(limits.map(({ key }) => key)).toEqual(networksOf(address).map((network) => `tries ${network}`));
});

test('the digest of an identifier needs the key, and is the same under the same key', () => {
  const keyOf = createKeyOf('one key');
  expect(keyOf('+8613800138000')).toMatch(/^[\w-]{43}$/);
  expect(keyOf('+8613800138000')).toBe(createKeyOf('one key')('+8613800138000'));
  expect(keyOf('+8613800138000')).not.toBe(createKeyOf('another key')('+8613800138000'));
});

describeOnDatabases('rate limits', (connection) => {
  test('a window opens with its first hit and accepts as many hits as its limit', async () => {
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
    const countedAt = async (seconds: number) =>
      (await countHits(db, ['a', 'b'], new Date(start + seconds * 1000))).get('a');
    expect([await countedAt(59), await countedAt(60)]).toEqual([3, undefined]);
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

  test('of limits that are shared all are counted or none, however many are refused at once', async () => {
    const { db } = connection;
    const now = new Date('2026-01-01T00:00:00Z');
    const limits = [
      { key: 'e.wide', limit: 100, windowSeconds: 60 },
      { key: 'e.narrow', limit: 7, windowSeconds: 60 },
      { key: 'e.first', limit: 100, windowSeconds: 60 },
    ];
    for (const passed of [7, 0, 0]) {
      const hits = await Promise.all(Array.from({ length: 50 }, () => hitAllOrNone(db, limits, now)));
      expect(hits.filter((refused) => !refused)).toHaveLength(passed);
    }
    const counted = await countHits(db, ['e.wide', 'e.first'], now);
    expect([...counted].sort()).toEqual([
      ['e.first', 7],
      ['e.wide', 7],
    ]);
  });

  test('limits count in their order up to the first spent limit; a limit that is only read counts nothing', async () => {
    const { db } = connection;
    const now = new Date('2026-01-01T00:00:00Z');
    const [wide, narrow, look] = ['c.wide', 'c.narrow', 'c.look'].map((key, index) => ({
      key,
      limit: [5, 1, 1][index] ?? 0,
      windowSeconds: [60, 30, 90][index] ?? 0,
    }));
    if (!wide || !narrow || !look) throw new Error('no limits');
    const hit = () => hitRateLimits(db, [wide, narrow], now, [look]);
    expect(await hit()).toBeUndefined();
    expect(await hit()).toEqual({ spent: narrow, retryAfterSeconds: 30 });
    await hitRateLimit(db, look, now);
    expect(await hit()).toEqual({ spent: look, retryAfterSeconds: 90 });
    const hits = await countHits(db, ['c.wide', 'c.narrow', 'c.look'], now);
    expect([...hits].sort()).toEqual([
      ['c.look', 1],
      ['c.narrow', 2],
      ['c.wide', 2],
    ]);
  });

  test('the limits of an account are those whose keys name it in a word of its own, however short its id is', async () => {
    const { db } = connection;
    await db.deleteFrom('rate_limit').execute();
    const own = [
      'avatar 1',
      'factor.totp.known.1-minutes 1 device',
      'desk.typed staff 1',
      'client_changes account:1',
      'code.row digest',
      'code.row.device digest device',
    ];
    const others = [
      '1 of-a-name',
      'avatar 11',
      'client_changes account:11',
      'client_changes machine:1',
      'code.row digest-of-another',
      'factor.totp.known.1-minutes 2 device',
      'password.address 192.0.2.1',
      'registration 2001:db8:0:1::/64',
    ];
    const now = new Date('2026-01-01T00:00:00Z');
    for (const key of [...own, ...others]) await hitRateLimit(db, { key, limit: 1, windowSeconds: 60 }, now);
    await deleteRateLimitsOf(db, '1', ['code.row digest', 'code.row.device digest']);
    expect([...(await countHits(db, [...own, ...others], now)).keys()].sort()).toEqual(others.toSorted());
  });

  test('a spent limit logs an event with its name, and not with the counted person', async () => {
    const events = recordEvents();
    const limits = [{ key: 'd someone', limit: 0, windowSeconds: 60 }];
    const now = new Date('2026-01-01T00:00:00Z');
    const refused = requireRateLimits(connection.db, limits, now, events);
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 60 } });
    expect(events.all).toEqual([{ event: 'rate_limit.exceeded', limit: 'd' }]);
  });
});
