import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../../testing/describe-on-databases.ts';
import { startEngine } from '../../../../testing/engine.ts';
import { ACCOUNT, CLIENT, createStore, insertAccount } from '../../../../testing/protocol-store.ts';
import type { Database } from '../../../ground/db/database.ts';

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';
const PARALLEL = 20;

describeOnDatabases('device codes', (connection) => {
  let db: Kysely<Database>;
  let engine: Awaited<ReturnType<typeof startEngine>>;
  beforeAll(async () => {
    db = connection.db;
    await insertAccount(db);
    engine = await startEngine(db, {
      client: {
        token_endpoint_auth_method: 'none',
        grant_types: [GRANT_TYPE, 'refresh_token'],
        response_types: [],
        redirect_uris: [],
      },
    });
  });
  afterAll(async () => {
    await engine.close();
  });

  const ask = async (): Promise<{ device_code: string; user_code: string }> => {
    const { status, body } = await engine.post('/oauth/device_authorization', { scope: 'openid' });
    expect(status).toBe(200);
    return body as never;
  };
  const poll = (device_code: string) => engine.post('/oauth/token', { grant_type: GRANT_TYPE, device_code });
  const inParallel = <T>(work: () => Promise<T>) =>
    Promise.all(Array.from({ length: PARALLEL }, () => work()));

  /** Answers for the device as the page does once somebody has approved. */
  const decide = (device_code: string, decision: 'allow' | 'deny') => {
    let grantId = '';
    const outcome = engine.inUnit(async () => {
      const code = await engine.provider.DeviceCode.find(device_code);
      if (!code) throw new Error('no such code');
      if (decision === 'deny') return Object.assign(code, { error: 'access_denied' }).save();
      const grant = new engine.provider.Grant({ accountId: ACCOUNT, clientId: CLIENT });
      grant.addOIDCScope('openid');
      // The grant was saved by an earlier request, as in the interaction.
      await engine.inUnit(async () => {
        grantId = await grant.save();
      });
      return Object.assign(code, { accountId: ACCOUNT, grantId, scope: 'openid', authTime: 1 }).save();
    });
    return outcome.then((result) => ({ outcome: result, grantId }));
  };

  test('of parallel polls one is on time, and each of the others lengthens the interval', async () => {
    const { device_code } = await ask();
    const errors = (await inParallel(() => poll(device_code))).map(({ body }) => body.error);
    expect(errors.filter((error) => error === 'authorization_pending')).toHaveLength(1);
    expect(errors.filter((error) => error === 'slow_down')).toHaveLength(PARALLEL - 1);
    const { poll_interval_seconds } = await db
      .selectFrom('oidc_model')
      .select('poll_interval_seconds')
      .where('polled_too_soon', '=', true)
      .executeTakeFirstOrThrow();
    expect(poll_interval_seconds).toBe(5 * PARALLEL);
  });

  test('a code redeemed in parallel yields one set of tokens, which stays valid; a later redemption ends them', async () => {
    const { device_code } = await ask();
    const { grantId } = await decide(device_code, 'allow');
    const answers = await inParallel(() => poll(device_code));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refusals = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error);
    expect(new Set(refusals)).toEqual(new Set(['invalid_grant']));
    const kept = async () => {
      const counts = (['authorization_grant', 'access_token', 'refresh_token'] as const).map((table) =>
        table === 'authorization_grant'
          ? db.selectFrom(table).select('id').where('id', '=', grantId).execute()
          : db.selectFrom(table).select('id_hash').where('grant_id', '=', grantId).execute(),
      );
      return (await Promise.all(counts)).map(({ length }) => length);
    };
    expect(await kept()).toEqual([1, 1, 1]);
    await db
      .updateTable('oidc_model')
      .set({ consumed_at: sql`consumed_at - interval '11 seconds'` })
      .where('grant_id', '=', grantId)
      .execute();
    expect((await poll(device_code)).body.error).toBe('invalid_grant');
    expect(await kept()).toEqual([0, 0, 0]);
  });

  test('of parallel answers, approving or denying, one counts', async () => {
    const { device_code } = await ask();
    const outcomes = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) => decide(device_code, index % 2 ? 'allow' : 'deny')),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'spent')).toHaveLength(PARALLEL - 1);
    const grants = await db
      .selectFrom('authorization_grant')
      .select('id')
      .where('grant_mode', '=', 'device_code')
      .where('has_refresh_token', '=', true)
      .execute();
    const winner = outcomes.find(({ outcome }) => outcome === 'committed')?.grantId;
    expect(grants.map(({ id }) => id)).toEqual(winner ? [winner] : []);
  });

  test('the error access_denied spends a denied code', async () => {
    const { device_code } = await ask();
    await decide(device_code, 'deny');
    const errors = (await inParallel(() => poll(device_code))).map(({ body }) => body.error);
    expect(errors).toContain('access_denied');
    expect((await poll(device_code)).body.error).toBe('invalid_grant');
  });

  test('withdrawing the grant deletes its code, and another brand never finds the code', async () => {
    const { device_code } = await ask();
    const { grantId } = await decide(device_code, 'allow');
    const elsewhere = createStore(db, { brand: 'nocturne' }).adapter('DeviceCode');
    expect(await elsewhere.find(device_code)).toBeUndefined();
    const here = createStore(db).adapter('DeviceCode');
    expect(await here.find(device_code)).toMatchObject({ accountId: ACCOUNT, grantId });
    await createStore(db).adapter('Grant').destroy(grantId);
    expect(await here.find(device_code)).toBeUndefined();
  });

  test('the database stores no user code, and neither key that would recover it', async () => {
    const { device_code, user_code } = await ask();
    const code = user_code.replace('-', '');
    const rows = await db.selectFrom('oidc_model').selectAll().execute();
    for (const spelling of [code, user_code, hash('sha256', code, 'base64url'), device_code])
      expect(JSON.stringify(rows)).not.toContain(spelling);
    // The page that asks for the device shows the user code once more.
    expect(await createStore(db).adapter('DeviceCode').find(device_code)).toMatchObject({ userCode: code });
  });

  test('a user code is looked up for signed-in people only, so that each look-up is counted', async () => {
    const { user_code } = await ask();
    expect(await createStore(db).adapter('DeviceCode').findByUserCode(user_code.replace('-', ''))).toBe(
      undefined,
    );
  });
});
