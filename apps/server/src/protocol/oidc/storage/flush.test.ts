import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabases } from '../../../../testing/databases.ts';
import { createStore, inSeconds, insertAccount, tokenPayload } from '../../../../testing/protocol-store.ts';
import type { Connection } from '../../../ground/db/connect.ts';
import type { Database } from '../../../ground/db/database.ts';
import { hashToken } from '../../../ground/opaque-token.ts';
import { queueKeptUse } from '../refresh/refresh-token.adapter.ts';
import { queueSlide } from './grant-slide.ts';
import type { UnitOfWork } from './unit.ts';

const MODEL = 'RefreshToken';

describe.each(openTestDatabases())('on $name', ({ name, open }) => {
  let connection: Connection;
  let db: Kysely<Database>;
  beforeAll(async () => {
    connection = await open();
    db = connection.db;
    await insertAccount(db);
  });
  afterAll(() => connection.close());

  const seed = async (grant: string) => {
    const store = createStore(db);
    await store.seed({ grant });
    const payload = tokenPayload(MODEL, `of-${grant}`, grant);
    await store.inUnit(() => store.adapter(MODEL).upsert(payload.jti, payload, 600));
    return store;
  };

  const isTokenFree = async (grant: string): Promise<boolean> => {
    const free = await db
      .selectFrom('refresh_token')
      .select('id_hash')
      .where('id_hash', '=', hashToken(`of-${grant}`))
      .forUpdate()
      .skipLocked()
      .execute();
    return free.length === 1;
  };

  const untilSomebodyWaits = async () => {
    for (;;) {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      if (rows.length > 0) return;
      await wait(20);
    }
  };

  const use = async (unit: UnitOfWork, grantId: string) => {
    const until = inSeconds(86_400);
    queueKeptUse(unit, { brand: 'aurelia', id: `of-${grantId}`, until });
    queueSlide(unit, { brand: 'aurelia', grantId, until, linked: true });
  };

  // PGlite has one connection, so no statement waits for another.
  test.runIf(name === 'postgres')(
    'whatever is queued first, a unit has no lock of a token while it waits for that of the grant',
    async () => {
      const works = {
        used: use,
        ended: async (_unit: UnitOfWork, grant: string) => {
          await createStore(db).adapter(MODEL).destroy(`of-${grant}`);
          await createStore(db).adapter('Grant').destroy(grant);
        },
      };
      for (const [grant, work] of Object.entries(works)) {
        const { inUnit } = await seed(grant);
        let outcome: ReturnType<typeof inUnit> | undefined;
        await db.transaction().execute(async (trx) => {
          await trx
            .selectFrom('authorization_grant')
            .select('id')
            .where('id', '=', grant)
            .forUpdate()
            .execute();
          outcome = inUnit((unit) => work(unit, grant));
          await untilSomebodyWaits();
          expect(await isTokenFree(grant), grant).toBe(true);
        });
        expect(await outcome, grant).toBe('committed');
      }
    },
  );

  test('an ending grant makes the endings of its tokens unnecessary, whichever is queued first', async () => {
    const { adapter, inUnit } = await seed('ending');
    const endTokens = async () => {
      for (const model of ['AccessToken', MODEL, 'AuthorizationCode', 'DeviceCode'])
        await adapter(model).revokeByGrantId('ending');
    };
    const endGrant = () => adapter('Grant').destroy('ending');
    for (const steps of [
      [endTokens, endGrant],
      [endGrant, endTokens],
    ]) {
      await inUnit(async (unit) => {
        for (const step of steps) await step();
        expect(unit.takeWrites().map(({ kind }) => kind)).toEqual(['end']);
      });
    }
  });

  test('a code whose grant lost scopes after the request had read it is not spent, and gives no token', async () => {
    const { adapter, inUnit } = await seed('narrowed');
    const code = tokenPayload('AuthorizationCode', 'of-the-narrowed', 'narrowed');
    await inUnit(() => adapter('AuthorizationCode').upsert(code.jti, code, 60));
    const redeem = (between: () => Promise<unknown>) =>
      inUnit(async () => {
        await adapter('AuthorizationCode').find(code.jti);
        await between();
        await adapter('AuthorizationCode').consume(code.jti);
        const token = tokenPayload('AccessToken', 'of-the-code', 'narrowed');
        await adapter('AccessToken').upsert(token.jti, token, 600);
      });
    const narrow = () =>
      db
        .updateTable('authorization_grant')
        .set({ scope: 'openid', payload: JSON.stringify({ openid: { scope: 'openid' } }) })
        .where('id', '=', 'narrowed')
        .execute();
    expect(await redeem(narrow)).toBe('narrowed');
    expect(await adapter('AuthorizationCode').find(code.jti)).not.toHaveProperty('consumed');
    expect(await adapter('AccessToken').find('of-the-code')).toBeUndefined();
    expect(await redeem(async () => undefined)).toBe('committed');
    expect(await adapter('AccessToken').find('of-the-code')).toMatchObject({ scope: 'openid' });
  });

  test('a write replaces an earlier write of the same row, and of no other row', async () => {
    const { adapter, inUnit } = await seed('saved-twice');
    await inUnit(async (unit) => {
      for (const grant of ['saved-twice', 'another'])
        for (const scope of ['openid', 'openid email'])
          await adapter('Grant').upsert(grant, { clientId: 'an-app', openid: { scope } }, 600);
      const written = unit.takeWrites().map(({ settle }) => settle());
      expect(written).toEqual([
        expect.objectContaining({ id: 'saved-twice', scope: 'openid email' }),
        expect.objectContaining({ id: 'another', scope: 'openid email' }),
      ]);
    });
  });
});
