import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import { createWorld, type World } from '../support/world.ts';
import { type AtDesk, customer, hireStaff } from './staff.ts';

const reason = 'Asked for in the meeting of today';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('the service, apps and developers at the desk', () => {
  let world: World;
  let viewer: AtDesk;
  let operator: AtDesk;
  let second: AtDesk;

  beforeAll(async () => {
    world = await createWorld({ env: { DYNAMIC_REGISTRATION: 'open' } });
    viewer = await hireStaff(world, 'viewer');
    operator = await hireStaff(world, 'operator');
    second = await hireStaff(world, 'operator');
  });
  afterAll(() => world.close());

  const service = async (span = 'day') => (await viewer.agent.get(`/api/desk/service?span=${span}`)).json();
  type Step = { at: string; signIns: { succeeded: number }; codes: { sent: number }; links: object };
  const sum = (steps: Step[], of: (step: Step) => number) =>
    steps.reduce((total, step) => total + of(step), 0);

  describe('the service', () => {
    test('shows what people and apps did, by half hours of a day', async () => {
      const { identifier } = await world.signUp();
      await world.signIn(identifier);
      const wrong = world.browser();
      const { url } = await wrong.navigate('/login');
      await wrong.post(`/interaction/${world.interactionOf(url)}/login`, {
        identifier,
        password: 'not-the-one-77',
      });
      await world.flushCounts();
      const shown = await service();
      expect(shown.steps).toHaveLength(48);
      expect(Date.parse(shown.at) - Date.parse(shown.steps[47].at)).toBeLessThan(HOUR_MS / 2);
      expect(shown.steps[47].signIns).toMatchObject({ refused: 1 });
      expect(shown.steps[47].signIns.succeeded).toBeGreaterThanOrEqual(1);
      expect(shown.refusals).toEqual([{ reason: 'invalid_credentials', count: 1 }]);
      expect(shown.gateways).toMatchObject([{ channel: 'email' }]);
      const [mail] = shown.gateways;
      expect(mail.codesSent).toBeGreaterThanOrEqual(mail.codesUsed);
      expect(mail.taken).toBeGreaterThanOrEqual(mail.codesSent);
      expect(shown.database).toMatchObject({ schema: expect.stringMatching(/^\d{4}-/) });
      expect(shown.backlog.queues.map(({ queue }: { queue: string }) => queue)).toContain('mail');
    });

    test('counts links by the platform of their app, and those that ended', async () => {
      const { agent } = await world.signUp();
      const { rp } = await world.registerApp();
      const before = (await service()).platforms.find(
        (one: { platform: string }) => one.platform === 'other',
      );
      const { tokens } = await world.link(agent, rp);
      await rp.refresh(tokens.refresh_token ?? '');
      const [grant] = (await agent.get('/api/authorizations')).json().items;
      expect((await agent.delete(`/api/authorizations/${grant.id}`)).status).toBe(204);
      await world.flushCounts();
      const after = (await service()).platforms.find((one: { platform: string }) => one.platform === 'other');
      expect(after).toEqual({
        platform: 'other',
        made: (before?.made ?? 0) + 1,
        refreshed: (before?.refreshed ?? 0) + 1,
        ended: (before?.ended ?? 0) + 1,
      });
    });

    test('DK9: keeps one row for each process and minute, whatever happens in it', async () => {
      await world.flushCounts();
      for (let turn = 0; turn < 3; turn += 1) {
        await world.signUp();
        await world.flushCounts();
      }
      const rows = await world.db
        .selectFrom('service_count')
        .select(['at', 'process'])
        .where('grain', '=', 'minute')
        .execute();
      const keys = rows.map(({ at, process }) => `${process} ${at.getTime()}`);
      expect(new Set(keys).size).toBe(keys.length);
      for (const { at } of rows) expect(at.getTime() % MINUTE_MS).toBe(0);
      const written = (await service()).steps as Step[];
      await world.flushCounts();
      expect(sum((await service()).steps, ({ codes }) => codes.sent)).toBe(
        sum(written, ({ codes }) => codes.sent),
      );
    });

    test('DK9: adds minutes of before two days to their hours, and forgets hours after 90 days', async () => {
      await world.flushCounts();
      const total = async () =>
        sum((await service('quarter')).steps, ({ signIns }) => signIns.succeeded) as number;
      const before = await total();
      const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 60 * HOUR_MS);
      const insert = (at: Date, process: string, succeeded: number, grain: 'minute' | 'hour' = 'minute') =>
        sql`insert into service_count (grain, at, process, counts) values
          (${grain}, ${at}, ${process}, cast(${JSON.stringify({ sign_in_succeeded: succeeded })} as jsonb))`.execute(
          world.db,
        );
      await insert(hour, 'a', 2);
      await insert(hour, 'b', 3);
      await insert(new Date(hour.getTime() + 59 * MINUTE_MS), 'a', 5);
      await insert(new Date(hour.getTime() + HOUR_MS), 'a', 7);
      await insert(new Date(Date.now() - 91 * 24 * HOUR_MS), '', 1_000, 'hour');
      expect(await total()).toBe(before + 17);
      await world.sweep();
      // A row that comes late is added to its hour.
      await insert(new Date(hour.getTime() + MINUTE_MS), 'c', 1);
      await world.sweep();
      const hours = await world.db
        .selectFrom('service_count')
        .select(['at', 'process', 'counts'])
        .where('grain', '=', 'hour')
        .orderBy('at')
        .execute();
      expect(hours).toEqual([
        { at: hour, process: '', counts: { sign_in_succeeded: 11 } },
        { at: new Date(hour.getTime() + HOUR_MS), process: '', counts: { sign_in_succeeded: 7 } },
      ]);
      expect(await total()).toBe(before + 18);
    });
  });

  describe('apps', () => {
    test('are all shown, with how they fare, who manages them, their errors and history', async () => {
      const { clientId } = await world.registerApp({ client_name: 'Lamps of Ada' });
      const ada = await world.signUpDeveloper();
      await world.inviteDeveloper(clientId, ada.identifier);
      const list = (await viewer.agent.get('/api/desk/clients')).json().items;
      expect(list[0]).toMatchObject({ client_id: clientId, source: 'operator', alert: { errorsToday: 0 } });
      const { client, health, members } = (await viewer.agent.get(`/api/desk/clients/${clientId}`)).json();
      expect(client).toMatchObject({ client_name: 'Lamps of Ada', disabled: false });
      expect(health.days).toHaveLength(30);
      expect(members).toMatchObject([{ role: 'owner' }]);
      expect(members[0].identifier).not.toContain(ada.identifier);
      const bad = await world
        .browser()
        .get(`/oauth/authorize?client_id=${clientId}&redirect_uri=https://x.example/`);
      expect(bad.status).toBe(400);
      await world.flushRecords();
      const errors = (await viewer.agent.get(`/api/desk/clients/${clientId}/errors`)).json();
      expect(errors.items).toMatchObject([{ kind: 'redirect_uri_mismatch' }]);
      const history = (await viewer.agent.get(`/api/desk/clients/${clientId}/history`)).json();
      expect(history.items.map(({ action }: { action: string }) => action)).toEqual([
        'member_added',
        'created',
      ]);
      for (const path of ['', '/errors', '/history'])
        expect(refusal(await viewer.agent.get(`/api/desk/clients/unknown${path}`))).toEqual([
          404,
          'not_found',
        ]);
    });

    test('that registered themselves are a list of their own', async () => {
      const list = async (source: string) =>
        (await viewer.agent.get(`/api/desk/clients?source=${source}`)).json().items;
      const registered = await world.browser().request('POST', '/oauth/register', {
        json: {
          client_name: 'An assistant',
          redirect_uris: ['http://127.0.0.1/callback'],
          token_endpoint_auth_method: 'none',
        },
      });
      expect(registered.status, registered.body).toBe(201);
      expect(await list('dynamic')).toMatchObject([
        { client_id: registered.json().client_id, client_name: 'An assistant', source: 'dynamic' },
      ]);
      expect((await list('operator')).length).toBeGreaterThan(0);
      expect((await viewer.agent.get('/api/desk/clients?source=anything')).status).toBe(400);
    });

    test('DK6: are disabled and enabled by operators, with a reason that the record keeps', async () => {
      const { clientId, rp } = await world.registerApp();
      const { agent } = await world.signUp();
      const { tokens } = await world.link(agent, rp);
      const path = `/api/desk/clients/${clientId}/disable`;
      expect(refusal(await viewer.agent.post(path, { reason }))).toEqual([403, 'role_insufficient']);
      expect(refusal(await operator.agent.post(path, { reason: ' ' }))).toEqual([400, 'reason_blank']);
      const [a, b] = await Promise.all([
        operator.agent.post(path, { reason }),
        second.agent.post(path, { reason }),
      ]);
      // One of two operators at once does it; the other hears that it is so already.
      expect([a.status, b.status].toSorted()).toEqual([200, 409]);
      await expect(rp.refresh(tokens.refresh_token ?? '')).rejects.toThrow();
      const { entry } = (a.status === 200 ? a : b).json();
      const records = (await operator.agent.get('/api/desk/record?action=disable-app')).json().items;
      expect(records).toContainEqual(
        expect.objectContaining({ entry, subject: clientId, reason, outcome: 'done' }),
      );
      const refused = { subject: `${clientId} nothing_to_do`, outcome: 'refused' };
      expect(records).toContainEqual(expect.objectContaining(refused));
      const enabled = await operator.agent.post(`/api/desk/clients/${clientId}/enable`, { reason });
      expect(enabled.status, enabled.body).toBe(200);
      const again = await operator.agent.post(`/api/desk/clients/${clientId}/enable`, { reason });
      expect(refusal(again)).toEqual([409, 'nothing_to_do']);
    });
  });

  describe('developers', () => {
    const access = async ({ agent }: Pick<AtDesk, 'agent'>) =>
      (await agent.get('/api/developer-access')).json();
    const queue = async (): Promise<{ account: { id: string }; why: string; identifiers: string[] }[]> =>
      (await operator.agent.get('/api/desk/developers')).json().items;

    test('DK6: who ask are allowed by an operator, and are told by a message', async () => {
      const ada = await customer(world);
      expect(await access(ada)).toEqual({ state: 'none', canAsk: true });
      expect(refusal(await ada.agent.post('/api/developer-access', { why: ' ' }))).toEqual([
        400,
        'reason_blank',
      ]);
      const long = await ada.agent.post('/api/developer-access', { why: 'x'.repeat(5_000) });
      expect(refusal(long)).toEqual([400, 'reason_too_long']);
      await ada.agent.post('/api/developer-access', { why: 'A first try' });
      const why = 'I build <script>alert(1)</script> lamps';
      const asked = await ada.agent.post('/api/developer-access', { why });
      expect(asked.json()).toMatchObject({ state: 'waiting', canAsk: false });
      const own = (await queue()).filter(({ account }) => account.id === ada.id);
      expect(own).toMatchObject([{ why }]);
      expect(own[0]?.identifiers.join()).not.toContain(ada.identifier);
      const path = `/api/desk/developers/${ada.id}`;
      expect(refusal(await viewer.agent.get('/api/desk/developers'))).toEqual([403, 'role_insufficient']);
      const [a, b] = await Promise.all([
        operator.agent.post(path, { approve: true, reason }),
        second.agent.post(path, { approve: false, reason }),
      ]);
      expect([a.status, b.status].toSorted()).toEqual([200, 409]);
      const allowed = a.status === 200;
      expect((await access(ada)).state).toBe(allowed ? 'allowed' : 'refused');
      expect((await ada.agent.get('/api/clients')).status).toBe(allowed ? 200 : 403);
      const message = await world.lastMessageTo(ada.identifier);
      expect(message.purpose).toBe(allowed ? 'developer_allowed' : 'developer_refused');
      const action = allowed ? 'allow-developer' : 'refuse-developer';
      const entries = (await operator.agent.get(`/api/desk/record?action=${action}`)).json().items;
      expect(entries).toContainEqual(expect.objectContaining({ account: ada.id, reason, outcome: 'done' }));
      expect(await queue()).not.toContainEqual(expect.objectContaining({ account: { id: ada.id } }));
    });

    test('DK10: who are refused ask again after 30 days, and not before', async () => {
      const ada = await customer(world);
      await ada.agent.post('/api/developer-access', { why: 'I build lamps' });
      const refused = await operator.agent.post(`/api/desk/developers/${ada.id}`, { approve: false, reason });
      expect(refused.status, refused.body).toBe(200);
      expect(await access(ada)).toMatchObject({ state: 'refused', canAsk: false });
      const again = () => ada.agent.post('/api/developer-access', { why: 'I do build lamps' });
      expect(refusal(await again())).toEqual([429, 'rate_limited']);
      await sql`update developer_request set expires_at = now() - interval '1 second' where account_id = ${ada.id}`.execute(
        world.db,
      );
      expect((await again()).json()).toMatchObject({ state: 'waiting' });
    });

    test('who may register clients by now is neither allowed nor refused, and not told so', async () => {
      for (const approve of [false, true]) {
        const ada = await customer(world);
        await ada.agent.post('/api/developer-access', { why: 'I build lamps' });
        await world.developers.allow(ada.identifier);
        const before = (await world.messages()).length;
        const answer = await operator.agent.post(`/api/desk/developers/${ada.id}`, { approve, reason });
        expect(refusal(answer)).toEqual([409, 'nothing_to_do']);
        expect((await access(ada)).state).toBe('allowed');
        expect(await world.messages()).toHaveLength(before);
        // What they asked is over: it does not come back where they may do so no more.
        await world.developers.revoke(ada.identifier);
        expect((await access(ada)).state).toBe('none');
        expect(await queue()).not.toContainEqual(expect.objectContaining({ account: { id: ada.id } }));
      }
    });

    test('DK10: are not allowed by themselves, and nobody is who did not ask', async () => {
      await operator.agent.post('/api/developer-access', { why: 'I am an operator' });
      const own = await operator.agent.post(`/api/desk/developers/${operator.id}`, { approve: true, reason });
      expect(refusal(own)).toEqual([403, 'own_account']);
      const ada = await customer(world);
      const path = `/api/desk/developers/${ada.id}`;
      const unasked = await operator.agent.post(path, { approve: true, reason });
      expect(refusal(unasked)).toEqual([409, 'nothing_to_do']);
      const unknown = await operator.agent.post('/api/desk/developers/unknown', { approve: true, reason });
      expect(refusal(unknown)).toEqual([404, 'not_found']);
    });
  });
});
