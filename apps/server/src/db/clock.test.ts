import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestDatabases } from '../../testing/databases.ts';
import { sweep } from '../sweep.ts';
import { aheadSeconds, databaseNow, isClockRight, startClock, toDatabaseSeconds } from './clock.ts';
import type { Connection } from './connect.ts';

const YEAR_MS = 365 * 86_400_000;

/** The clock of the embedded database is that of the process. */
const servers = openTestDatabases().filter(({ name }) => name === 'postgres');

test('a process that measures no database has its own clock', () => {
  expect(Math.abs(databaseNow().getTime() - Date.now())).toBeLessThan(100);
  expect(aheadSeconds()).toBe(0);
  expect(isClockRight()).toBe(true);
});

describe.each(servers)('on $name', ({ open }) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await open();
  }, 60_000);
  afterAll(() => connection.close());
  afterEach(() => vi.useRealTimers());

  const trueMs = () => performance.timeOrigin + performance.now();
  const turn = (byMs: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: trueMs() + byMs });
    // The fake one stands still.
    vi.spyOn(Date, 'now').mockImplementation(() => Math.round(trueMs() + byMs));
  };
  afterEach(() => vi.restoreAllMocks());

  test.each([
    ['a minute ahead', 60],
    ['a minute behind', -60],
    ['ten years ahead', (10 * YEAR_MS) / 1000],
  ])('a process whose clock is %s has the time of the database, and is not ready', async (_name, seconds) => {
    turn(seconds * 1000);
    const errors: unknown[] = [];
    const logger = { error: (fields: unknown) => errors.push(fields), warn: () => undefined };
    const clock = await startClock(connection.db, logger as never);
    expect(Math.abs(databaseNow().getTime() - trueMs())).toBeLessThan(2_000);
    expect(aheadSeconds()).toBe(seconds);
    expect(toDatabaseSeconds(1_000 + seconds)).toBe(1_000);
    expect(isClockRight()).toBe(false);
    expect(errors).toEqual([{ aheadSeconds: seconds }]);
    await clock.stop();
  });

  test('a clock that is set while the process runs changes nothing for a moment even', async () => {
    const clock = await startClock(connection.db, { error: () => undefined, warn: () => undefined } as never);
    const before = databaseNow().getTime();
    turn(YEAR_MS);
    expect(databaseNow().getTime() - before).toBeLessThan(1_000);
    expect(aheadSeconds()).toBe(YEAR_MS / 1000);
    await clock.stop();
  });

  test('clocks that differ by less than a machine usually does are taken for equal', async () => {
    turn(100);
    const clock = await startClock(connection.db, { error: () => undefined, warn: () => undefined } as never);
    expect(aheadSeconds()).toBe(0);
    expect(isClockRight()).toBe(true);
    await clock.stop();
  });

  test('a process whose clock is ten years ahead sweeps nothing that lives', async () => {
    const at = new Date();
    const later = new Date(at.getTime() + 3_600_000);
    const place = { brand: 'aurelia', user_agent: '', address: '', locale: 'en', expires_at: later };
    const { db } = connection;
    await db
      .insertInto('session')
      .values({ ...place, uid: 'alive', id_hash: 'alive', payload: '{}' } as never)
      .execute();
    turn(10 * YEAR_MS);
    expect(await sweep(db)).toBe(0);
    expect(await db.selectFrom('session').select('uid').execute()).toEqual([{ uid: 'alive' }]);
  });
});
