import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../../db/connect.ts';
import type { Database } from '../../db/database.ts';
import { openTestDatabases } from '../../db/testing.ts';
import { createStore, insertAccount, tokenPayload } from '../testing.ts';

describe.each(openTestDatabases())('on $name', ({ open }) => {
  let connection: Connection;
  let db: Kysely<Database>;
  beforeAll(async () => {
    connection = await open();
    db = connection.db;
    await insertAccount(db);
  });
  afterAll(() => connection.close());

  test('of parallel claims of one proof one is new, and only until it has expired', async () => {
    const replay = createStore(db).adapter('ReplayDetection');
    const found = await Promise.all(Array.from({ length: 20 }, () => replay.find('a-proof')));
    expect(found.filter((answer) => answer === undefined)).toHaveLength(1);
    await replay.upsert('a-proof', { jti: 'a-proof' }, 60);
    expect(await replay.find('a-proof')).toEqual({ jti: 'a-proof' });
    expect(
      await createStore(db, { brand: 'nocturne' }).adapter('ReplayDetection').find('a-proof'),
    ).toBeUndefined();

    await replay.upsert('a-proof', { jti: 'a-proof' }, -1);
    const later = await Promise.all(Array.from({ length: 20 }, () => replay.find('a-proof')));
    expect(later.filter((answer) => answer === undefined)).toHaveLength(1);
  });

  test('a pushed request is used once, and the loser of a race is told in its own terms', async () => {
    const pushed = createStore(db).adapter('PushedAuthorizationRequest');
    await pushed.upsert('pushed', { jti: 'pushed', request: 'x' }, 60);
    const uses = await Promise.allSettled(Array.from({ length: 20 }, () => pushed.consume('pushed')));
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const use of uses) {
      if (use.status === 'rejected') expect(use.reason).toMatchObject({ error: 'invalid_request_uri' });
    }
    expect((await pushed.find('pushed'))?.consumed).toBeTypeOf('number');

    const device = createStore(db).adapter('DeviceCode');
    await device.upsert('device', { jti: 'device', userCode: 'ABCD' }, 60);
    await device.consume('device');
    await expect(device.consume('device')).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('what is destroyed or revoked is not found, and what hangs on a grant goes with it', async () => {
    const { adapter, seed } = createStore(db);
    await seed({ grant: 'one' });
    await seed({ grant: 'two' });
    const device = adapter('DeviceCode');
    for (const [id, grantId] of [
      ['a', 'one'],
      ['b', 'two'],
      ['c', 'two'],
    ] as const) {
      await device.upsert(id, { ...tokenPayload('DeviceCode', id, grantId), userCode: `code-${id}` }, 60);
    }
    await device.revokeByGrantId('one');
    expect(await device.find('a')).toBeUndefined();
    await device.destroy('b');
    expect(await device.find('b')).toBeUndefined();
    expect(await device.find('c')).toBeDefined();
    await adapter('Grant').destroy('two');
    expect(await device.find('c')).toBeUndefined();
  });

  test('saving again changes the payload, not what the row is found by', async () => {
    const device = createStore(db).adapter('DeviceCode');
    await device.upsert('changing', { jti: 'changing', userCode: 'KEPT', inFlight: false }, 60);
    await device.upsert('changing', { jti: 'changing', userCode: 'KEPT', inFlight: true }, 60);
    expect(await device.findByUserCode('KEPT')).toMatchObject({ inFlight: true });
  });

  test('a verb that a model has no use for is refused', async () => {
    const { adapter } = createStore(db);
    await expect(adapter('Grant').findByUserCode('x')).rejects.toThrow('Grant has no user code');
    await expect(adapter('Client').upsert('x', {}, 60)).rejects.toThrow('Client has no upsert');
  });
});
