import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openTestDatabases } from '../../../testing/databases.ts';
import type { Connection } from '../../db/connect.ts';
import { createResourceServerService } from '../../resource-server/resource-server.service.ts';
import {
  createProbe,
  createStore,
  inSeconds,
  insertAccount,
  startEngine,
  type TokenAnswer,
} from '../testing.ts';
import { queueJwtIssue } from './jwt-access-token.ts';

describe.each(openTestDatabases())('on $name', ({ open }) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await open();
    await insertAccount(connection.db);
  });
  afterAll(() => connection.close());

  test('issuing a JWT lets its grant last as long, in one statement', async () => {
    const { probe, db } = createProbe(connection.db);
    const store = createStore(db);
    await store.seed({ grant: 'lasting' });
    probe.statements = 0;
    const until = inSeconds(40 * 86_400);
    const issue = { brand: 'aurelia', grantId: 'lasting', until };
    expect(await store.inUnit(async (unit) => queueJwtIssue(unit, issue))).toBe('committed');
    expect(probe.statements).toBe(1);
    const grant = await store.adapter('Grant').find('lasting');
    expect(grant?.exp).toBe(until);
  });

  test('a JWT is not issued for a grant that is withdrawn meanwhile', async () => {
    const store = createStore(connection.db);
    await store.seed({ grant: 'withdrawn' });
    const outcome = await store.inUnit(async (unit) => {
      queueJwtIssue(unit, { brand: 'aurelia', grantId: 'withdrawn', until: inSeconds(600) });
      await connection.db.deleteFrom('authorization_grant').where('id', '=', 'withdrawn').execute();
    });
    expect(outcome).toBe('spent');
  });

  test('a token for an API costs no statement more than another one', async () => {
    const { probe, db } = createProbe(connection.db);
    const identifier = 'https://api.example/';
    await createResourceServerService({ db }).applyResourceServers([
      { identifier, name: 'API', scopes: [{ name: 'read' }] },
    ]);
    const engine = await startEngine(db);
    const counted = async (work: () => Promise<TokenAnswer>) => {
      probe.statements = 0;
      const { status, body } = await work();
      expect(status).toBe(200);
      return { statements: probe.statements, body };
    };
    // What is cached stays so.
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    for (const resource of [undefined, identifier]) {
      const issue = () => (resource ? engine.issueResourceCode(resource) : engine.issueCode());
      const more = resource ? { resource } : {};
      await engine.redeem((await issue()).code, more);
      const { code } = await issue();
      const redeemed = await counted(() => engine.redeem(code, more));
      expect(redeemed.body.access_token?.includes('.')).toBe(resource !== undefined);
      const refreshed = await counted(() => engine.refresh(redeemed.body.refresh_token ?? '', more));
      expect(refreshed.body.access_token?.includes('.')).toBe(resource !== undefined);
      expect([redeemed.statements, refreshed.statements]).toEqual([2, 2]);
    }
    const { body } = await engine.redeem((await engine.issueCode()).code);
    const form = { token: body.access_token ?? '', token_type_hint: 'access_token' };
    const introspected = await counted(() => engine.post('/oauth/introspect', form));
    expect(introspected).toMatchObject({ statements: 1, body: { active: true } });
    vi.useRealTimers();
    await engine.close();
  });
});
