import type { Kysely } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../../testing/describe-on-databases.ts';
import {
  ACCOUNT,
  CLIENT,
  createProbe,
  createStore,
  grantPayload,
  insertAccount,
  tokenPayload,
} from '../../../../testing/protocol-store.ts';
import type { Database } from '../../../ground/db/database.ts';

const ADAPTER = 'Session';

describeOnDatabases('sessions of the engine', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
    await insertAccount(db);
  });

  const rowOf = (uid: string) =>
    db.selectFrom('session').selectAll().where('uid', '=', uid).executeTakeFirst();
  const grantExists = async (id: string) =>
    (await db.selectFrom('authorization_grant').select('id').where('id', '=', id).execute()).length === 1;

  test('a session stores the browser that asked, and is found by its id and by its uid', async () => {
    const { adapter, seed } = createStore(db);
    await seed({ session: 'plain' });
    expect(await rowOf('plain')).toMatchObject({
      user_agent: 'Test/1.0',
      address: '192.0.2.1',
      locale: 'en',
    });
    const found = await adapter(ADAPTER).find('plain-id');
    expect(found).toMatchObject({
      jti: 'plain-id',
      uid: 'plain',
      authorizations: { [CLIENT]: { sid: 'a-sid' } },
    });
    expect(await adapter(ADAPTER).findByUid('plain')).toMatchObject({
      uid: 'plain',
      accountId: found?.accountId,
    });
    expect((await adapter(ADAPTER).findByUid('plain'))?.jti).toBeUndefined();
  });

  test('an unchanged session is not rewritten within the minute, a changed one is', async () => {
    const { probe, db: counted } = createProbe(db);
    const { adapter, inUnit, seed } = createStore(counted);
    await seed({ session: 'still' });
    const visit = (change: object = {}) =>
      inUnit(async () => {
        const found = await adapter(ADAPTER).find('still-id');
        probe.statements = 0;
        await adapter(ADAPTER).upsert('still-id', { ...found, ...change, exp: 9_999_999_999 }, 3600);
      });
    await visit();
    expect(probe.statements).toBe(0);
    await visit({ acr: 'phr' });
    expect(probe.statements).toBe(1);
    await visit({ acr: 'phr' });
    expect(probe.statements).toBe(0);
    const minuteAgo = new Date(Date.now() - 61_000);
    const earlierEnd = new Date(Date.now() + 3_539_000);
    for (const change of [{ last_accessed_at: minuteAgo }, { expires_at: earlierEnd }]) {
      await db.updateTable('session').set(change).where('uid', '=', 'still').execute();
      await visit({ acr: 'phr' });
      expect(probe.statements).toBe(1);
    }
    const row = await rowOf('still');
    expect(row?.last_accessed_at.getTime()).toBeGreaterThan(Date.now() - 30_000);
    expect(row?.expires_at.getTime()).toBeGreaterThan(earlierEnd.getTime() + 30_000);
  });

  test('the token of a form can be read only with the id of the session', async () => {
    const { adapter, inUnit, seed } = createStore(db);
    await seed({ session: 'asked' });
    const secret = 'the token of a form';
    const ask = (id: string, later = id) =>
      inUnit(async () => {
        const found = await adapter(ADAPTER).find(id);
        await adapter(ADAPTER).upsert(later, { ...found, state: { secret, clientId: CLIENT } }, 3600);
      });
    await ask('asked-id');
    expect(JSON.stringify(await rowOf('asked'))).not.toContain(secret);
    expect((await adapter(ADAPTER).find('asked-id'))?.state).toEqual({ secret, clientId: CLIENT });
    const before = (await rowOf('asked'))?.payload;
    await ask('asked-id');
    expect((await rowOf('asked'))?.payload).toEqual(before);
    await ask('asked-id', 'asked-later');
    expect((await adapter(ADAPTER).find('asked-later'))?.state).toEqual({ secret, clientId: CLIENT });
  });

  test('nested changes by the engine in a found session are written', async () => {
    const { adapter, inUnit, seed } = createStore(db);
    await seed({ session: 'deep' });
    await inUnit(async () => {
      const found = await adapter(ADAPTER).find('deep-id');
      Object.assign(found?.authorizations ?? {}, { another: { sid: 'another-sid' } });
      await adapter(ADAPTER).upsert('deep-id', { ...found }, 3600);
    });
    expect((await rowOf('deep'))?.payload).toMatchObject({
      authorizations: { [CLIENT]: { sid: 'a-sid' }, another: { sid: 'another-sid' } },
    });
  });

  test('what two requests change of the apps of a session adds up, and what one removes stays removed', async () => {
    const { adapter, inUnit, seed } = createStore(db);
    await seed({ session: 'shared' });
    await inUnit(async () => {
      const late = await adapter(ADAPTER).find('shared-id');
      await inUnit(async () => {
        const early = await adapter(ADAPTER).find('shared-id');
        await adapter(ADAPTER).upsert(
          'shared-id',
          { ...early, authorizations: { early: { sid: 'early-sid' } } },
          3600,
        );
      });
      Object.assign(late?.authorizations ?? {}, { late: { sid: 'late-sid' } });
      await adapter(ADAPTER).upsert('shared-id', { ...late }, 3600);
    });
    expect((await rowOf('shared'))?.payload.authorizations).toEqual({
      early: { sid: 'early-sid' },
      late: { sid: 'late-sid' },
    });
  });

  test('ending a session queues one logout for each client that registered for logouts', async () => {
    const { adapter, inUnit, seed } = createStore(db);
    const uri = { backchannel_logout_uri: 'https://app.example/logout' };
    await db
      .insertInto('client')
      .values({ id: CLIENT, metadata: JSON.stringify(uri) })
      .execute();
    await seed({ session: 'ending' });
    const end = () =>
      inUnit(async () => {
        await adapter(ADAPTER).find('ending-id');
        await adapter(ADAPTER).destroy('ending-id');
      });
    await Promise.all([end(), end(), end()]);
    const logouts = await db
      .selectFrom('backchannel_logout')
      .select(['client_id', 'account_id', 'sid'])
      .execute();
    expect(logouts).toEqual([{ client_id: CLIENT, account_id: ACCOUNT, sid: 'a-sid' }]);
    await db.deleteFrom('client').execute();
  });

  test('when the id rotates, the uid stays, and so do the rows that refer to it', async () => {
    const { adapter, inUnit, seed } = createStore(db);
    await seed({ session: 'rotating', grant: 'of-rotating' });
    await inUnit(async () => {
      const found = await adapter(ADAPTER).find('rotating-id');
      await adapter(ADAPTER).destroy('rotating-id');
      await adapter(ADAPTER).upsert('rotated-id', { ...found, jti: 'rotated-id' }, 3600);
    });
    expect(await adapter(ADAPTER).find('rotating-id')).toBeUndefined();
    expect(await adapter(ADAPTER).find('rotated-id')).toMatchObject({ uid: 'rotating' });
    expect(await grantExists('of-rotating')).toBe(true);
  });

  test('a late save brings back neither an ended session nor a grant made in it', async () => {
    const { adapter, inUnit, seed } = createStore(db);
    await seed({ session: 'ended' });
    const save = (unitOf: () => Promise<unknown> = async () => undefined) =>
      inUnit(async () => {
        const found = await adapter(ADAPTER).find('ended-id');
        await unitOf();
        await db.deleteFrom('session').where('uid', '=', 'ended').execute();
        await adapter(ADAPTER).upsert('ended-new-id', { ...found, acr: 'late' }, 3600);
      });
    expect(await save()).toBe('committed');
    expect(await rowOf('ended')).toBeUndefined();

    await seed({ session: 'ended' });
    expect(await save(() => adapter('Grant').upsert('too-late', grantPayload('too-late'), 60))).toBe('gone');
    expect(await grantExists('too-late')).toBe(false);
    expect(await rowOf('ended')).toBeUndefined();
  });

  test('ending a session ends the grants bound to it, and leaves links and grants of other sessions', async () => {
    const { adapter, inUnit, seed } = createStore(db);
    await seed({ session: 'leaving', grant: 'bound' });
    await seed({ grant: 'elsewhere' });
    await inUnit(async (unit) => {
      unit.sessionUid = 'leaving';
      await adapter('Grant').upsert('link', grantPayload('link'), 60);
    });
    for (const [model, grant] of [
      ['AccessToken', 'bound'],
      ['AccessToken', 'elsewhere'],
      ['RefreshToken', 'link'],
    ] as const) {
      await inUnit(() => adapter(model).upsert(`of-${grant}`, tokenPayload(model, `of-${grant}`, grant), 60));
    }
    await inUnit(async () => {
      await adapter(ADAPTER).find('leaving-id');
      await adapter(ADAPTER).destroy('leaving-id');
    });
    expect(await rowOf('leaving')).toBeUndefined();
    expect(await grantExists('bound')).toBe(false);
    expect(await adapter('AccessToken').find('of-bound')).toBeUndefined();
    expect(await adapter('AccessToken').find('of-elsewhere')).toBeDefined();
    expect(await adapter('RefreshToken').find('of-link')).toBeDefined();
  });

  test('a grant made while its session ends does not outlive it', async () => {
    const { adapter, inUnit, seed } = createStore(db);
    for (let round = 0; round < 20; round += 1) {
      const uid = `racing-${round}`;
      await seed({ session: uid });
      const makeGrant = (name: string) =>
        inUnit(async (unit) => {
          await adapter(ADAPTER).find(`${uid}-id`);
          unit.sessionUid = uid;
          await adapter('Grant').upsert(name, grantPayload(name), 60);
        });
      const end = inUnit(async () => {
        await adapter(ADAPTER).find(`${uid}-id`);
        await adapter(ADAPTER).destroy(`${uid}-id`);
      });
      await Promise.all([end, ...Array.from({ length: 6 }, (_, index) => makeGrant(`${uid}-${index}`))]);
      for (let index = 0; index < 6; index += 1) expect(await grantExists(`${uid}-${index}`)).toBe(false);
    }
  });
});
