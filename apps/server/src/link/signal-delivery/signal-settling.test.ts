import { type Kysely, sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { insertStream } from '../../../testing/signal-streams.ts';
import type { Database } from '../../ground/db/database.ts';
import type { EventFields } from '../../ground/event/events.ts';
import { updateDueSignals } from './signal.repository.ts';
import { createSettling } from './signal-settling.ts';

const PUSH = 'urn:ietf:rfc:8935';

describeOnDatabases('the notice of a stream whose receiver is gone', (connection) => {
  let db: Kysely<Database>;
  const emitted: EventFields[] = [];
  beforeAll(async () => {
    db = connection.db;
    await db.insertInto('client').values({ id: 'hub', metadata: '{}' }).execute();
  });
  beforeEach(async () => {
    emitted.length = 0;
    await db.deleteFrom('signal_stream').execute();
  });

  /** Lets tries fail, one after the other, and answers how many there were; ten at most. */
  const failUntilNoneIsDue = async (): Promise<number> => {
    const events = { emit: (_name: string, fields: EventFields = {}) => void emitted.push(fields) };
    const settle = createSettling({ db, events, pausesSeconds: [5, 30], failingDays: 7 });
    for (let tries = 0; tries < 10; tries += 1) {
      await db.updateTable('signal').set({ due_at: sql<Date>`now()` }).execute();
      const [leased] = await updateDueSignals(db, {
        limit: 1,
        failingLimit: 1,
        perStream: 1,
        perFailing: 1,
        underWay: [],
        methods: [PUSH],
        except: [],
        leaseSeconds: 15,
      });
      if (!leased) return tries;
      await settle(leased, { outcome: 'timed_out', detail: 'nothing', ms: 5_000 });
    }
    return 10;
  };
  const insert = async (status: 'enabled' | 'paused') => {
    await insertStream(db, {
      id: 'hub',
      brand: 'aurelia',
      client_id: 'hub',
      delivery_method: PUSH,
      status,
    });
    await db.insertInto('signal').values({ stream_id: 'hub', event: 'stream-updated' }).execute();
  };
  const find = () => db.selectFrom('signal').select(['outcome', 'attempts', 'settled_at']).executeTakeFirst();

  test('that is paused is given up after four tries', async () => {
    await insert('paused');
    expect(await failUntilNoneIsDue()).toBe(4);
    expect(await find()).toEqual({ outcome: 'timed_out', attempts: 4, settled_at: expect.any(Date) });
    expect(emitted.map(({ final }) => final)).toEqual([false, false, false, true]);
  });

  test('that is enabled is tried as any other signal', async () => {
    await insert('enabled');
    expect(await failUntilNoneIsDue()).toBe(10);
    expect(await find()).toMatchObject({ attempts: 10, settled_at: null });
  });
});
