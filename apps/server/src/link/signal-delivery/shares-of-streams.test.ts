import { type Kysely, sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { insertStream, usualLease } from '../../../testing/signal-streams.ts';
import type { Database } from '../../ground/db/database.ts';
import { PUSH } from '../stream/stream.ts';
import { type SignalLease, updateDueSignals } from './signal.repository.ts';

const STREAMS = 20;

describeOnDatabases('a stream with one signal, beside others with many older ones', (connection) => {
  let db: Kysely<Database>;
  beforeAll(() => {
    db = connection.db;
  });
  beforeEach(async () => {
    await db.deleteFrom('signal_stream').execute();
    await db.deleteFrom('client').execute();
    const ids = ['one', ...Array.from({ length: STREAMS }, (_, index) => `other ${index}`)];
    await db
      .insertInto('client')
      .values(ids.map((id) => ({ id, metadata: '{}' })))
      .execute();
    for (const id of ids)
      await insertStream(db, { id, brand: 'aurelia', client_id: id, delivery_method: PUSH });
    await db
      .insertInto('signal')
      .columns(['stream_id', 'account_id', 'event', 'due_at'])
      .expression(
        sql`select id, 'account ' || n, 'session-revoked', now() - interval '1 hour'
          from signal_stream cross join generate_series(1, 40) as n where id <> 'one'`,
      )
      .execute();
    await db
      .insertInto('signal')
      .values({ stream_id: 'one', account_id: 'ada', event: 'session-revoked' })
      .execute();
  });

  const fail = (...ids: string[]) =>
    db.updateTable('signal_stream').set({ failing_since: sql<Date>`now()` }).where('id', 'in', ids).execute();
  /** How many are leased of which stream. */
  const lease = async (options: Partial<SignalLease> = {}) => {
    const leased = await updateDueSignals(db, { ...usualLease, ...options });
    return new Map(
      [...Map.groupBy(leased, ({ stream_id }) => stream_id)].map(([id, all]) => [id, all.length]),
    );
  };
  const others = Array.from({ length: STREAMS }, (_, index) => `other ${index}`);

  test('has its turn before any of them has a second one', async () => {
    const leased = await lease();
    expect(leased.size).toBe(STREAMS + 1);
    expect(leased.get('one')).toBe(1);
    expect(Math.max(...leased.values())).toBe(2);
  });

  test('has its turn before those that have one under way', async () => {
    const underWay = others.map((stream_id) => ({ stream_id, count: 1 }));
    expect([...(await lease({ limit: 1, underWay })).keys()]).toEqual(['one']);
  });

  test('finds room, however many of them fail: those have a share of all, and one at a time each', async () => {
    await fail(...others);
    const leased = await lease();
    expect(leased.get('one')).toBe(1);
    expect([...leased.values()]).toEqual(Array(9).fill(1));
  });

  test('leaves them their share: what is under way counts, and one that fails is not forgotten', async () => {
    const [failing = '', busy = '', ...rest] = others;
    await fail(failing);
    const underWay = [busy, ...rest].map((stream_id) => ({ stream_id, count: 3 }));
    const leased = await lease({ limit: 64, underWay });
    expect(leased.get(failing)).toBe(1);
    expect(leased.get(busy)).toBe(1);
    expect((await lease({ underWay: [{ stream_id: failing, count: 1 }] })).has(failing)).toBe(false);
  });
});
