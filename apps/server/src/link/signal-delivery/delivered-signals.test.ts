import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { insertStream } from '../../../testing/signal-streams.ts';
import { updateSignalsAgain } from './delivered-signals.repository.ts';
import { createDeliveredSignals } from './delivered-signals.ts';

/** More than two batches. */
const MANY = 2_500;

describeOnDatabases('what a stream had', (connection) => {
  test('is sent again since a time, in batches and in its order', async () => {
    const { db } = connection;
    await db.insertInto('client').values({ id: 'hub', metadata: '{}' }).execute();
    await insertStream(db, { id: 'hub', brand: 'aurelia', client_id: 'hub' });
    await db
      .insertInto('signal')
      .columns(['stream_id', 'account_id', 'event', 'outcome', 'settled_at', 'created_at'])
      .expression(
        sql`select 'hub', 'ada', 'session-revoked', 'told', now(), now() - make_interval(hours => n % 2)
          from generate_series(1, ${sql.lit(2 * MANY)}) as n`,
      )
      .execute();
    const since = new Date(Date.now() - 1_800_000);
    const first = await updateSignalsAgain(db, 'hub', { since, after: '0' }, sql`true`);
    expect(first.count).toBe(1_000);
    const again = db.selectFrom('signal').where('settled_at', 'is', null);
    const { last } = await again.select(({ fn }) => fn.max('id').as('last')).executeTakeFirstOrThrow();
    expect(first.after).toBe(String(last));
    expect(await createDeliveredSignals({ db }).replaySince('hub', since)).toBe(MANY - 1_000);
    expect(await again.select('id').execute()).toHaveLength(MANY);
  });
});
