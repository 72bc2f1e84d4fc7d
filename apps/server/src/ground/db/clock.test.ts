import { afterEach, expect, test, vi } from 'vitest';
import { describeOnPostgres } from '../../../testing/describe-on-databases.ts';
import { createSweepTurn, sweep } from '../../operation/sweep.ts';
import { aheadSeconds, databaseNow, isClockRight, startClock, toDatabaseSeconds } from './clock.ts';

const YEAR_MS = 365 * 86_400_000;

test('a process that measures no database has its own clock', () => {
  expect(Math.abs(databaseNow().getTime() - Date.now())).toBeLessThan(100);
  expect(aheadSeconds()).toBe(0);
  expect(isClockRight()).toBe(true);
});

describeOnPostgres('the clock of the database', (connection) => {
  afterEach(() => vi.useRealTimers());

  const trueMs = () => performance.timeOrigin + performance.now();
  const turn = (byMs: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: trueMs() + byMs });
    // The fake clock stands still.
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

  test('setting the wall clock while the process runs has no effect, not even for a moment', async () => {
    const clock = await startClock(connection.db, { error: () => undefined, warn: () => undefined } as never);
    const before = databaseNow().getTime();
    turn(YEAR_MS);
    expect(databaseNow().getTime() - before).toBeLessThan(1_000);
    expect(aheadSeconds()).toBe(YEAR_MS / 1000);
    await clock.stop();
  });

  test('clocks that differ by less than the usual error count as equal', async () => {
    turn(100);
    const clock = await startClock(connection.db, { error: () => undefined, warn: () => undefined } as never);
    expect(aheadSeconds()).toBe(0);
    expect(isClockRight()).toBe(true);
    await clock.stop();
  });

  test('while the clocks differ nothing is swept: that of the database may be the wrong one', async () => {
    const { db } = connection;
    const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined } as never;
    const expires_at = new Date(Date.now() - 60_000);
    await db.insertInto('rate_limit').values({ key: 'over', hits: 1, expires_at }).execute();
    const left = () => db.selectFrom('rate_limit').select('key').execute();
    const clock = await startClock(db, logger);
    turn(-YEAR_MS);
    const sweepTurn = createSweepTurn(db, logger);
    await sweepTurn(new AbortController().signal);
    expect(await left()).toEqual([{ key: 'over' }]);
    expect(sweepTurn.counts()).toEqual({ sweeps: 0, rows: 0 });
    vi.useRealTimers();
    vi.restoreAllMocks();
    await sweepTurn(new AbortController().signal);
    expect(await left()).toEqual([]);
    await clock.stop();
  });

  test('a process whose clock is ten years ahead sweeps no live row', async () => {
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
