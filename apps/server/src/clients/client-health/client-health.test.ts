import type { ClientErrorKind } from '@candela/contract';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import { sweep } from '../../operation/sweep.ts';
import { createClientHealthService } from './client-health.service.ts';
import { createClientRecords } from './client-records.ts';

const refusal = (reference: string, at = databaseNow()) => ({
  reference,
  at,
  endpoint: '/oauth/token',
  error: 'invalid_grant',
  reason: 'why',
  sent: { grant_type: 'authorization_code' },
  expected: { grant_type: ['refresh_token'] },
});

describeOnDatabases('the health of clients', (connection) => {
  const start = () => ({
    records: createClientRecords(connection),
    health: createClientHealthService({
      db: connection.db,
      countLinks: async () => ({ made: 0, quiet: 0, ended: {} }),
    }),
  });

  beforeEach(async () => {
    await sql`delete from client`.execute(connection.db);
    await sql`insert into client (id, metadata, updated_at) values ('app', '{}', now()), ('other', '{}', now())`.execute(
      connection.db,
    );
  });

  /** Writes refused requests as several processes would: each keeps no more than its share. */
  const refuse = async (kinds: readonly ClientErrorKind[], times: number) => {
    for (let made = 0; made < times; made += 10) {
      const { records } = start();
      for (const kind of kinds)
        for (let index = made; index < made + 10; index += 1)
          records.refuse('app', kind, () =>
            refusal(`${kind}-${index}`, new Date(1_800_000_000_000 + index * 1_000)),
          );
      await records.flush();
    }
  };

  test('has the counts of days, the last token, the last error and the errors of today', async () => {
    const { records, health } = start();
    expect(await health.healthOf({ client_id: 'app', links: 3 })).toMatchObject({ errorsToday: 0, links: 3 });
    for (let index = 0; index < 5; index += 1) records.count('app', 'token');
    records.count('app', 'refresh');
    records.refuse('app', 'clock', () => refusal('a'));
    records.count('nobody', 'token');
    await records.flush();
    records.count('app', 'token');
    records.refuse('app', 'clock', () => refusal('b'));
    records.refuse('app', 'other', () => refusal('c'));
    records.refuse('app', 'interaction_required', () => refusal('d'));
    await records.flush();
    await sql`
      insert into client_day (client_id, day, kind, count, last_at) values
        ('app', current_date - 40, 'token', 9, now() - interval '40 days'),
        ('other', current_date - 3, 'refresh', 2, now() - interval '3 days')`.execute(connection.db);
    const seen = await health.healthOf({ client_id: 'app', links: 0 });
    expect(seen.days).toHaveLength(30);
    expect(seen.days.at(-1)).toEqual({
      day: new Date().toISOString().slice(0, 10),
      tokens: 6,
      refreshes: 1,
      errors: { clock: 2, interaction_required: 1, other: 1 },
    });
    expect(seen.days.slice(0, -1).every(({ tokens, refreshes }) => tokens + refreshes === 0)).toBe(true);
    expect(seen).toMatchObject({
      errorsToday: 3,
      lastTokenAt: expect.any(String),
      lastErrorAt: expect.any(String),
    });
    const alerts = await health.alertsOf(['other', 'app', 'nobody']);
    expect(alerts.get('other')).toEqual({ errorsToday: 0, lastTokenAt: expect.any(String) });
    expect(alerts.get('app')).toMatchObject({ errorsToday: 3 });
    expect(alerts.get('nobody')).toEqual({ errorsToday: 0 });
  });

  test('names the first end of a secret that works, and the last end where none does', async () => {
    const { health } = start();
    const endOf = async () => (await health.alertsOf(['app'])).get('app')?.secretEndsAt;
    const add = (name: string, end: string) =>
      sql`insert into client_secret (client_id, name, hash, expires_at) values ('app', ${name}, '', cast(${end} as timestamptz))`.execute(
        connection.db,
      );
    await add('former', '2020-01-01T00:00:00Z');
    await add('last', '2021-01-01T00:00:00Z');
    expect(await endOf()).toBe('2021-01-01T00:00:00.000Z');
    await add('later', '2300-01-01T00:00:00Z');
    await add('first', '2200-01-01T00:00:00Z');
    expect(await endOf()).toBe('2200-01-01T00:00:00.000Z');
    await sql`delete from client_secret where expires_at > now()`.execute(connection.db);
    await sql`insert into client_secret (client_id, name, hash) values ('app', 'endless', '')`.execute(
      connection.db,
    );
    expect(await endOf()).toBeUndefined();
  });

  test('lists refused requests, the newest first, by page, kind and reference, with how many of each kind', async () => {
    await refuse(['clock', 'other'], 30);
    const { health } = start();
    const first = await health.listErrors('app');
    expect(first.items.map(({ reference }) => reference).slice(0, 3)).toEqual([
      'clock-29',
      'other-29',
      'clock-28',
    ]);
    const pages = [first];
    for (let page = first; page.next !== undefined; pages.push(page))
      page = await health.listErrors('app', { after: page.next });
    expect(new Set(pages.flatMap(({ items }) => items.map(({ reference }) => reference))).size).toBe(60);
    expect(first.kinds).toEqual([
      { kind: 'clock', count: 30, lastAt: expect.any(String) },
      { kind: 'other', count: 30, lastAt: expect.any(String) },
    ]);
    expect(
      (await health.listErrors('app', { kind: 'clock' })).items.every(({ kind }) => kind === 'clock'),
    ).toBe(true);
    expect((await health.listErrors('app', { reference: 'other-7' })).items).toEqual([
      { ...refusal('other-7'), at: expect.any(String), kind: 'other' },
    ]);
    expect((await health.listErrors('other', { reference: 'other-7' })).items).toEqual([]);
    await expect(health.listErrors('app', { after: 'x' })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('finds an error by its reference alone, among the clients that a machine made', async () => {
    const { records, health } = start();
    await sql`update client set made_by = 'robot' where id = 'app'`.execute(connection.db);
    records.refuse('app', 'clock', () => refusal('a'));
    records.refuse('other', 'clock', () => refusal('b'));
    await records.flush();
    const ofRobot = (reference: string) => health.findError({ machineId: 'robot' }, reference);
    expect(await ofRobot('a')).toMatchObject({ client_id: 'app', reference: 'a', kind: 'clock' });
    await expect(ofRobot('b')).rejects.toThrow('not_found');
    await expect(health.findError({ machineId: 'other' }, 'a')).rejects.toThrow('not_found');
  });

  test('keeps a bounded number of a client and of a kind, the newest, and counts all', async () => {
    const kinds = ['clock', 'other', 'dpop', 'code_used', 'wrong_secret', 'access_denied'] as const;
    await refuse(kinds, 60);
    const { health } = start();
    const { kinds: kept } = await health.listErrors('app');
    expect(kept.reduce((sum, { count }) => sum + count, 0)).toBe(200);
    expect(kept.every(({ count }) => count <= 50)).toBe(true);
    expect((await health.listErrors('app', { reference: 'dpop-59' })).items).toHaveLength(1);
    expect((await health.listErrors('app', { reference: 'dpop-9' })).items).toEqual([]);
    expect((await health.alertsOf(['app'])).get('app')?.errorsToday).toBe(300);
  });

  test('of a flood keeps ten of a kind and minute, and counts the rest', async () => {
    const { records, health } = start();
    for (let index = 0; index < 5_000; index += 1)
      records.refuse('app', 'redirect_uri_mismatch', () => refusal(`flood-${index}`));
    records.refuse('app', 'wrong_secret', () => refusal('quiet'));
    await records.flush();
    expect((await health.listErrors('app')).kinds.map(({ count }) => count)).toEqual([10, 1]);
    expect((await health.alertsOf(['app'])).get('app')?.errorsToday).toBe(5_001);
  });

  test('of a flood of all kinds keeps a share, which leaves room for other clients', async () => {
    const { records, health } = start();
    const kinds = ['clock', 'code_used', 'code_expired', 'dpop', 'other'] as const;
    for (const kind of kinds)
      for (let index = 0; index < 10; index += 1)
        records.refuse('app', kind, () => refusal(`${kind}-${index}`));
    records.refuse('other', 'clock', () => refusal('quiet'));
    await records.flush();
    const counts = (await health.listErrors('app')).kinds.map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
    expect((await health.listErrors('other')).items).toMatchObject([{ reference: 'quiet' }]);
  });

  test('ends with its client, whatever is still to be written', async () => {
    const { records, health } = start();
    records.count('app', 'token');
    records.refuse('app', 'other', () => refusal('early'));
    await records.flush();
    records.count('app', 'token');
    records.refuse('app', 'other', () => refusal('late'));
    await sql`delete from client where id = 'app'`.execute(connection.db);
    await records.flush();
    expect((await health.listErrors('app')).items).toEqual([]);
    expect(await sql`select from client_day`.execute(connection.db)).toMatchObject({ rows: [] });
  });

  test('is written or gone, and never refused, while its client is deleted at the same moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { records } = start();
      for (const id of ['app', 'other']) {
        records.count(id, 'token');
        records.refuse(id, 'other', () => refusal(`${id}-${round}`));
      }
      await Promise.all([records.flush(), sql`delete from client where id = 'app'`.execute(connection.db)]);
      await sql`insert into client (id, metadata, updated_at) values ('app', '{}', now())`.execute(
        connection.db,
      );
    }
    const { rows } = await sql`select client_id, kind, count from client_day order by kind`.execute(
      connection.db,
    );
    expect(rows).toEqual([
      { client_id: 'other', kind: 'error:other', count: 20 },
      { client_id: 'other', kind: 'token', count: 20 },
    ]);
  });

  test('adds what several processes counted, also at the same moment', async () => {
    const processes = Array.from({ length: 4 }, () => start().records);
    for (let round = 0; round < 5; round += 1) {
      for (const records of processes)
        for (const id of ['app', 'other'])
          for (const kind of ['token', 'refresh'] as const) records.count(id, kind);
      await Promise.all(processes.map((records) => records.flush()));
    }
    const { rows } = await sql`select distinct count from client_day`.execute(connection.db);
    expect(rows).toEqual([{ count: 20 }]);
  });

  test('keeps counts that could not be written for the next time', async () => {
    const { health } = start();
    let isAway = true;
    const db = connection.db.withPlugin({
      transformQuery: ({ node }) => {
        if (isAway) throw new Error('the database is away');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const records = createClientRecords({ db });
    records.count('app', 'token');
    await expect(records.flush()).rejects.toThrow('away');
    isAway = false;
    records.count('app', 'token');
    await records.flush();
    expect((await health.healthOf({ client_id: 'app', links: 0 })).days.at(-1)?.tokens).toBe(2);
  });

  test('is swept: refused requests after 7 days, counts after 400', async () => {
    const { records, health } = start();
    const day = 86_400_000;
    for (const days of [6, 8])
      records.refuse('app', 'other', () =>
        refusal(`${days}`, new Date(databaseNow().getTime() - days * day)),
      );
    await records.flush();
    await sql`
      insert into client_day (client_id, day, kind, count)
      select 'other', cast(now() at time zone 'utc' as date) - ago, 'token', 1 from unnest(array[399, 402]) as ago`.execute(
      connection.db,
    );
    await sweep(connection.db);
    expect((await health.listErrors('app')).items.map(({ reference }) => reference)).toEqual(['6']);
    expect(await sql`select from client_day where client_id = 'other'`.execute(connection.db)).toMatchObject({
      rows: { length: 1 },
    });
  });
});
