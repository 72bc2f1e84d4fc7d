import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { expiringRows } from './expiring-rows.ts';
import { databaseTime } from './sql-time.ts';

const tickets = expiringRows({
  table: 'ticket',
  columns: ['id_hash', 'identifier', 'factor', 'expires_at'],
  owner: 'identifier',
  endsAt: 'expires_at',
  seconds: 600,
  order: sql`id_hash`,
});

const codes = expiringRows({
  table: 'verification_code',
  columns: ['identifier', 'code_hash', 'tries'],
  owner: 'identifier',
  endsAt: 'expires_at',
  key: ['purpose', 'identifier', 'device_hash'],
  keptSeconds: 3600,
  sweptIf: sql`tries > 0`,
});

describeOnDatabases('a table of what is good until an end', (connection) => {
  const at = new Date();
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
  const ticket = (id_hash: string, identifier = 'ada') => ({
    id_hash,
    purpose: 'login' as const,
    identifier,
    device_hash: 'browser',
    created_at: at,
  });
  const code = (code_hash: string, tries: number) => ({
    purpose: 'login' as const,
    identifier: 'ada',
    device_hash: 'browser',
    code_hash,
    tries,
    created_at: at,
    expires_at: later(300),
  });
  const idsOf = (rows: readonly { id_hash: string }[]) => rows.map(({ id_hash }) => id_hash);
  const listLeft = async () =>
    idsOf(await connection.db.selectFrom('ticket').select('id_hash').orderBy('id_hash').execute());

  beforeEach(async () => {
    await connection.db.deleteFrom('ticket').execute();
    await connection.db.deleteFrom('verification_code').execute();
  });

  test('what is put is found for as long as the table says, or until the row says', async () => {
    const { db } = connection;
    const stored = { id_hash: 'a', identifier: 'ada', factor: null, expires_at: later(600) };
    expect(await tickets.put(db, ticket('a'), at)).toEqual(stored);
    expect(await tickets.find(db, { id_hash: 'a' }, later(599))).toEqual(stored);
    expect(await tickets.find(db, { id_hash: 'a' }, later(600))).toBeUndefined();
    expect(await tickets.findKept(db, { id_hash: 'a' })).toEqual(stored);
    await tickets.put(db, { ...ticket('b'), expires_at: later(5) }, at);
    expect(idsOf(await tickets.list(db, { identifier: 'ada' }, later(4)))).toEqual(['a', 'b']);
    expect(idsOf(await tickets.list(db, { identifier: 'ada' }, later(5)))).toEqual(['a']);
    const { expires_at } = await tickets.put(db, ticket('c'), databaseTime);
    expect(Math.abs(expires_at.getTime() - Date.now() - 600_000)).toBeLessThan(60_000);
  });

  test('a row is found by all that is named of it: values, one of several, and null', async () => {
    const { db } = connection;
    await tickets.put(db, ticket('a'), at);
    await tickets.put(db, { ...ticket('b', 'bob'), factor: 'totp' }, at);
    const idsBy = async (match: Parameters<typeof tickets.list>[1]) =>
      idsOf(await tickets.list(db, match, at));
    expect(await idsBy({ identifier: ['ada', 'bob', 'eve'] })).toEqual(['a', 'b']);
    expect(await idsBy({ identifier: ['ada', 'bob'], factor: null })).toEqual(['a']);
    expect(await idsBy({ identifier: 'bob', factor: 'totp' })).toEqual(['b']);
    expect(await idsBy({ identifier: 'bob', purpose: 'register' })).toEqual([]);
    expect(await idsBy({ identifier: [] })).toEqual([]);
  });

  test('a match that names nothing is refused, or it would match every row', async () => {
    const { db } = connection;
    await tickets.put(db, ticket('a'), at);
    const blank = { id_hash: undefined } as unknown as { id_hash: string };
    await expect(tickets.take(db, {}, at)).rejects.toThrow('a match names no column');
    await expect(tickets.take(db, blank, at)).rejects.toThrow('no value for id_hash');
    expect(await listLeft()).toEqual(['a']);
  });

  test('a second row with the same key takes the place of the first, and is refused where there is no such key', async () => {
    const { db } = connection;
    await codes.put(db, code('first', 3), at);
    await codes.put(db, code('second', 0), at);
    expect(await codes.list(db, { identifier: 'ada' }, at)).toEqual([
      { identifier: 'ada', code_hash: 'second', tries: 0 },
    ]);
    await tickets.put(db, ticket('a'), at);
    await expect(tickets.put(db, ticket('a'), at)).rejects.toThrow('duplicate key');
  });

  test('of many callers one takes a row that is good, and one makes a change that undoes what it matches', async () => {
    const { db } = connection;
    await tickets.put(db, ticket('a'), at);
    const winners = async (work: () => Promise<unknown>) =>
      (await Promise.all(Array.from({ length: 8 }, work))).filter(Boolean).length;
    expect(
      await winners(() => tickets.change(db, { id_hash: 'a', factor: null }, { factor: 'totp' }, at)),
    ).toBe(1);
    expect(await winners(() => tickets.take(db, { id_hash: 'a' }, later(600)))).toBe(0);
    expect(await winners(() => tickets.take(db, { id_hash: 'a', identifier: 'eve' }, at))).toBe(0);
    expect(await winners(() => tickets.take(db, { id_hash: 'a', factor: 'totp' }, later(599)))).toBe(1);
    expect(await listLeft()).toEqual([]);
  });

  test('a statement that takes a row goes on with it', async () => {
    const { db } = connection;
    await tickets.put(db, ticket('a'), at);
    const moving = sql<{ hash: string }>`
      with taken as (${tickets.taking({ id_hash: 'a' }, at)}) select id_hash as hash from taken`;
    expect((await moving.execute(db)).rows).toEqual([{ hash: 'a' }]);
    expect((await moving.execute(db)).rows).toEqual([]);
  });

  test('what an owner has ends together, good or over, but for what is kept', async () => {
    const { db } = connection;
    for (const id of ['a', 'b', 'c']) await tickets.put(db, ticket(id), at);
    await tickets.put(db, { ...ticket('d'), expires_at: later(-1) }, at);
    await tickets.put(db, ticket('e', 'bob'), at);
    await tickets.put(db, ticket('f', 'eve'), at);
    expect(idsOf(await tickets.endOf(db, 'ada', { id_hash: ['a', 'e'] }))).toEqual(['a']);
    expect(idsOf(await tickets.endOf(db, 'ada', {}, { id_hash: ['b', 'd'] }))).toEqual(['c']);
    expect(await listLeft()).toEqual(['b', 'd', 'e', 'f']);
    expect(idsOf(await tickets.endOf(db, ['ada', 'bob']))).toHaveLength(3);
    expect(await tickets.endOf(db, [])).toEqual([]);
    expect(await listLeft()).toEqual(['f']);
    // A null is no exception.
    expect(idsOf(await tickets.endOf(db, 'eve', {}, { factor: 'totp' }))).toEqual(['f']);
  });

  test('the sweep deletes what is over and kept no longer, where it may', async () => {
    const { db } = connection;
    await codes.put(db, code('untried', 0), at);
    expect(await codes.sweep(db, later(4000), 10)).toBe(0);
    await codes.put(db, code('tried', 1), at);
    expect(await codes.sweep(db, later(300 + 3600), 10)).toBe(0);
    expect(await codes.sweep(db, later(301 + 3600), 10)).toBe(1);
    for (const id of ['a', 'b', 'c']) await tickets.put(db, ticket(id), at);
    expect(await tickets.sweep(db, later(600), 10)).toBe(0);
    await tickets.put(db, { ...ticket('d'), expires_at: later(-1) }, at);
    expect(await tickets.sweep(db, at, 10)).toBe(1);
    expect(await listLeft()).toEqual(['a', 'b', 'c']);
  });
});
