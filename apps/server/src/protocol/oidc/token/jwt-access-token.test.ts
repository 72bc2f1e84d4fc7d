import { beforeAll, expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../../../testing/describe-on-databases.ts';
import { startEngine, type TokenAnswer } from '../../../../testing/engine.ts';
import { createProbe, createStore, inSeconds, insertAccount } from '../../../../testing/protocol-store.ts';
import { createResourceServerService } from '../../../clients/resource-server/resource-server.service.ts';
import { queueJwtIssue } from './jwt-access-token.ts';

describeOnDatabases('JWT access tokens', (connection) => {
  beforeAll(async () => {
    await insertAccount(connection.db);
  });

  test('issuing a JWT extends its grant beyond the end of the JWT, in one statement', async () => {
    const { probe, db } = createProbe(connection.db);
    const store = createStore(db);
    await store.seed({ grant: 'lasting' });
    probe.statements = 0;
    const until = inSeconds(40 * 86_400);
    const issue = { brand: 'aurelia', grantId: 'lasting', until };
    expect(await store.inUnit(async (unit) => queueJwtIssue(unit, issue))).toBe('committed');
    expect(probe.statements).toBe(1);
    const grant = await store.adapter('Grant').find('lasting');
    expect(grant?.exp).toBe(until + 86_400);
  });

  test('no JWT is issued for a grant withdrawn meanwhile', async () => {
    const store = createStore(connection.db);
    await store.seed({ grant: 'withdrawn' });
    const outcome = await store.inUnit(async (unit) => {
      queueJwtIssue(unit, { brand: 'aurelia', grantId: 'withdrawn', until: inSeconds(600) });
      await connection.db.deleteFrom('authorization_grant').where('id', '=', 'withdrawn').execute();
    });
    expect(outcome).toBe('spent');
  });

  test('a token for an API costs no more statements than another token', async () => {
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
    // Cached rows stay cached.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
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
    clock.mockRestore();
    await engine.close();
  });
});
