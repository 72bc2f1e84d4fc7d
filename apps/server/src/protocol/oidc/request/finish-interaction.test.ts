import type { Kysely } from 'kysely';
import type { InteractionResults } from 'oidc-provider';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../../testing/describe-on-databases.ts';
import {
  ACCOUNT,
  CLIENT,
  createStore,
  facts,
  grantPayload,
  inSeconds,
  insertAccount,
} from '../../../../testing/protocol-store.ts';
import type { Database } from '../../../ground/db/database.ts';
import { currentUnit } from '../storage/unit.ts';
import { createFinishInteraction } from './finish-interaction.ts';
import { queueRememberedConsent } from './remember-consent.ts';

const BRAND = 'aurelia';

describeOnDatabases('an interaction that is finished', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
    await insertAccount(db);
  });

  const begin = async (uid: string, more: object = {}, expiresIn = 600) => {
    const store = createStore(db);
    await store.inUnit(() =>
      store.adapter('Interaction').upsert(
        uid,
        {
          kind: 'Interaction',
          jti: uid,
          returnTo: `https://id.example/oauth/authorize/${uid}`,
          params: { client_id: CLIENT },
          prompt: { name: 'consent', reasons: [], details: {} },
          exp: inSeconds(expiresIn),
          ...more,
        },
        expiresIn,
      ),
    );
    return store;
  };
  const find = (uid: string) => createStore(db).adapter('Interaction').find(uid);
  const rowOf = (id: string) =>
    db.selectFrom('authorization_grant').select('id').where('id', '=', id).execute();
  const finish = (
    uid: string,
    result: InteractionResults,
    prepare: () => Promise<unknown> = async () => undefined,
  ) =>
    createFinishInteraction(db)({ brand: BRAND, uid, facts }, async () => {
      await prepare();
      return result;
    });

  test('of 20 parallel answers one wins, and only its writes are saved', async () => {
    const { adapter } = await begin('asked-at-once');
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        finish('asked-at-once', { consent: { grantId: `grant-${index}` } }, async () => {
          await adapter('Grant').upsert(`grant-${index}`, grantPayload(`grant-${index}`), 600);
          const unit = currentUnit();
          const key = { brand: BRAND, accountId: ACCOUNT, clientId: CLIENT, fingerprint: 'an app' };
          const answer = { approved: new Set([`scope-${index}`]), declined: new Set<string>() };
          if (unit) queueRememberedConsent(unit, key, answer);
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'interaction_expired' });
    }
    const winner = answers.findIndex(({ status }) => status === 'fulfilled');
    expect((await find('asked-at-once'))?.result).toEqual({ consent: { grantId: `grant-${winner}` } });
    const grants = await db.selectFrom('authorization_grant').select('id').execute();
    expect(grants).toEqual([{ id: `grant-${winner}` }]);
    expect(await db.selectFrom('remembered_consent').select('scope').execute()).toEqual([
      { scope: `scope-${winner}` },
    ]);
  });

  test('an interaction that expired, was destroyed or belongs to another brand cannot be answered', async () => {
    const expired = { code: 'interaction_expired' };
    await begin('too-old', {}, -1);
    await expect(finish('too-old', { login: { accountId: ACCOUNT } })).rejects.toMatchObject(expired);

    const store = await begin('over');
    await store.inUnit(() => store.adapter('Interaction').destroy('over'));
    await expect(finish('over', { login: { accountId: ACCOUNT } })).rejects.toMatchObject(expired);
    expect(await find('over')).toBeUndefined();

    await begin('elsewhere');
    const other = createFinishInteraction(db)(
      { brand: 'nocturne', uid: 'elsewhere', facts },
      async () => ({}),
    );
    await expect(other).rejects.toMatchObject(expired);
    await expect(finish('never-was', { login: { accountId: ACCOUNT } })).rejects.toMatchObject(expired);
  });

  test('earlier results of the interaction are kept, except beside an error', async () => {
    const lastSubmission = { login: { accountId: ACCOUNT } };
    await begin('later', { lastSubmission });
    await finish('later', { consent: { grantId: 'x' } });
    expect((await find('later'))?.result).toEqual({ ...lastSubmission, consent: { grantId: 'x' } });
    await begin('declined', { lastSubmission });
    await finish('declined', { error: 'access_denied' });
    expect((await find('declined'))?.result).toEqual({ error: 'access_denied' });
  });

  test('a grant is bound to the session it is made in, and an ended session gets no grant', async () => {
    const { adapter, seed } = await begin('in-a-session');
    await seed({ session: 'consenting' });
    const approve = (uid: string, sessionUid: string) =>
      createFinishInteraction(db)({ brand: BRAND, uid, facts, sessionUid }, async () => {
        await adapter('Grant').upsert(`of-${uid}`, grantPayload(`of-${uid}`), 600);
        return { consent: { grantId: `of-${uid}` } };
      });
    await approve('in-a-session', 'consenting');
    const made = await db
      .selectFrom('authorization_grant')
      .select(['session_uid', 'user_agent'])
      .where('id', '=', 'of-in-a-session')
      .executeTakeFirst();
    expect(made).toEqual({ session_uid: 'consenting', user_agent: facts.userAgent });

    await begin('session-over');
    await expect(approve('session-over', 'no-such-session')).rejects.toMatchObject({
      code: 'interaction_expired',
    });
    expect(await rowOf('of-session-over')).toEqual([]);
    expect((await find('session-over'))?.result).toBeUndefined();
  });

  test('a save by the engine does not bring back an interaction destroyed meanwhile', async () => {
    const { adapter, inUnit } = await begin('resumed');
    await inUnit(async () => {
      const found = await adapter('Interaction').find('resumed');
      await inUnit(() => adapter('Interaction').destroy('resumed'));
      await adapter('Interaction').upsert(
        'resumed',
        { ...found, result: { login: { accountId: ACCOUNT } } },
        600,
      );
    });
    expect(await find('resumed')).toBeUndefined();
  });

  test('an expired or ended interaction keeps its client, and nothing else of the request', async () => {
    const { adapter, inUnit } = await begin('traced', { params: { client_id: CLIENT, state: 'a-state' } });
    await inUnit(() => adapter('Interaction').destroy('traced'));
    const rows = await db
      .selectFrom('interaction')
      .selectAll()
      .where('destroyed_at', 'is not', null)
      .execute();
    expect(rows.every((row) => row.client_id === CLIENT)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain('a-state');
  });
});
