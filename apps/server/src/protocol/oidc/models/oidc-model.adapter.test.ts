import type { Kysely } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../../testing/describe-on-databases.ts';
import { createStore, insertAccount } from '../../../../testing/protocol-store.ts';
import type { Database } from '../../../ground/db/database.ts';

describeOnDatabases('other models of the engine', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
    await insertAccount(db);
  });

  test('of parallel uses of one proof one is new, until the proof expires', async () => {
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

  test('of parallel uses of a pushed request one is written, and a use that is not written spends nothing', async () => {
    const { adapter, inUnit } = createStore(db);
    const pushed = adapter('PushedAuthorizationRequest');
    await pushed.upsert('pushed', { jti: 'pushed', request: 'x' }, 60);
    await expect(
      inUnit(async () => {
        await pushed.consume('pushed');
        throw new Error('the request fails');
      }),
    ).rejects.toThrow('the request fails');
    expect((await pushed.find('pushed'))?.consumed).toBeUndefined();
    const uses = await Promise.all(Array.from({ length: 20 }, () => inUnit(() => pushed.consume('pushed'))));
    expect(uses.sort()).toEqual(['committed', ...Array.from({ length: 19 }, () => 'spent')]);
    expect((await pushed.find('pushed'))?.consumed).toBeTypeOf('number');
  });

  test('a destroyed row is not found, and neither is a row of another brand', async () => {
    const pushed = createStore(db).adapter('PushedAuthorizationRequest');
    await pushed.upsert('gone', { jti: 'gone' }, 60);
    const elsewhere = createStore(db, { brand: 'nocturne' }).adapter('PushedAuthorizationRequest');
    expect(await elsewhere.find('gone')).toBeUndefined();
    await pushed.destroy('gone');
    expect(await pushed.find('gone')).toBeUndefined();
  });

  test('saving again changes the payload, not the keys of the row', async () => {
    const pushed = createStore(db).adapter('PushedAuthorizationRequest');
    await pushed.upsert('changing', { jti: 'changing', request: 'a' }, 60);
    await pushed.upsert('changing', { jti: 'changing', request: 'b' }, 60);
    expect(await pushed.find('changing')).toMatchObject({ request: 'b' });
  });

  test('a method that a model does not support is refused', async () => {
    const { adapter } = createStore(db);
    await expect(adapter('Grant').findByUserCode('x')).rejects.toThrow('Grant has no user code');
    await expect(adapter('Client').upsert('x', {}, 60)).rejects.toThrow('Client has no upsert');
  });
});
