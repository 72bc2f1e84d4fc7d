import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as jose from 'jose';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bind, proveByCode, putPassword } from '../api/settings.ts';
import { refusal, start } from '../oidc/authorization.ts';
import { createOpenidProvider, type OpenidProvider } from '../support/openid-provider.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createVerbs, freePort, PASSWORD, type World } from '../support/world.ts';
import { accountOf, comeFrom, createDoorWorld, goTo, locationOf, registerHere } from './door-world.ts';

const VICTIM = 'victim@ours.example';

/** Which proofs a refusal asks for. */
const fieldsDue = (answer: Answer): string[] => {
  expect(refusal(answer)).toEqual([403, 'step_up_required']);
  return Object.keys(answer.json().error.fields);
};

/** Five attacks of Sudhodanan and Paverd, “Pre-hijacked accounts”, USENIX Security 2022, and those on the flow itself. */
describe('attacks on sign-ins with identity providers', () => {
  let played: OpenidProvider;
  let second: OpenidProvider;
  let world: World;
  let fjord: ReturnType<typeof createVerbs>;
  const brands = join(tmpdir(), `door-brands-${process.pid}.json`);
  let number = 0;
  const nextVictim = () => {
    number += 1;
    return { sub: `victim-${number}`, email: `${number}.${VICTIM}`, email_verified: true };
  };

  beforeAll(async () => {
    played = await createOpenidProvider();
    second = await createOpenidProvider({ clientId: 'candela-at-second' });
    const port = await freePort();
    const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
    await writeFile(
      brands,
      JSON.stringify([
        { id: 'aurelia', origin: origins[0] },
        { id: 'fjord', name: 'Fjord', origin: origins[1] },
      ]),
    );
    world = await createDoorWorld(
      [
        played.entry({ brand: 'aurelia', email_domains: ['ours.example'] }),
        second.entry({ id: 'second', name: 'Second', brand: 'aurelia' }),
        played.entry({ brand: 'fjord', email_domains: ['ours.example'] }),
      ],
      { hosts: [played.host, second.host], env: { PORT: String(port), BRANDS_FILE: brands } },
    );
    const registerClients = () => Promise.reject(new Error('register with the first brand'));
    fjord = createVerbs({
      origin: origins[1] ?? '',
      ports: world.ports,
      dataDirs: [world.config.dataDir],
      registerClients,
    });
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([played.close(), second.close()]);
    await rm(brands, { force: true });
  });
  afterEach(() => {
    Object.assign(played.habits, { claims: (claims: unknown) => claims, sign: undefined, parameters: {} });
  });

  const isOut = async (agent: UserAgent) => expect((await agent.get('/api/account')).status).toBe(401);

  /** The victim gets an account by the provider. */
  const known = async (somebody = nextVictim()) => {
    const way = await comeFrom(world, played, somebody);
    const made = await registerHere(world, way.agent, way.uid);
    expect(made.status, made.body).toBe(200);
    await way.agent.navigate(made.json().returnTo);
    return { somebody, agent: way.agent, id: await accountOf(way.agent) };
  };

  test('IP2: classic-federated merge: an account that somebody made with the address is not merged by the match', async () => {
    const victim = nextVictim();
    const attacker = world.browser();
    const { url } = await attacker.navigate('/register');
    const claimed = await attacker.post(`/interaction/${world.interactionOf(url)}/register`, {
      identifier: victim.email,
      code: '000000',
      password: PASSWORD,
      agreements: [],
    });
    // Nobody makes one without the mailbox.
    expect(refusal(claimed)).toEqual([401, 'code_incorrect']);
    await world.signUp(victim.email, attacker);
    const way = await comeFrom(world, played, victim);
    expect(way.arrived.url.pathname).toBe('/login');
    await isOut(way.agent);
    expect((await world.details(way.agent, way.uid)).provider.state).toBe('existing-account');
    expect(refusal(await registerHere(world, way.agent, way.uid))).toEqual([409, 'identifier_taken']);
    expect((await attacker.get('/api/providers')).json().items[0].linkedAt).toBeUndefined();
  });

  test('IP2: unexpired session: the session of whoever had the account before ends when its owner takes it back', async () => {
    const victim = nextVictim();
    const { agent: attacker } = await world.signUp(victim.email);
    const owner = world.browser();
    const code = await world.receiveCode(owner, victim.email, 'recover');
    const { ticket } = (await owner.post('/api/recovery/verify', { identifier: victim.email, code })).json();
    expect((await owner.post('/api/recovery/password', { ticket, password: 'starlight88' })).status).toBe(
      204,
    );
    await isOut(attacker);
    const way = await comeFrom(world, played, victim, { agent: owner });
    await world.login(owner, way.uid, victim.email, 'starlight88');
    await isOut(attacker);
    expect((await owner.get('/api/providers')).json().items[0].linkedAt).toBeDefined();
  });

  test('IP10: trojan identifier: the way in that somebody left in the account is shown at its recovery, and goes', async () => {
    const victim = nextVictim();
    const { agent: attacker } = await world.signUp(victim.email);
    const { returnTo } = (await attacker.post('/api/providers/second')).json();
    const trojan = { sub: 'trojan' };
    const linked = await attacker.navigate(second.signIn(new URL(returnTo), trojan));
    expect(linked.url.search).toBe('?provider=second&reason=linked');
    const notice = await world.lastMessageTo(victim.email, ({ purpose }) => purpose === 'provider_linked');
    expect(notice.text).toContain('Second');

    const owner = world.browser();
    const code = await world.receiveCode(owner, victim.email, 'recover');
    const started = (await owner.post('/api/recovery/verify', { identifier: victim.email, code })).json();
    expect(started.providers).toMatchObject([{ name: 'Second' }]);
    const recovered = await owner.post('/api/recovery/password', {
      ticket: started.ticket,
      password: 'starlight88',
      dropProviders: [started.providers[0].id],
    });
    expect(recovered.status, recovered.body).toBe(204);
    const back = await comeFrom(world, second, trojan, { provider: 'second' });
    expect((await world.details(back.agent, back.uid)).provider.state).toBe('new');
    await isOut(back.agent);
  });

  test('IP1: unexpired e-mail change: an address that somebody wanted for their account is not theirs afterwards', async () => {
    const victim = nextVictim();
    const { agent: attacker } = await world.signUp();
    const code = await world.receiveCode(attacker, victim.email, 'bind');
    const { id } = await known(victim);
    const bound = await attacker.request('PUT', '/api/account/email', {
      json: { email: victim.email, code },
    });
    expect(refusal(bound)).toEqual([409, 'identifier_taken']);
    expect(await comeFrom(world, played, victim).then(({ agent }) => accountOf(agent))).toBe(id);
  });

  test('IP3: non-verifying provider: one that is no authority for an address proves nothing, whatever it says of it', async () => {
    const { identifier } = await world.signUp(nextVictim().email);
    const liar = { sub: 'liar', email: identifier, email_verified: true };
    const way = await comeFrom(world, second, liar, { provider: 'second' });
    expect((await world.details(way.agent, way.uid)).provider).toMatchObject({
      state: 'new',
      emailProven: false,
    });
    await isOut(way.agent);
    const made = await registerHere(world, way.agent, way.uid);
    await way.agent.navigate(made.json().returnTo);
    expect((await way.agent.get('/api/account')).json().email).toBeUndefined();

    const unverified = { sub: 'unverified', email: nextVictim().email, email_verified: false };
    const other = await comeFrom(world, played, unverified);
    expect((await world.details(other.agent, other.uid)).provider.emailProven).toBe(false);
  });

  test('a stolen password adds no way in by itself, and the owner of the address is told', async () => {
    const { identifier } = await world.signUp();
    const thief = world.browser();
    await world.signIn(identifier, thief);
    expect(refusal(await thief.post('/api/providers/played'))).toEqual([403, 'step_up_required']);
  });

  /** Somebody whose account a provider made, so many days ago. */
  const settle = async (sub: string, days: number) => {
    const way = await comeFrom(world, played, { sub });
    await way.agent.navigate((await registerHere(world, way.agent, way.uid)).json().returnTo);
    const id = await accountOf(way.agent);
    await sql`update federated_identity set linked_at = linked_at - make_interval(days => ${days})
      where account_id = ${id}`.execute(world.db);
    return { agent: way.agent, id };
  };

  test('SF13: whoever used a session of an account that a provider made does not keep its owner out', async () => {
    await settle('made-by-a-provider', 300);
    // The owner has just signed in, and somebody else is at the browser.
    const { agent: thief } = await comeFrom(world, played, { sub: 'made-by-a-provider' });
    const email = 'thief@elsewhere.example';
    await bind(world, thief, 'email', email);
    const alone = world.browser();
    const { uid } = await start(world, { agent: alone, parameters: { prompt: 'login' } });
    const code = await world.receiveCode(alone, email, 'login');
    const { returnTo } = (await alone.post(`/interaction/${uid}/login`, { identifier: email, code })).json();
    await alone.navigate(returnTo);
    await proveByCode(world, alone, email);
    for (const [method, path] of [
      ['POST', '/api/totp'],
      ['DELETE', '/api/providers/played'],
      ['DELETE', '/api/account'],
    ] as const)
      expect(fieldsDue(await alone.request(method, path, { json: {} })), path).toEqual(['provider']);
    // The owner comes from the provider again, and may do all of it.
    const { agent: owner } = await comeFrom(world, played, { sub: 'made-by-a-provider' });
    expect((await owner.post('/api/totp')).status).toBe(200);
  });

  test('SF12: a password alone removes no way in that is older', async () => {
    const { agent, id } = await settle('older-than-the-password', 30);
    const email = 'owner@elsewhere.example';
    await bind(world, agent, 'email', email);
    expect((await putPassword(agent, PASSWORD)).status).toBe(204);
    await sql`update account_identifier set verified_at = verified_at - interval '20 days'
      where account_id = ${id}`.execute(world.db);
    const { agent: thief } = await world.signIn(email);
    expect(fieldsDue(await thief.delete('/api/providers/played'))).toEqual(['provider']);
  });

  test('IP7: mix-up: the answer of one provider is not taken at another, nor one that names another issuer', async () => {
    const { somebody } = await known();
    const mixed = await goTo(world);
    const callback = played.signIn(mixed.authorization, somebody);
    const elsewhere = new URL(callback.href.replace('/sign-in/played/', '/sign-in/second/'));
    expect((await mixed.agent.get(elsewhere.href)).status).toBe(410);
    await isOut(mixed.agent);
    played.habits.parameters = { iss: second.issuer };
    const { arrived, agent } = await comeFrom(world, played, somebody);
    expect(arrived.url.searchParams.get('reason')).toBe('provider_failed');
    await isOut(agent);
  });

  test('IP4: a stolen callback opens nothing in the browser of the thief, and still works in its own', async () => {
    const { somebody, id } = await known();
    const { agent, authorization } = await goTo(world);
    const callback = played.signIn(authorization, somebody);
    const thief = world.browser();
    const { answer } = await thief.navigate(callback);
    expect(answer?.status).toBe(410);
    await isOut(thief);
    await agent.navigate(callback);
    expect(await accountOf(agent)).toBe(id);
  });

  test('IP4: a replayed callback signs nobody in again', async () => {
    const { somebody } = await known();
    const { agent, authorization } = await goTo(world);
    const callback = played.signIn(authorization, somebody);
    await agent.navigate(callback);
    await agent.post('/api/sign-out');
    await agent.navigate(callback);
    await isOut(agent);
  });

  test('IP4: login CSRF: a callback of somebody else signs nobody in as them', async () => {
    const attacker = await known();
    const { authorization } = await goTo(world);
    const callback = played.signIn(authorization, attacker.somebody);
    const victim = world.browser();
    await goTo(world, { agent: victim });
    await victim.navigate(callback);
    await isOut(victim);
    // Nor does it link the account at the provider to that of a victim who is signed in.
    const { agent: signedIn } = await world.signUp();
    const { agent: linking } = await world.signUp();
    const { returnTo } = (await linking.post('/api/providers/played')).json();
    const link = played.signIn(new URL(returnTo), nextVictim());
    const { url } = await signedIn.navigate(link);
    expect(url.searchParams.get('reason')).toBe('provider_expired');
    expect((await signedIn.get('/api/providers')).json().items[0].linkedAt).toBeUndefined();
  });

  test('IP5: open redirect: nothing of an answer says where the browser goes', async () => {
    const { agent, authorization } = await goTo(world);
    for (const state of [
      'https://evil.example/',
      '//evil.example',
      `${authorization.searchParams.get('state')}/..//evil.example`,
    ]) {
      const query = new URLSearchParams({ state, code: 'a', return_to: 'https://evil.example/' });
      const answer = await agent.get(`/sign-in/played/callback?${query}`);
      expect([answer.status, answer.headers.location]).toEqual([410, undefined]);
    }
    const callback = played.signIn(authorization, nextVictim());
    callback.searchParams.set('redirect_uri', 'https://evil.example/');
    const onward = locationOf(await agent.get(callback.href), world.origin);
    expect(onward.origin).toBe(world.origin);
    expect(onward.pathname).toMatch(/^\/interaction\/[\w-]+\/provider\/played\/answer$/);
  });

  const at = () => Math.floor(Date.now() / 1000);
  const idTokens: [string, (claims: jose.JWTPayload) => jose.JWTPayload][] = [
    ['of another audience', (claims) => ({ ...claims, aud: 'somebody-else' })],
    [
      'of several audiences that names another party',
      (claims) => ({ ...claims, aud: ['candela', 'x'], azp: 'x' }),
    ],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['that is over', (claims) => ({ ...claims, exp: at() - 120 })],
    ['of another request', (claims) => ({ ...claims, nonce: 'another' })],
    ['without a nonce', ({ nonce: _, ...claims }) => claims],
    ['without a subject', ({ sub: _, ...claims }) => claims],
  ];
  test.each(idTokens)('IP6: an id_token %s proves nothing', async (_what, change) => {
    const { somebody } = await known();
    played.habits.claims = change;
    const { arrived, agent } = await comeFrom(world, played, somebody);
    expect(arrived.url.searchParams.get('reason')).toBe('provider_failed');
    await isOut(agent);
  });

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signatures: [string, (claims: jose.JWTPayload) => Promise<string> | string][] = [
    ['without a signature (alg none)', (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`],
    [
      'signed by the client secret (HS256)',
      (claims) =>
        new jose.SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(played.clientSecret)),
    ],
    [
      'signed by a key of somebody else',
      async (claims) => {
        const { privateKey } = await jose.generateKeyPair('RS256');
        return new jose.SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
      },
    ],
  ];
  test.each(signatures)('IP6: an id_token %s proves nothing', async (_what, sign) => {
    const { somebody } = await known();
    played.habits.sign = sign;
    const { arrived, agent } = await comeFrom(world, played, somebody);
    expect(arrived.url.searchParams.get('reason')).toBe('provider_failed');
    await isOut(agent);
  });

  test('IP1: an e-mail that changes hands at the provider opens nothing for its new holder', async () => {
    const { somebody, id } = await known();
    const heir = { ...somebody, sub: `${somebody.sub}-heir` };
    const way = await comeFrom(world, played, heir);
    await isOut(way.agent);
    expect((await world.details(way.agent, way.uid)).provider.state).toBe('existing-account');
    const former = await comeFrom(world, played, { ...somebody, email: 'moved@ours.example' });
    expect(await accountOf(former.agent)).toBe(id);
  });

  test('IP1: a subject that two brands share is known at each by itself', async () => {
    const { somebody } = await known();
    const agent = fjord.browser();
    const { url } = await agent.navigate('/login');
    const uid = fjord.interactionOf(url);
    const there = locationOf(await agent.get(`/interaction/${uid}/provider/played`), fjord.origin);
    expect(there.searchParams.get('redirect_uri')).toBe(`${fjord.origin}/sign-in/played/callback`);
    await agent.navigate(played.signIn(there, somebody));
    await isOut(agent);
    expect((await fjord.details(agent, uid)).provider).toMatchObject({ state: 'existing-account' });
  });

  test('IP2: whoever signs in as somebody else in the interaction leaves the way in where it was', async () => {
    const owner = await world.signUp(nextVictim().email);
    const { identifier: other } = await world.signUp();
    const way = await comeFrom(world, played, {
      sub: 'left-behind',
      email: owner.identifier,
      email_verified: true,
    });
    await world.login(way.agent, way.uid, other);
    expect((await way.agent.get('/api/providers')).json().items[0].linkedAt).toBeUndefined();
    expect((await owner.agent.get('/api/providers')).json().items[0].linkedAt).toBeUndefined();
  });
});
