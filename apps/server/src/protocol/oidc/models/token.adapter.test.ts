import { type Kysely, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../../testing/describe-on-databases.ts';
import { startEngine } from '../../../../testing/engine.ts';
import {
  createProbe,
  createStore,
  grantPayload,
  inSeconds,
  insertAccount,
  tokenPayload,
} from '../../../../testing/protocol-store.ts';
import type { Database } from '../../../ground/db/database.ts';
import { hashToken } from '../../../ground/opaque-token.ts';

const CODE = 'AuthorizationCode';

describeOnDatabases('tokens of the engine', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
    await insertAccount(db);
  });

  const consumedAt = async (code: string) =>
    (
      await db
        .selectFrom('authorization_code')
        .select('consumed_at')
        .where('id_hash', '=', hashToken(code))
        .executeTakeFirstOrThrow()
    ).consumed_at;
  const tokensOf = async (grantId: string) => {
    const count = async (table: 'authorization_code' | 'access_token' | 'refresh_token') =>
      (await db.selectFrom(table).select('id_hash').where('grant_id', '=', grantId).execute()).length;
    return [await count('authorization_code'), await count('access_token'), await count('refresh_token')];
  };

  const redeem = (store: ReturnType<typeof createStore>, grantId: string, name: string, failed = false) =>
    store.inUnit(
      async () => {
        await store.adapter(CODE).consume(`code-of-${grantId}`);
        const access = tokenPayload('AccessToken', `${name}-access`, grantId);
        await store.adapter('AccessToken').upsert(access.jti, access, 600);
        const refresh = tokenPayload('RefreshToken', `${name}-refresh`, grantId);
        await store.adapter('RefreshToken').upsert(refresh.jti, refresh, 600);
      },
      { failed },
    );
  const seedCode = async (store: ReturnType<typeof createStore>, grantId: string) => {
    await store.seed({ grant: grantId });
    const payload = tokenPayload(CODE, `code-of-${grantId}`, grantId);
    await store.inUnit(() => store.adapter(CODE).upsert(payload.jti, payload, 60));
  };

  test('of parallel redemptions of a code one issues tokens, and the others write nothing', async () => {
    const store = createStore(db);
    await seedCode(store, 'raced');
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => redeem(store, 'raced', `racer-${index}`)),
    );
    expect(outcomes.toSorted()).toEqual(['committed', ...Array(19).fill('spent')]);
    expect(await tokensOf('raced')).toEqual([1, 1, 1]);
    expect(await consumedAt('code-of-raced')).toBeInstanceOf(Date);
  });

  test('a unit that spends a missing row writes nothing', async () => {
    const store = createStore(db);
    await store.seed({ grant: 'spent-nothing' });
    expect(await redeem(store, 'spent-nothing', 'none')).toBe('spent');
    expect(await tokensOf('spent-nothing')).toEqual([0, 0, 0]);
  });

  test('an error of the engine keeps the spending and discards the issued tokens', async () => {
    const store = createStore(db);
    await seedCode(store, 'failed');
    const before = await db
      .selectFrom('authorization_grant')
      .select(['expires_at', 'has_refresh_token'])
      .where('id', '=', 'failed')
      .executeTakeFirstOrThrow();
    expect(await redeem(store, 'failed', 'failing', true)).toBe('committed');
    expect(await tokensOf('failed')).toEqual([1, 0, 0]);
    expect(await consumedAt('code-of-failed')).toBeInstanceOf(Date);
    const after = await db
      .selectFrom('authorization_grant')
      .select(['expires_at', 'has_refresh_token'])
      .where('id', '=', 'failed')
      .executeTakeFirstOrThrow();
    expect(after).toEqual(before);
  });

  test.each(['AccessToken', 'RefreshToken', CODE])(
    'a withdrawn grant lets no %s be issued',
    async (model) => {
      const store = createStore(db);
      const grantId = `withdrawn-${model}`;
      await store.seed({ grant: grantId });
      const outcome = await store.inUnit(async () => {
        await store.adapter('Grant').find(grantId);
        const payload = tokenPayload(model, `late-${model}`, grantId);
        await store.adapter(model).upsert(payload.jti, payload, 60);
        await db.deleteFrom('authorization_grant').where('id', '=', grantId).execute();
      });
      expect(outcome).toBe('gone');
      expect(await store.adapter(model).find(`late-${model}`)).toBeUndefined();
    },
  );

  test('parallel redemptions and a withdrawal never deadlock', async () => {
    const store = createStore(db);
    for (let round = 0; round < 40; round += 1) {
      const grantId = `circle-${round}`;
      await seedCode(store, grantId);
      const withdraw = () => db.deleteFrom('authorization_grant').where('id', '=', grantId).execute();
      const racers = [0, 1, 2, 3].map((racer) => redeem(store, grantId, `${grantId}-${racer}`));
      await Promise.all([...racers, withdraw()]);
      expect(await tokensOf(grantId)).toEqual([0, 0, 0]);
    }
    // PostgreSQL publishes its statistics up to a second late.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const { rows } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });

  test('a grant saved again after its withdrawal stays withdrawn', async () => {
    const store = createStore(db);
    await store.seed({ grant: 'saved-late' });
    await store.inUnit(async () => {
      const grant = await store.adapter('Grant').find('saved-late');
      await db.deleteFrom('authorization_grant').where('id', '=', 'saved-late').execute();
      await store.adapter('Grant').upsert('saved-late', { ...grant, openid: { scope: 'openid' } }, 3600);
    });
    expect(await store.adapter('Grant').find('saved-late')).toBeUndefined();
  });

  test('destroying a grant deletes its tokens, revokeByGrantId only the tokens of the model', async () => {
    const store = createStore(db);
    for (const grantId of ['ended', 'revoked', 'bystander']) {
      await seedCode(store, grantId);
      await redeem(store, grantId, grantId);
    }
    await store.adapter('AccessToken').revokeByGrantId('revoked');
    expect(await tokensOf('revoked')).toEqual([1, 0, 1]);
    await store.adapter('Grant').destroy('ended');
    expect(await tokensOf('ended')).toEqual([0, 0, 0]);
    expect(await tokensOf('bystander')).toEqual([1, 1, 1]);
    await store.adapter('AccessToken').destroy('bystander-access');
    expect(await tokensOf('bystander')).toEqual([1, 0, 1]);
  });

  test('a grant’s end moves with its tokens, never back, and a refresh token makes the grant a link', async () => {
    const store = createStore(db);
    await store.seed({ grant: 'sliding' });
    const issue = (model: string, seconds: number) =>
      store.inUnit(() => {
        const payload = {
          ...tokenPayload(model, `${model}-${seconds}`, 'sliding'),
          exp: inSeconds(seconds),
        };
        return store.adapter(model).upsert(payload.jti, payload, seconds);
      });
    const grant = async () => {
      const row = await db
        .selectFrom('authorization_grant')
        .select(['expires_at', 'has_refresh_token'])
        .where('id', '=', 'sliding')
        .executeTakeFirstOrThrow();
      return {
        days: Math.round((row.expires_at.getTime() - Date.now()) / 86_400_000),
        link: row.has_refresh_token,
      };
    };
    await issue('AccessToken', 60);
    expect(await grant()).toEqual({ days: 14, link: false });
    // A day more than it must.
    await issue('RefreshToken', 400 * 86_400);
    expect(await grant()).toEqual({ days: 401, link: true });
    const end = (await store.adapter('Grant').find('sliding'))?.exp;
    expect(Math.round((end ?? 0) - inSeconds(401 * 86_400))).toBeCloseTo(0, -1);
    for (const later of [61, 400 * 86_400 + 23 * 3600]) await issue('RefreshToken', later);
    expect((await store.adapter('Grant').find('sliding'))?.exp).toBe(end);
    await issue('RefreshToken', 402 * 86_400);
    expect(await grant()).toEqual({ days: 403, link: true });
  });

  describe('OA3: a code presented again', () => {
    const refusal = { status: 400, body: expect.objectContaining({ error: 'invalid_grant' }) };
    const reuses = ({ events }: Awaited<ReturnType<typeof startEngine>>) =>
      events.all.filter(({ event }) => event === 'token.code_reused').map(({ detail }) => detail);

    /** A code that was redeemed `seconds` ago, and issued `age` seconds ago. */
    const exchange = async (
      engine: Awaited<ReturnType<typeof startEngine>>,
      seconds: number,
      age = seconds,
    ) => {
      const { code, grantId } = await engine.issueCode();
      const { status, body } = await engine.redeem(code);
      expect(status).toBe(200);
      await db
        .updateTable('authorization_code')
        .set({
          consumed_at: sql`consumed_at - make_interval(secs => ${seconds})`,
          created_at: sql`created_at - make_interval(secs => ${age})`,
          expires_at: sql`expires_at - make_interval(secs => ${age})`,
        })
        .where('grant_id', '=', grantId)
        .execute();
      const isAlive = async () => (await engine.introspect(body.access_token ?? '')).body.active;
      return { code, grantId, isAlive, refreshToken: body.refresh_token ?? '' };
    };

    test('within ten seconds is a duplicate: it is refused, and the tokens stay valid', async () => {
      const engine = await startEngine(db);
      for (const seconds of [0, 8]) {
        const { code, isAlive, refreshToken } = await exchange(engine, seconds);
        expect(await engine.redeem(code)).toEqual(refusal);
        expect(await isAlive()).toBe(true);
        expect((await engine.refresh(refreshToken)).status).toBe(200);
      }
      expect(reuses(engine)).toEqual(Array(2).fill('a duplicate: its tokens live'));
      await engine.close();
    });

    test('later, within an hour of its issue, ends all tokens issued under its grant', async () => {
      const engine = await startEngine(db);
      for (const seconds of [11, 70, 3590]) {
        const { code, grantId, isAlive, refreshToken } = await exchange(engine, seconds);
        expect(await engine.redeem(code)).toEqual(refusal);
        expect(await isAlive()).toBe(false);
        expect(await engine.refresh(refreshToken)).toEqual(refusal);
        expect(await tokensOf(grantId)).toEqual([0, 0, 0]);
      }
      expect(reuses(engine)).toEqual(Array(3).fill('its tokens were ended'));
      await engine.close();
    });

    test('after the hour is refused with an event, and the tokens stay valid', async () => {
      const engine = await startEngine(db);
      const { code, isAlive } = await exchange(engine, 3601);
      expect(await engine.redeem(code)).toEqual(refusal);
      expect(await isAlive()).toBe(true);
      expect(reuses(engine)).toEqual(['too late: its tokens live']);
      await engine.close();
    });

    test('without its verifier, redirect URI or client secret ends nothing', async () => {
      const engine = await startEngine(db);
      const { code, isAlive } = await exchange(engine, 30);
      expect(await engine.redeem(code, { code_verifier: 'w'.repeat(43) })).toEqual(refusal);
      expect(await engine.redeem(code, { redirect_uri: 'https://app.example/other' })).toEqual(refusal);
      expect(await isAlive()).toBe(true);
      expect(reuses(engine)).toEqual([]);
      await engine.close();
    });

    test('in parallel over HTTP is redeemed once, and those tokens stay valid', async () => {
      const engine = await startEngine(db);
      const { code, grantId } = await engine.issueCode();
      const answers = await Promise.all(Array.from({ length: 20 }, () => engine.redeem(code)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(19).fill(refusal));
      expect(await tokensOf(grantId)).toEqual([1, 1, 1]);
      await engine.close();
    });
  });

  test('a wrong verifier or another client does not spend a code', async () => {
    const engine = await startEngine(db);
    const { code } = await engine.issueCode();
    const wrong = await engine.post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.example/callback',
      code_verifier: 'x'.repeat(43),
    });
    expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await engine.redeem(code)).status).toBe(200);
    await engine.close();
  });

  test('a token of one brand is unknown to another', async () => {
    const here = await startEngine(db);
    const there = await startEngine(db, { brand: 'nocturne' });
    const { code } = await here.issueCode();
    expect(await there.redeem(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const { access_token = '', refresh_token = '' } = (await here.redeem(code)).body;
    expect((await there.introspect(access_token)).body).toEqual({ active: false });
    expect((await there.refresh(refresh_token)).body.error).toBe('invalid_grant');
    await there.revoke(refresh_token);
    expect((await here.introspect(access_token)).body.active).toBe(true);
    await Promise.all([here.close(), there.close()]);
  });

  test('a redemption is two statements after the first, and an outage is 503, never invalid_grant', async () => {
    const { probe, db: counted } = createProbe(db);
    const engine = await startEngine(counted);
    const { code } = await engine.issueCode();
    const outage = Object.assign(new Error('no route'), { code: 'ECONNREFUSED' });
    probe.failure = outage;
    expect(await engine.redeem(code)).toEqual({ status: 503, body: { error: 'unavailable' } });
    probe.failure = undefined;
    probe.statements = 0;
    const { refresh_token = '' } = (await engine.redeem(code)).body;
    expect(probe.statements).toBeLessThanOrEqual(6);
    probe.failure = outage;
    expect((await engine.refresh(refresh_token)).status).toBe(503);
    probe.failure = undefined;
    expect((await engine.refresh(refresh_token)).status).toBe(200);
    await engine.close();
  });

  test('a grant that the engine saves keeps its payload', async () => {
    const { adapter, inUnit } = createStore(db);
    const payload = { ...grantPayload('kept'), rejected: { openid: { scope: 'email' } } };
    await inUnit(() => adapter('Grant').upsert('kept', payload, 60));
    expect(await adapter('Grant').find('kept')).toMatchObject({
      openid: payload.openid,
      rejected: payload.rejected,
    });
  });
});
