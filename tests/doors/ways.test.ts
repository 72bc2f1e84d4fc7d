import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proveByCode, undoTokenTo } from '../api/settings.ts';
import { refusal } from '../oidc/authorization.ts';
import { createOpenidProvider, type OpenidProvider } from '../support/openid-provider.ts';
import { givePasskey } from '../support/passkeys.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { accountOf, comeFrom, createDoorWorld, goTo, locationOf, registerHere } from './door-world.ts';

describe('the ways into an account through identity providers', () => {
  let played: OpenidProvider;
  let world: World;
  let shiftSeconds = 0;
  let subjects = 0;
  const now = () => new Date(Date.now() + shiftSeconds * 1000);

  beforeAll(async () => {
    played = await createOpenidProvider();
    world = await createDoorWorld([played.entry()], { hosts: [played.host], now });
  });
  afterAll(async () => {
    await world.close();
    await played.close();
  });
  beforeEach(() => {
    shiftSeconds = 0;
  });

  const nextSubject = () => {
    subjects += 1;
    return { sub: `way-${subjects}`, email: `way-${subjects}@there.example` };
  };

  /** Links an account at the provider, and answers how that ended. */
  const link = async (agent: UserAgent, somebody = nextSubject()) => {
    const begun = await agent.post('/api/providers/played');
    expect(begun.status, begun.body).toBe(200);
    const { url } = await agent.navigate(played.signIn(new URL(begun.json().returnTo), somebody));
    return { somebody, reason: url.searchParams.get('reason'), path: url.pathname };
  };
  const itemOf = async (agent: UserAgent) => (await agent.get('/api/providers')).json().items[0];
  const opens = async (somebody: { sub: string }) => {
    const { agent } = await comeFrom(world, played, somebody);
    return (await agent.get('/api/account')).status === 200 ? accountOf(agent) : undefined;
  };

  test('a person links an account at a provider, sees it, and signs in with it', async () => {
    const { agent, identifier } = await world.signUp();
    expect(await itemOf(agent)).toEqual({ id: 'played', kind: 'oidc', name: 'Played' });
    const { somebody, reason, path } = await link(agent);
    expect([path, reason]).toEqual(['/index', 'linked']);
    expect(await itemOf(agent)).toMatchObject({ email: somebody.email, linkedAt: expect.any(String) });
    expect((await itemOf(agent)).lastUsedAt).toBeUndefined();
    expect(await opens(somebody)).toBe(await accountOf(agent));
    expect((await itemOf(agent)).lastUsedAt).toBeDefined();
    const { text } = await world.lastMessageTo(identifier, ({ purpose }) => purpose === 'provider_linked');
    expect(text).toContain('Played');
    expect(refusal(await agent.post('/api/providers/played'))).toEqual([409, 'provider_exists']);
    expect(refusal(await agent.post('/api/providers/nobody'))).toEqual([404, 'not_found']);
  });

  test('an account at a provider opens one account alone', async () => {
    const { agent } = await world.signUp();
    const { somebody } = await link(agent);
    const { agent: other } = await world.signUp();
    expect((await link(other, somebody)).reason).toBe('provider_taken');
    expect((await itemOf(other)).linkedAt).toBeUndefined();
  });

  test('to link and to unlink take a step-up that is no younger than the account, and than the way in', async () => {
    const { agent, identifier } = await world.signUp();
    const { somebody } = await link(agent);
    shiftSeconds = 3_600;
    expect(refusal(await agent.post('/api/providers/played'))).toEqual([403, 'step_up_required']);
    expect(refusal(await agent.delete('/api/providers/played'))).toEqual([403, 'step_up_required']);
    // A password alone, which somebody may have found out, proves no age.
    await agent.post('/api/step-up', { password: 'moonlight77' });
    const refused = await agent.delete('/api/providers/played');
    expect(refused.json().error).toMatchObject({
      code: 'step_up_required',
      fields: { email: 'step_up_required' },
    });
    await proveByCode(world, agent, identifier);
    expect((await agent.delete('/api/providers/played')).status).toBe(204);
    expect(await opens(somebody)).toBeUndefined();
  });

  test('IP10: all contacts are told of a way in that went, with a link that puts it back', async () => {
    const { agent, identifier } = await world.signUp();
    const { somebody } = await link(agent);
    shiftSeconds = 80 * 3_600;
    await proveByCode(world, agent, identifier);
    expect((await agent.delete('/api/providers/played')).status).toBe(204);
    expect((await agent.get('/api/activity')).json().items[0]).toMatchObject({
      kind: 'provider_unlinked',
      detail: { name: 'Played' },
    });
    const token = await undoTokenTo(world, identifier);
    const anybody = world.browser();
    expect((await anybody.post('/api/undo/look', { token })).json()).toMatchObject({
      kind: 'provider_removed',
      waits: false,
    });
    expect((await anybody.post('/api/undo', { token })).status).toBe(200);
    expect((await agent.get('/api/account')).status).toBe(401);
    expect(refusal(await anybody.post('/api/undo', { token }))).toEqual([404, 'not_found']);
    const { text } = await world.lastMessageTo(identifier, ({ purpose }) => purpose === 'provider_restored');
    expect(text).toContain('Played');

    // Whoever has the link may be whom it kept out.
    shiftSeconds += 3_600;
    const again = await comeFrom(world, played, somebody);
    expect((await again.agent.get('/api/account')).status).toBe(401);
    const code = await world.receiveCode(again.agent, identifier, 'login');
    await again.agent.post(`/interaction/${again.uid}/login`, { identifier, code });
    const opened = await comeFrom(world, played, somebody);
    // It is as young as one that was added.
    expect(Date.parse((await itemOf(opened.agent)).linkedAt)).toBeGreaterThan(now().getTime() - 600_000);
  });

  test('IP10: the link in the notice of a way in that came takes it back', async () => {
    const { agent, identifier } = await world.signUp();
    shiftSeconds = 80 * 3_600;
    await proveByCode(world, agent, identifier);
    const { somebody } = await link(agent);
    const token = await undoTokenTo(world, identifier);
    expect((await world.browser().post('/api/undo/look', { token })).json().kind).toBe('provider');
    expect((await world.browser().post('/api/undo', { token })).status).toBe(200);
    expect(await opens(somebody)).toBeUndefined();
  });

  test('“This wasn’t me” takes back what the session linked', async () => {
    const { agent: owner, identifier } = await world.signUp();
    shiftSeconds = 80 * 3_600;
    const { agent: intruder } = await world.signIn(identifier);
    await proveByCode(world, intruder, identifier);
    const { somebody } = await link(intruder);
    await proveByCode(world, owner, identifier);
    const { items } = (await owner.get('/api/activity')).json();
    const linked = items.find(({ kind }: { kind: string }) => kind === 'provider_linked');
    const disputed = await owner.post(`/api/activity/${linked.id}/dispute`, { takeBack: true });
    expect(disputed.json(), disputed.body).toMatchObject({ sessionEnded: true, tookBack: true });
    expect(await opens(somebody)).toBeUndefined();
  });

  test('IP11: the last way in stays, and goes once there is another', async () => {
    const way = await comeFrom(world, played, { sub: 'lonely' });
    const made = await registerHere(world, way.agent, way.uid);
    await way.agent.navigate(made.json().returnTo);
    expect(refusal(await way.agent.delete('/api/providers/played'))).toEqual([409, 'last_way_in']);
    const email = 'lonely@example.com';
    const code = await world.receiveCode(way.agent, email, 'bind');
    await way.agent.request('PUT', '/api/account/email', { json: { email, code } });
    expect((await way.agent.delete('/api/providers/played')).status).toBe(204);
  });

  test('IP11: a passkey is no last way in beside a provider, and of parallel removals one way stays', async () => {
    const way = await comeFrom(world, played, { sub: 'two-ways' });
    const made = await registerHere(world, way.agent, way.uid);
    await way.agent.navigate(made.json().returnTo);
    const { passkey } = await givePasskey(way.agent, world.origin);
    const answers = await Promise.all([
      way.agent.delete(`/api/passkeys/${passkey.id}`),
      way.agent.delete('/api/providers/played'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });

  test('IP11: a provider that is gone from the file is no way in: beside it the last passkey stays, and it may go', async () => {
    const way = await comeFrom(world, played, { sub: 'beside-one-that-is-gone' });
    const made = await registerHere(world, way.agent, way.uid);
    await way.agent.navigate(made.json().returnTo);
    const ofGone = () =>
      world.db.updateTable('federated_identity').where('subject', '=', 'beside-one-that-is-gone');
    const { passkey } = await givePasskey(way.agent, world.origin);
    await ofGone().set({ provider: 'gone' }).execute();
    expect(refusal(await way.agent.delete(`/api/passkeys/${passkey.id}`))).toEqual([409, 'last_way_in']);
    expect((await way.agent.delete('/api/providers/gone')).status).toBe(204);
  });

  test('an account without a contact is looked after by signing in with the provider again', async () => {
    const way = await comeFrom(world, played, { sub: 'by-provider-alone' });
    const made = await registerHere(world, way.agent, way.uid);
    await way.agent.navigate(made.json().returnTo);
    shiftSeconds = 3_600;
    expect(refusal(await way.agent.post('/api/totp'))).toEqual([403, 'step_up_required']);
    // A session counts as made by the clock of the database.
    shiftSeconds = 0;
    const again = await comeFrom(world, played, { sub: 'by-provider-alone' });
    expect((await again.agent.post('/api/totp')).status).toBe(200);
  });

  test('a sign-in through a way in that is removed ends at its second step', async () => {
    const { agent, identifier } = await world.signUp();
    await proveByCode(world, agent, identifier);
    const { somebody } = await link(agent);
    const { secret } = await turnOnTotp(agent, now());
    const way = await comeFrom(world, played, somebody);
    expect(way.arrived.url.pathname).toBe('/login');
    await agent.post('/api/step-up', { totp: totpCode(secret, now()) });
    expect((await agent.delete('/api/providers/played')).status).toBe(204);
    shiftSeconds = 30;
    const step = { totp: totpCode(secret, now()) };
    const answer = await way.agent.post(`/interaction/${way.uid}/second-factor`, step);
    expect(refusal(answer)).toEqual([410, 'interaction_expired']);
  });

  test('a way in that is removed before its session is made signs nobody in', async () => {
    const { agent, identifier } = await world.signUp();
    const { somebody } = await link(agent);
    const way = await goTo(world);
    const callback = played.signIn(way.authorization, somebody);
    const answered = locationOf(await way.agent.get(callback.href), world.origin);
    const resumed = locationOf(await way.agent.get(answered.href), world.origin);
    expect(resumed.pathname).toMatch(/^\/oauth\/authorize\//);
    await proveByCode(world, agent, identifier);
    expect((await agent.delete('/api/providers/played')).status).toBe(204);
    await way.agent.navigate(resumed);
    expect((await way.agent.get('/api/account')).status).toBe(401);
  });

  test('with a second factor on, a way in is linked by the factor', async () => {
    const { agent, identifier } = await world.signUp();
    await turnOnTotp(agent, now());
    shiftSeconds = 3_600;
    await proveByCode(world, agent, identifier);
    expect((await agent.post('/api/providers/played')).json().error.fields).toEqual({
      totp: 'step_up_required',
    });
  });

  test('a copy of the data names the ways in, and an account that is deleted leaves none', async () => {
    const { agent, identifier } = await world.signUp();
    const { somebody } = await link(agent);
    await proveByCode(world, agent, identifier);
    expect((await agent.post('/api/export')).status).toBe(202);
    await world.prepareExports();
    const file = await agent.get('/api/export/file');
    const entries = unzipSync(file.bytes ?? Buffer.alloc(0));
    expect(JSON.parse(strFromU8(entries['account.json'] ?? new Uint8Array())).providers).toMatchObject([
      { provider: 'played', brand: 'aurelia', email: somebody.email },
    ]);
    const id = await accountOf(agent);
    await world.db.deleteFrom('account').where('id', '=', id).execute();
    const left = await world.db
      .selectFrom('federated_identity')
      .selectAll()
      .where('subject', '=', somebody.sub)
      .execute();
    expect(left).toEqual([]);
  });

  test('without PROVIDERS_FILE nothing is offered, and no sign-in by providers is looked for', async () => {
    const plain = await createWorld();
    await sql`drop table provider_arrival, provider_attempt`.execute(plain.db);
    const { agent, identifier } = await plain.signUp();
    const other = plain.browser();
    const uid = plain.interactionOf((await other.navigate('/login')).url);
    expect(Object.keys(await plain.details(other, uid))).not.toContain('providers');
    const led = await other.navigate(`/interaction/${uid}/provider/played`);
    expect(led.url.searchParams.get('reason')).toBe('provider_unavailable');
    await plain.login(other, uid, identifier);
    await proveByCode(plain, other, identifier);
    expect((await other.post('/api/totp')).status).toBe(200);
    expect((await agent.get('/api/providers')).json()).toEqual({ items: [] });
    expect((await agent.get('/sign-in/played/callback?state=a')).status).toBe(404);
    const code = await plain.receiveCode(other, identifier, 'recover');
    const started = await other.post('/api/recovery/verify', { identifier, code });
    expect([started.status, Object.keys(started.json())]).toEqual([
      200,
      expect.not.arrayContaining(['providers']),
    ]);
    await plain.close();
  });
});
