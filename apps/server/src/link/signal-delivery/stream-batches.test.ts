import { type Kysely, sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { insertStream, usualLease } from '../../../testing/signal-streams.ts';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';
import { createStreamService, type StreamService } from '../stream/stream.service.ts';
import type { StreamStatus } from '../stream/stream.ts';
import { PUSH } from '../stream/stream.ts';
import { createStreamBatches, type StreamBatches } from '../stream/stream-batches.ts';
import { createDeliveredSignals } from './delivered-signals.ts';
import { noteFailing, noteTaken } from './settled-signal.repository.ts';
import { listPolledSignals, updateDueSignals } from './signal.repository.ts';

/** More than two batches. */
const MANY = 2_500;

describeOnDatabases('a stream in which much waits', (connection) => {
  let db: Kysely<Database>;
  let streams: StreamService;
  let batches: StreamBatches;
  beforeAll(() => {
    db = connection.db;
    streams = createStreamService({
      db,
      secretKeys: ['of-the-tests-and-long-enough-to-be-one'],
      outboundRules: { privateHosts: [], plainAtPrivateHosts: false },
      events: { emit: () => undefined },
      now: () => new Date(),
    });
    batches = createStreamBatches({ db, wake: () => undefined });
  });
  beforeEach(async () => {
    await db.deleteFrom('signal_stream').execute();
    await db.deleteFrom('client').execute();
    await db.insertInto('client').values({ id: 'hub', metadata: '{}' }).execute();
    await insertStream(db, { id: 'hub', brand: 'aurelia', client_id: 'hub', delivery_method: PUSH });
  });

  const addMany = async (inSeconds: number): Promise<void> => {
    await db
      .insertInto('signal')
      .columns(['stream_id', 'account_id', 'event', 'attempts', 'due_at'])
      .expression(
        sql`select 'hub', 'account ' || n, 'session-revoked', 9, ${secondsFromNow(inSeconds)}
          from generate_series(1, ${sql.lit(MANY)}) as n`,
      )
      .execute();
  };
  const setStatus = (status: StreamStatus) => streams.setStatus('hub', { status, by: 'receiver' });
  const tally = async () => {
    const rows = await db
      .selectFrom('signal')
      .select(['outcome', sql<boolean>`due_at <= now()`.as('isDue')])
      .execute();
    const kinds = rows.map(({ outcome, isDue }) => outcome ?? (isDue ? 'due' : 'later'));
    const count = (kind: string) => kinds.filter((each) => each === kind).length;
    return { due: count('due'), later: count('later'), dropped: count('dropped') };
  };
  const marks = () =>
    db.selectFrom('signal_stream').select(['hurried_at', 'dropped_at']).executeTakeFirstOrThrow();
  const lease = async () => (await updateDueSignals(db, usualLease)).map(({ account_id }) => account_id);

  test('SG4: is resumed by short statements: a batch at once, and the rest in the background', async () => {
    await setStatus('paused');
    await addMany(3_000);
    await setStatus('enabled');
    expect(await tally()).toEqual({ due: 1_000, later: 1_500, dropped: 0 });
    await batches.carryOut();
    expect(await tally()).toEqual({ due: MANY, later: 0, dropped: 0 });
    expect(await marks()).toEqual({ hurried_at: null, dropped_at: null });
  });

  test('keeps what is under way to its lease', async () => {
    await addMany(14);
    await setStatus('enabled');
    await batches.carryOut();
    expect(await tally()).toEqual({ due: 0, later: MANY, dropped: 0 });
  });

  test('hurries from its first success until it fails again', async () => {
    await addMany(3_000);
    await noteFailing(db, 'hub');
    await noteTaken(db, 'hub', { verified: false, wasFailing: true });
    await noteFailing(db, 'hub');
    await batches.carryOut();
    expect(await tally()).toEqual({ due: 0, later: MANY, dropped: 0 });
    await noteTaken(db, 'hub', { verified: false, wasFailing: true });
    await batches.carryOut();
    expect(await tally()).toEqual({ due: MANY, later: 0, dropped: 0 });
  });

  test('SG4: is disabled by short statements, and keeps nothing though it is enabled at once', async () => {
    await addMany(0);
    await setStatus('disabled');
    expect(await tally()).toEqual({ due: 1_500, later: 0, dropped: 1_000 });
    await setStatus('enabled');
    await db.insertInto('signal').values({ stream_id: 'hub', account_id: 'new', event: 'x' }).execute();
    expect(await lease()).toEqual([]);
    expect(await listPolledSignals(db, 'hub', 100)).toEqual([]);
    await batches.carryOut();
    expect(await tally()).toEqual({ due: 1, later: 0, dropped: MANY });
    expect(await lease()).toEqual(['new']);
    expect(await marks()).toEqual({ hurried_at: null, dropped_at: null });
  });

  test('sends again what is asked for while it is emptied', async () => {
    await addMany(0);
    await setStatus('disabled');
    await setStatus('enabled');
    const delivered = createDeliveredSignals({ db });
    const dropped = db.selectFrom('signal').select('jti').where('outcome', '=', 'dropped');
    const { jti } = await dropped.orderBy('id').limit(1).executeTakeFirstOrThrow();
    await delivered.replayOne('hub', jti);
    await batches.carryOut();
    expect(await tally()).toEqual({ due: 1, later: 0, dropped: MANY - 1 });
    expect(await lease()).toEqual(['account 1']);
    expect(await delivered.replaySince('hub', new Date(0))).toBe(MANY - 1);
  });
});
