import { type Kysely, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import {
  ACCOUNT,
  CLIENT,
  createProbe,
  createStore,
  grantPayload,
  inSeconds,
  insertAccount,
  secretKeys,
  sessionPayload,
  tokenPayload,
} from '../../../testing/protocol-store.ts';
import { createRegistrations } from '../../../testing/registrations.ts';
import type { Database } from '../../ground/db/database.ts';
import { createUnitOfWork, runInUnit } from './storage/unit.ts';

const tables = [
  'session',
  'interaction',
  'authorization_grant',
  'authorization_code',
  'access_token',
  'refresh_token',
  'oidc_model',
] as const;

const dump = async (db: Kysely<Database>): Promise<string> => {
  const rows = await Promise.all(
    tables.map((table) => sql`select * from ${sql.table(table)}`.execute(db).then((result) => result.rows)),
  );
  return JSON.stringify(rows);
};

const otherModels = ['PushedAuthorizationRequest'] as const;

describeOnDatabases('the models of the protocol', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
    await insertAccount(db);
  });

  test('each model is found as it was saved, by its own id, in its own brand only', async () => {
    const here = createStore(db);
    const there = createStore(db, { brand: 'nocturne' });
    const saved = {
      Session: sessionPayload('scoped-session'),
      Grant: grantPayload('scoped-grant'),
      AuthorizationCode: tokenPayload('AuthorizationCode', 'scoped-code', 'scoped-grant'),
      AccessToken: tokenPayload('AccessToken', 'scoped-access', 'scoped-grant'),
      RefreshToken: tokenPayload('RefreshToken', 'scoped-refresh', 'scoped-grant'),
      Interaction: {
        kind: 'Interaction',
        jti: 'scoped-interaction',
        returnTo: 'https://id.example/oauth/authorize/scoped-interaction',
        params: { client_id: CLIENT },
        prompt: { name: 'login', reasons: [], details: {} },
        exp: inSeconds(600),
      },
    };
    await here.inUnit(async () => {
      for (const [model, payload] of Object.entries(saved)) {
        await here.adapter(model).upsert(payload.jti, payload, 600);
      }
    });
    for (const [model, payload] of Object.entries(saved)) {
      const found = await here.adapter(model).find(payload.jti);
      const { exp: _exp, iat: _iat, ...expected } = payload as Record<string, unknown>;
      expect(found, model).toMatchObject(expected);
      expect(found?.exp, model).toBeGreaterThan(inSeconds(500));
      expect(await there.adapter(model).find(payload.jti), model).toBeUndefined();
    }
    expect(await there.adapter('Session').findByUid('scoped-session')).toBeUndefined();
    for (const model of otherModels) {
      const payload = {
        ...tokenPayload(model, `scoped-${model}`, 'scoped-grant'),
        uid: model,
      };
      await here.adapter(model).upsert(payload.jti, payload, 600);
      expect(await here.adapter(model).find(payload.jti)).toMatchObject({
        jti: payload.jti,
        scope: 'openid',
      });
      expect(await there.adapter(model).find(payload.jti)).toBeUndefined();
    }
  });

  test('two brands may use the same id, and deleting it in one leaves the other', async () => {
    const stores = ['aurelia', 'nocturne'].map((brand) => createStore(db, { brand }));
    for (const store of stores) {
      await store.seed({ session: 'twin-session', grant: 'twin-grant' });
      await store.inUnit(() =>
        store
          .adapter('AccessToken')
          .upsert('twin-token', tokenPayload('AccessToken', 'twin-token', 'twin-grant'), 600),
      );
    }
    const [here, there] = stores;
    await here?.adapter('Grant').destroy('twin-grant');
    await here?.inUnit(async () => {
      await here.adapter('Session').find('twin-session-id');
      await here.adapter('Session').destroy('twin-session-id');
    });
    expect(await here?.adapter('AccessToken').find('twin-token')).toBeUndefined();
    expect(await here?.adapter('Session').find('twin-session-id')).toBeUndefined();
    expect(await there?.adapter('AccessToken').find('twin-token')).toBeDefined();
    expect(await there?.adapter('Session').find('twin-session-id')).toBeDefined();
  });

  test('the database stores no secret id in clear', async () => {
    const { adapter, inUnit, seed } = createStore(db);
    await seed({ session: 'uid-is-public', grant: 'grant-is-public' });
    const secrets = ['code', 'access', 'refresh', 'interaction', 'pushed', 'replay'].map(
      (name) => `secret-${name}-value`,
    );
    const [code = '', access = '', refresh = '', interaction = '', pushed = '', replay = ''] = secrets;
    await inUnit(async () => {
      await adapter('AuthorizationCode').upsert(
        code,
        tokenPayload('AuthorizationCode', code, 'grant-is-public'),
        60,
      );
      await adapter('AccessToken').upsert(access, tokenPayload('AccessToken', access, 'grant-is-public'), 60);
      await adapter('RefreshToken').upsert(
        refresh,
        tokenPayload('RefreshToken', refresh, 'grant-is-public'),
        60,
      );
      await adapter('Interaction').upsert(
        interaction,
        {
          jti: interaction,
          params: { client_id: CLIENT },
          returnTo: `https://id.example/oauth/authorize/${interaction}`,
          session: { uid: 'uid-is-public', cookie: 'uid-is-public-id', accountId: ACCOUNT },
        },
        60,
      );
    });
    await adapter('PushedAuthorizationRequest').upsert(pushed, { jti: pushed, request: 'x' }, 60);
    await adapter('ReplayDetection').find(replay);
    const everything = await dump(db);
    for (const secret of [...secrets, 'uid-is-public-id']) {
      expect(everything.includes(secret), secret).toBe(false);
    }
    expect(everything).toContain('uid-is-public');
  });

  test('a unit is one statement, and a unit without writes is none', async () => {
    const { probe, db: counted } = createProbe(db);
    // Clients are cached while the change feed is live.
    const { clients } = createRegistrations(db, { secretKeys });
    const { adapter, inUnit } = createStore(counted, { clients });
    await inUnit(async () => {
      await adapter('Session').upsert('counted-id', sessionPayload('counted', 'counted-id'), 600);
      await adapter('Grant').upsert('counted-grant', grantPayload('counted-grant'), 600);
      for (const model of ['AuthorizationCode', 'AccessToken', 'RefreshToken']) {
        await adapter(model).upsert(
          `counted-${model}`,
          tokenPayload(model, `counted-${model}`, 'counted-grant'),
          600,
        );
      }
      expect(probe.statements).toBe(0);
    });
    expect(probe.statements).toBe(1);
    expect(await adapter('RefreshToken').find('counted-RefreshToken')).toBeDefined();
    probe.statements = 0;
    await inUnit(async () => undefined);
    expect(probe.statements).toBe(0);
  });

  test('finding a token also loads its grant, and a saved grant is found before it is written', async () => {
    const { probe, db: counted } = createProbe(db);
    const { adapter, inUnit, seed } = createStore(counted);
    await seed({ grant: 'along-grant' });
    await inUnit(() =>
      adapter('AccessToken').upsert('along', tokenPayload('AccessToken', 'along', 'along-grant'), 60),
    );
    probe.statements = 0;
    await inUnit(async () => {
      await adapter('AccessToken').find('along');
      expect(await adapter('Grant').find('along-grant')).toMatchObject({
        jti: 'along-grant',
        accountId: ACCOUNT,
      });
      await adapter('Grant').upsert('unwritten', grantPayload('unwritten'), 60);
      expect(await adapter('Grant').find('unwritten')).toMatchObject({ accountId: ACCOUNT });
      expect(probe.statements).toBe(1);
    });
  });

  test('a write outside of a unit is its own unit, and a write that a condition prevents is refused', async () => {
    const { adapter } = createStore(db);
    await adapter('Grant').upsert('alone', grantPayload('alone'), 60);
    await adapter('AuthorizationCode').upsert(
      'alone-code',
      tokenPayload('AuthorizationCode', 'alone-code', 'alone'),
      60,
    );
    await adapter('AuthorizationCode').consume('alone-code');
    await expect(adapter('AuthorizationCode').consume('alone-code')).rejects.toThrow('invalid_grant');
    const orphan = tokenPayload('AccessToken', 'orphan', 'no-such-grant');
    await expect(adapter('AccessToken').upsert('orphan', orphan, 60)).rejects.toThrow('invalid_grant');
  });

  test('the unit notes an outage of the database, and no other error', async () => {
    const { probe, db: failing } = createProbe(db);
    const { adapter } = createStore(failing);
    const noted = async (failure: Error) => {
      probe.failure = failure;
      const unit = createUnitOfWork(() => ({ userAgent: '', clientHints: null, address: '', locale: '' }));
      await expect(runInUnit(unit, () => adapter('AccessToken').find('any'))).rejects.toBe(failure);
      return unit.outage;
    };
    for (const code of ['ECONNREFUSED', 'ECONNRESET', '57P01', '53300', '08006', '57014']) {
      const failure = Object.assign(new Error('out'), { code });
      expect(await noted(failure), code).toBe(failure);
    }
    expect(await noted(Object.assign(new Error('no such column'), { code: '42703' }))).toBeUndefined();
  });
});
