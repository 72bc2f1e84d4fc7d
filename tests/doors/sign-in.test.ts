import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refusal, start } from '../oidc/authorization.ts';
import { createOpenidProvider, type OpenidProvider } from '../support/openid-provider.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
import { PASSWORD, type World } from '../support/world.ts';
import {
  accountOf,
  agreementsOf,
  comeFrom,
  createDoorWorld,
  goTo,
  locationOf,
  registerHere,
} from './door-world.ts';

let count = 0;
/** A new person at the provider; `ours.example` is a domain that it is the authority for. */
const person = (more: Record<string, unknown> = {}) => {
  count += 1;
  return { sub: `person-${count}`, email: `person-${count}@ours.example`, email_verified: true, ...more };
};

describe('signing in with an identity provider', () => {
  let played: OpenidProvider;
  let world: World;
  let shiftSeconds = 0;
  const now = () => new Date(Date.now() + shiftSeconds * 1000);

  beforeAll(async () => {
    played = await createOpenidProvider();
    world = await createDoorWorld(
      [
        played.entry({ email_domains: ['ours.example'] }),
        played.entry({ id: 'other', name: 'Other', languages: ['ru'] }),
      ],
      { hosts: [played.host], now },
    );
  });
  afterAll(async () => {
    await world.close();
    await played.close();
  });
  beforeEach(() => {
    shiftSeconds = 0;
  });

  /** Somebody who has an account by the provider. */
  const known = async (somebody = person()) => {
    const way = await comeFrom(world, played, somebody);
    const made = await registerHere(world, way.agent, way.uid);
    expect(made.status, made.body).toBe(200);
    await way.agent.navigate(made.json().returnTo);
    return { somebody, agent: way.agent, id: await accountOf(way.agent) };
  };

  const reasonOf = (url: URL) => [
    url.pathname,
    url.searchParams.get('provider'),
    url.searchParams.get('reason'),
  ];

  test('the page offers the providers in the order of its language, and the one used last first', async () => {
    const { agent } = await known();
    const offered = async (parameters: Record<string, string>, browser = world.browser()) => {
      const { uid } = await goTo(world, { agent: browser, parameters: { prompt: 'login', ...parameters } });
      return (await world.details(browser, uid)).providers;
    };
    expect(await offered({ ui_locales: 'en' })).toEqual([
      { id: 'played', kind: 'oidc', name: 'Played' },
      { id: 'other', kind: 'oidc', name: 'Other' },
    ]);
    expect((await offered({ ui_locales: 'ru' })).map(({ id }: { id: string }) => id)).toEqual([
      'other',
      'played',
    ]);
    expect(await offered({ ui_locales: 'ru' }, agent)).toMatchObject([
      { id: 'played', last: true },
      { id: 'other' },
    ]);
  });

  test('the provider is asked with state, nonce, PKCE and our redirect URI, each time with others', async () => {
    const [one, other] = [await goTo(world), await goTo(world)];
    const { searchParams } = one.authorization;
    expect(searchParams.get('redirect_uri')).toBe(`${world.origin}/sign-in/played/callback`);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('prompt')).toBeNull();
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(searchParams.get(name)).not.toBe(other.authorization.searchParams.get(name));
    }
    expect(JSON.stringify(await world.db.selectFrom('provider_attempt').selectAll().execute())).not.toContain(
      searchParams.get('state'),
    );
  });

  test('a person whose address the provider is the authority for registers in one press', async () => {
    const somebody = person({ name: 'Ada of Ours' });
    const { agent, uid, arrived } = await comeFrom(world, played, somebody);
    expect(arrived.url.pathname).toBe('/login');
    expect((await world.details(agent, uid)).provider).toEqual({
      id: 'played',
      kind: 'oidc',
      name: 'Played',
      state: 'new',
      arrivedAt: expect.any(String),
      email: somebody.email,
      emailProven: true,
      nickname: 'Ada of Ours',
    });
    expect(refusal(await agent.post(`/interaction/${uid}/provider`, { agreements: [] }))).toEqual([
      400,
      'agreements_required',
    ]);
    const made = await registerHere(world, agent, uid);
    await agent.navigate(made.json().returnTo);
    expect((await agent.get('/api/account')).json()).toMatchObject({
      email: somebody.email,
      nickname: 'Ada of Ours',
      hasPassword: false,
    });
    expect((await agent.get('/api/activity')).json().items).toMatchObject([
      { kind: 'sign_in', detail: { method: 'provider' } },
      { kind: 'registered' },
    ]);
    expect((await agent.get('/api/providers')).json().items).toMatchObject([
      { id: 'played', email: somebody.email, linkedAt: expect.any(String), lastUsedAt: expect.any(String) },
      { id: 'other' },
    ]);
  });

  test('IP3: an address of which the provider is no authority is proven by a code, or left out', async () => {
    const email = 'somebody@elsewhere.example';
    const proving = await comeFrom(world, played, person({ email }));
    expect((await world.details(proving.agent, proving.uid)).provider).toMatchObject({
      email,
      emailProven: false,
    });
    const code = await world.receiveCode(proving.agent, email, 'register');
    const made = await registerHere(world, proving.agent, proving.uid, { identifier: email, code });
    await proving.agent.navigate(made.json().returnTo);
    expect((await proving.agent.get('/api/account')).json().email).toBe(email);

    const without = await comeFrom(world, played, person({ email: 'another@elsewhere.example' }));
    const left = await registerHere(world, without.agent, without.uid);
    await without.agent.navigate(left.json().returnTo);
    expect((await without.agent.get('/api/account')).json().email).toBeUndefined();
    expect(refusal(await without.agent.delete('/api/providers/played'))).toEqual([409, 'last_way_in']);
  });

  test('a wrong code costs nothing but a try, and a taken address leads to its account, which gets the way in', async () => {
    const { identifier: email } = await world.signUp('taken@elsewhere.example');
    const somebody = person({ email });
    const { agent, uid } = await comeFrom(world, played, somebody);
    expect((await world.details(agent, uid)).provider).toMatchObject({ state: 'new', emailProven: false });
    const code = await world.receiveCode(agent, email, 'register');
    const wrong = await registerHere(world, agent, uid, {
      identifier: email,
      code: code === '000000' ? '000001' : '000000',
    });
    expect(refusal(wrong)).toEqual([401, 'code_incorrect']);
    const taken = await registerHere(world, agent, uid, { identifier: email, code });
    expect(refusal(taken)).toEqual([409, 'identifier_taken']);
    expect((await world.details(agent, uid)).provider).toMatchObject({ state: 'existing-account', email });
    const { ticket } = taken.json().error;
    const signedIn = await agent.post(`/interaction/${uid}/login`, { identifier: email, ticket });
    await agent.navigate(signedIn.json().returnTo);
    const again = await comeFrom(world, played, somebody, { agent: world.browser() });
    expect(again.arrived.url.pathname).toBe('/consent');
    expect(await accountOf(again.agent)).toBe(await accountOf(agent));
  });

  test('a known person is signed in, whatever address the provider tells by now', async () => {
    const { somebody, id } = await known();
    const { agent, arrived } = await comeFrom(world, played, { ...somebody, email: 'new@ours.example' });
    expect(arrived.url.pathname).toBe('/consent');
    expect(await accountOf(agent)).toBe(id);
    expect((await agent.get('/api/account')).json().email).toBe(somebody.email);
  });

  test('whoever has an account with the address proves it in any way, and the way in is added', async () => {
    const { identifier: email } = await world.signUp(`owner@ours.example`);
    const somebody = person({ email });
    const { agent, uid } = await comeFrom(world, played, somebody);
    expect((await world.details(agent, uid)).provider).toMatchObject({ state: 'existing-account', email });
    expect(refusal(await registerHere(world, agent, uid))).toEqual([409, 'identifier_taken']);
    await world.login(agent, uid, email);
    const notice = await world.lastMessageTo(email, ({ purpose }) => purpose === 'provider_linked');
    expect(notice.text).toContain('Played');
    expect((await agent.get('/api/activity')).json().items).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'provider_linked', detail: { name: 'Played' } }),
      ]),
    );
    const again = await comeFrom(world, played, somebody);
    expect(await accountOf(again.agent)).toBe(await accountOf(agent));
  });

  test('IP2: a second factor that is on is asked for, also before the way in is added', async () => {
    const { agent: owner, identifier: email } = await world.signUp('careful@ours.example');
    const { secret } = await turnOnTotp(owner, now());
    const somebody = person({ email });
    const first = await comeFrom(world, played, somebody);
    const half = await first.agent.post(`/interaction/${first.uid}/login`, {
      identifier: email,
      password: PASSWORD,
    });
    expect(refusal(half)).toEqual([403, 'second_factor_required']);
    expect(
      await world.db
        .selectFrom('federated_identity')
        .selectAll()
        .where('subject', '=', somebody.sub)
        .execute(),
    ).toEqual([]);
    shiftSeconds = 60;
    const passed = await first.agent.post(`/interaction/${first.uid}/second-factor`, {
      totp: totpCode(secret, now()),
    });
    await first.agent.navigate(passed.json().returnTo);

    const again = await comeFrom(world, played, somebody);
    expect(again.arrived.url.pathname).toBe('/login');
    expect((await again.agent.get('/api/account')).status).toBe(401);
    const details = await world.details(again.agent, again.uid);
    expect(details.secondFactor).toEqual({ ways: ['totp', 'recovery_code'] });
    expect(details.provider).toBeUndefined();
    shiftSeconds = 120;
    const end = await again.agent.post(`/interaction/${again.uid}/second-factor`, {
      totp: totpCode(secret, now()),
    });
    const { url } = await again.agent.navigate(end.json().returnTo);
    const back = await world.approve(again.agent, world.interactionOf(url));
    expect((await again.app.rp.exchange(back.url, again.checks)).claims()).toMatchObject({
      amr: ['fed', 'otp', 'mfa'],
      acr: 'mfa',
    });
  });

  test('an app that asks for a new sign-in has the provider asked anew, and an old one is refused', async () => {
    const { somebody } = await known();
    const asked = await goTo(world, { parameters: { max_age: '60' } });
    expect(Object.fromEntries(asked.authorization.searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
    });
    const at = Math.floor(Date.now() / 1000);
    const old = await asked.agent.navigate(
      played.signIn(asked.authorization, { ...somebody, auth_time: at - 600 }),
    );
    expect(reasonOf(old.url)).toEqual(['/login', 'played', 'provider_stale']);
    const anew = await comeFrom(
      world,
      played,
      { ...somebody, auth_time: at },
      { parameters: { prompt: 'login' } },
    );
    expect(anew.arrived.url.pathname).toBe('/consent');
  });

  test('an app that takes no less than a code is not satisfied by a provider', async () => {
    const { somebody } = await known();
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['otp'] } } });
    const { agent, arrived, uid } = await comeFrom(world, played, somebody, { parameters: { claims } });
    expect(reasonOf(arrived.url)).toEqual(['/login', 'played', 'code_required']);
    expect((await world.details(agent, uid)).prompt).toBe('login');
  });

  test('a refusal at the provider leads back to the page with the other ways', async () => {
    const { agent, authorization, uid } = await goTo(world);
    const { url, answer } = await agent.navigate(played.decline(authorization));
    expect(reasonOf(url)).toEqual(['/login', 'played', 'provider_refused']);
    expect(answer?.status).toBe(200);
    const { identifier } = await world.signUp();
    expect((await world.login(agent, uid, identifier)).url.pathname).toBe('/consent');
  });

  test('Back, and another provider in the same interaction, go on with what came last', async () => {
    const first = await goTo(world);
    const second = await first.agent.get(`/interaction/${first.uid}/provider/other`);
    const one = person();
    await first.agent.navigate(played.signIn(locationOf(second, world.origin), person()));
    expect((await world.details(first.agent, first.uid)).provider).toMatchObject({
      id: 'other',
      emailProven: false,
    });
    await first.agent.navigate(played.signIn(first.authorization, one));
    expect((await world.details(first.agent, first.uid)).provider).toMatchObject({
      id: 'played',
      email: one.email,
    });
    expect((await first.agent.delete(`/interaction/${first.uid}/provider`)).status).toBe(204);
    expect((await world.details(first.agent, first.uid)).provider).toBeUndefined();
    expect(refusal(await registerHere(world, first.agent, first.uid))).toEqual([410, 'provider_expired']);
  });

  test('IP4: an answer that comes twice signs in once, and both lead on', async () => {
    const { somebody } = await known();
    const { agent, authorization, uid } = await goTo(world);
    const callback = played.signIn(authorization, somebody);
    const first = locationOf(await agent.get(callback.href), world.origin);
    const second = locationOf(await agent.get(callback.href), world.origin);
    const onward = locationOf(await agent.get(first.href), world.origin);
    // The answer to the first was lost with its page.
    const { url } = await agent.navigate(second);
    expect(url.pathname).toBe('/consent');
    expect(onward.pathname).toContain('/oauth/authorize/');
    const { answer } = await agent.navigate(`/interaction/${uid}`);
    expect(answer?.status).toBe(410);
  });

  test('IP4: an answer that comes too late, after 10 minutes, signs nobody in', async () => {
    const { somebody } = await known();
    const { agent, authorization } = await goTo(world);
    const callback = played.signIn(authorization, somebody);
    shiftSeconds = 601;
    expect(reasonOf((await agent.navigate(callback)).url)).toEqual(['/login', 'played', 'provider_expired']);
    expect((await agent.get('/api/account')).status).toBe(401);
  });

  test('who came and is not known waits for 10 minutes', async () => {
    const { agent, uid } = await comeFrom(world, played, person());
    const agreements = await agreementsOf(world, agent, uid);
    shiftSeconds = 601;
    expect((await world.details(agent, uid)).provider).toBeUndefined();
    expect(refusal(await agent.post(`/interaction/${uid}/provider`, { agreements }))).toEqual([
      410,
      'provider_expired',
    ]);
  });

  test('a posted answer comes without cookies, and leads to where they are', async () => {
    const { somebody, id } = await known();
    const { agent, authorization } = await goTo(world);
    const callback = played.signIn(authorization, somebody);
    const posted = await world.browser().request('POST', callback.pathname, {
      form: Object.fromEntries(callback.searchParams),
      headers: { origin: 'null', 'sec-fetch-site': 'cross-site' },
    });
    const onward = locationOf(posted, world.origin);
    expect(onward.href).not.toContain(callback.searchParams.get('code'));
    expect((await agent.navigate(onward)).url.pathname).toBe('/consent');
    expect(await accountOf(agent)).toBe(id);
  });

  test('a disabled account is not opened', async () => {
    const { somebody, id } = await known();
    await world.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', id).execute();
    const { arrived, agent } = await comeFrom(world, played, somebody);
    expect(reasonOf(arrived.url)).toEqual(['/login', 'played', 'account_disabled']);
    expect((await agent.get('/api/account')).status).toBe(401);
  });

  test('a provider that is gone leads back to the page, and an interaction that is over says so', async () => {
    const { agent, uid } = await goTo(world);
    const { url } = await agent.navigate(`/interaction/${uid}/provider/nobody`);
    expect(reasonOf(url)).toEqual(['/login', 'nobody', 'provider_unavailable']);
    const { answer } = await world.browser().navigate(`/interaction/${uid}/provider/played`);
    expect(answer?.status).toBe(410);
  });
});

test('an address goes to providers, and makes accounts by them, a bounded number of times an hour', async () => {
  const played = await createOpenidProvider();
  const world = await createDoorWorld([played.entry()], {
    hosts: [played.host],
    env: { CODE_PER_ADDRESS_PER_HOUR: '1' },
  });
  const first = await comeFrom(world, played, person());
  expect((await registerHere(world, first.agent, first.uid)).status).toBe(200);
  const second = await comeFrom(world, played, person());
  const refused = await registerHere(world, second.agent, second.uid);
  expect(refusal(refused)).toEqual([429, 'rate_limited']);
  await goTo(world);
  await goTo(world);
  const agent = world.browser();
  const { uid } = await start(world, { agent });
  const { url } = await agent.navigate(`/interaction/${uid}/provider/played`);
  expect(url.searchParams.get('reason')).toBe('rate_limited');
  await world.close();
  await played.close();
});
