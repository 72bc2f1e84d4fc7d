import { CompiledQuery, type Kysely, type RawBuilder, type RootOperationNode, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { insertStream, usualLease } from '../../../testing/signal-streams.ts';
import type { Database } from '../../ground/db/database.ts';
import { secondsFromNow } from '../../ground/db/sql-time.ts';
import { PUSH } from '../stream/stream.ts';
import { listPolledSignals, updateDueSignals } from './signal.repository.ts';

const MANY = 3_000;

interface Plan {
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const rowsReadOf = (plan: Plan): number => {
  const { 'Actual Rows': kept = 0, 'Actual Loops': loops = 0, 'Rows Removed by Filter': removed = 0 } = plan;
  const own = plan['Relation Name'] === 'signal' ? (kept + removed) * loops : 0;
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsReadOf(child), own);
};

/** How many rows of `signal` the statements read that `run` sends. */
const rowsRead = async (db: Kysely<Database>, run: (db: Kysely<Database>) => Promise<unknown>) => {
  const nodes: RootOperationNode[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await run(watched);
  let read = 0;
  for (const node of nodes) {
    const { sql: text, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' } as never);
    const explained = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters]);
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained);
    for (const row of rows) read += rowsReadOf(row['QUERY PLAN'][0].Plan);
  }
  return read;
};

describeOnDatabases('what waits in a stream', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
    await db
      .insertInto('client')
      .values(['idle', 'busy'].map((id) => ({ id, metadata: '{}' })))
      .execute();
    const of = (id: string) => ({ id, brand: 'aurelia', client_id: id, delivery_method: PUSH }) as const;
    await insertStream(db, { ...of('idle'), status: 'paused' });
    await insertStream(db, of('busy'));
    await db
      .insertInto('signal')
      .columns(['stream_id', 'account_id', 'event', 'due_at'])
      .expression(
        sql`select 'idle', 'account ' || n, 'session-revoked', now() - make_interval(secs => n)
          from generate_series(1, ${sql.lit(MANY)}) as n`,
      )
      .execute();
    await db
      .insertInto('signal')
      .values([
        { stream_id: 'idle', event: 'stream-updated' },
        { stream_id: 'busy', account_id: 'ada', event: 'session-revoked' },
      ])
      .execute();
    await sql`analyze signal`.execute(db);
  });

  const look = () => rowsRead(db, (watched) => updateDueSignals(watched, { ...usualLease, leaseSeconds: 0 }));

  test('that is paused is read by no look for what is due', async () => {
    expect(await look()).toBeLessThan(50);
  });

  test('that is paused is read by no poll, which gets the notice of the pause', async () => {
    let polled: string[] = [];
    const read = await rowsRead(db, async (watched) => {
      polled = (await listPolledSignals(watched, 'idle', 100)).map(({ event }) => event);
    });
    expect(polled).toEqual(['stream-updated']);
    expect(read).toBeLessThan(50);
  });

  test('that came due since the planner counted is read as far as it is leased', async () => {
    const setDue = (due_at: RawBuilder<Date>) =>
      db.updateTable('signal').set({ due_at }).where('account_id', 'is not', null).execute();
    await db.updateTable('signal_stream').set({ status: 'enabled' }).execute();
    await setDue(secondsFromNow(3_600));
    await sql`analyze signal`.execute(db);
    await setDue(sql<Date>`now()`);
    expect(await look()).toBeLessThan(50);
  });
});
