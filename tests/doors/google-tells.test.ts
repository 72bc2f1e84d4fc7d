import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bind, nextPhone } from '../api/settings.ts';
import { registerPlatform } from '../support/platform.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import { registerHere } from './door-world.ts';
import { type GooglePerson, type PlayedGoogle, riscEvent, startPlayedGoogle } from './played-google.ts';
import { nowInSeconds } from './played-keys.ts';
import { createPlayedWorld, type PlayedWorld } from './played-world.ts';
import { isSignedIn, noticesTo, registerThrough, signInByCode, tell } from './told.ts';
import { otherOrigin, twoBrands } from './two-brands.ts';

const app = { clientId: '1234567890-abc.apps.googleusercontent.com', clientSecret: 'GOCSPX-aBcDeFgHiJ' };

let google: PlayedGoogle;
let world: PlayedWorld;
beforeAll(async () => {
  world = await createPlayedWorld({
    entries: [{ id: 'google', kind: 'google', client_id: app.clientId, client_secret: app.clientSecret }],
    env: async () => ({ BACKCHANNEL_HOSTS: google.host }),
    play: async (redirectUriOf) => {
      google = await startPlayedGoogle({ ...app, redirectUris: [redirectUriOf('google')] });
      return [google];
    },
  });
});
afterAll(() => world.close());

let count = 0;
let max: GooglePerson & { email: string };
let agent: UserAgent;
let phone: string;
beforeEach(async () => {
  count += 1;
  max = { sub: `1101694845${count}`, email: `max${count}@gmail.com`, email_verified: true, name: 'Max' };
  // Google tells the address as its person writes it.
  google.person({ ...max, email: max.email.replace('max', 'Max') });
  agent = await registerThrough(world, 'google', google.visit);
  phone = nextPhone();
  await bind(world, agent, 'phone', phone);
});

const send = async (token: string | Promise<string> | undefined) =>
  tell(world, 'google', (await token) ?? '', 'application/secevent+jwt');
const about = (name: string, more: Record<string, unknown> = {}) => ({
  [riscEvent(name)]: { subject: google.subjectOf(max.sub), ...more },
});

describe.each(['sessions-revoked', 'tokens-revoked'])('%s', (name) => {
  test('IP13: ends the sessions that came through Google, and no others; Google opens the account as before', async () => {
    const byCode = await signInByCode(world, phone);
    const { status, body } = await send(google.securityEvent(about(name)));
    expect([status, body]).toEqual([202, '']);
    expect([await isSignedIn(agent), await isSignedIn(byCode)]).toEqual([false, true]);
    expect(await noticesTo(world, phone)).toEqual(['phone_bound']);
    const again = await world.go('google', google.visit);
    expect(again.arrival.url.pathname).toBe('/index');
  });
});

describe.each([
  ['account-disabled', { reason: 'hijacking' }],
  ['account-disabled', { reason: 'bulk-account' }],
  ['account-credential-change-required', {}],
])('%s, %j', (name, more) => {
  test('IP13: ends the sessions, closes Google until the account is proven anew, and tells the other contact', async () => {
    expect((await send(google.securityEvent(about(name, more)))).status).toBe(202);
    expect(await isSignedIn(agent)).toBe(false);
    expect(await noticesTo(world, phone)).toEqual(['phone_bound', 'provider_closed']);
    expect(await noticesTo(world, max.email)).toEqual(['phone_bound']);
    const again = await world.go('google', google.visit);
    expect(await world.whoWaits(again)).toMatchObject({ state: 'existing-account' });

    // It is proven in the same interaction, by what is as old as the account: not by the phone, which is younger.
    const proveBy = async ({ agent: own, uid }: typeof again, identifier: string) => {
      const code = await world.receiveCode(own, identifier, 'login');
      await own.post(`/interaction/${uid}/login`, { identifier, code });
      return world.go('google', google.visit);
    };
    const byPhone = await proveBy(again, phone);
    expect(byPhone.arrival.url.pathname).toBe('/login');
    expect((await proveBy(byPhone, max.email)).arrival.url.pathname).toBe('/index');
  });
});

test('IP13: the contact by whose code Google was added is told, where it is not the address at Google', async () => {
  const email = `lee${count}@example.com`;
  const { identifier } = await world.signUp(email);
  const lee = { sub: `3301694845${count}`, email: `lee${count}@elsewhere.example`, email_verified: false };
  google.person(lee);
  const { agent: own, uid } = await world.go('google', google.visit);
  const code = await world.receiveCode(own, identifier, 'register');
  const refused = await registerHere(world, own, uid, { identifier, code });
  const { ticket } = refused.json().error;
  await own.post(`/interaction/${uid}/login`, { identifier, ticket });
  const subject = google.subjectOf(lee.sub);
  await send(google.securityEvent({ [riscEvent('account-disabled')]: { subject, reason: 'hijacking' } }));
  expect(await noticesTo(world, identifier)).toEqual(['provider_linked', 'provider_closed']);
});

test('IP13: a password adds Google, which speaks for the address, and does not open it after its warning', async () => {
  const pat = { sub: `2201694845${count}`, email: `pat${count}@gmail.com`, email_verified: true };
  google.person(pat);
  await world.signUp(pat.email);
  const comeWithPassword = async () => {
    const { agent: own, uid } = await world.go('google', google.visit);
    await own.post(`/interaction/${uid}/login`, { identifier: pat.email, password: PASSWORD });
    return (await world.go('google', google.visit)).arrival.url.pathname;
  };
  expect(await comeWithPassword()).toBe('/index');
  const subject = google.subjectOf(pat.sub);
  await send(google.securityEvent({ [riscEvent('account-disabled')]: { subject, reason: 'hijacking' } }));
  expect(await comeWithPassword()).toBe('/login');
});

test('IP13: an account that Google had made is not linked by its word any more', async () => {
  const home = await registerPlatform(world, {
    metadata: {
      client_name: 'Google Home',
      preset: 'google-home',
      project_id: 'our-lights-1a2b3',
      google_client_ids: app.clientId,
      google_creates_accounts: true,
      google_jwks_uri: `https://${google.host}/oauth2/v3/certs`,
    },
    redirectUri: 'https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3',
    authentication: 'body',
  });
  const sub = `4401694845${count}`;
  const ask = async (intent: string) => {
    const times = { iat: nowInSeconds(), exp: nowInSeconds() + 3_600, jti: `${intent} ${randomUUID()}` };
    const about = { sub, email: `home${count}@gmail.com`, email_verified: true };
    const parties = { iss: 'https://accounts.google.com', aud: app.clientId };
    const assertion = (await google.signsWith({ ...parties, ...times, ...about })) ?? '';
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const answer = await home.post('/oauth/token', { grant_type, intent, assertion, scope: 'openid' });
    return [answer.status, answer.body.error];
  };
  expect(await ask('create')).toEqual([200, undefined]);
  const tellHome = (name: string) =>
    send(google.securityEvent({ [riscEvent(name)]: { subject: google.subjectOf(sub) } }));
  await tellHome('sessions-revoked');
  expect(await ask('get')).toEqual([200, undefined]);
  await tellHome('account-credential-change-required');
  expect(await ask('get')).toEqual([401, 'linking_error']);
});

test('IP12: an event that comes again is answered alike, and acted on once', async () => {
  const token = google.securityEvent(about('sessions-revoked'));
  expect((await send(token)).status).toBe(202);
  const { agent: next } = await world.go('google', google.visit);
  expect((await send(token)).status).toBe(202);
  expect(await isSignedIn(next)).toBe(true);
});

test('several events in one token are all acted on', async () => {
  await send(google.securityEvent({ ...about('account-enabled'), ...about('sessions-revoked') }));
  expect(await isSignedIn(agent)).toBe(false);
});

test.each([
  ['verification', { [riscEvent('verification')]: { state: 'hello' } }],
  ['account-enabled', undefined],
  [
    'token-revoked',
    { [riscEvent('token-revoked')]: { subject: { subject_type: 'oauth_token', token: 'x' } } },
  ],
  ['something-new', undefined],
])('%s is taken and changes nothing', async (name, events) => {
  const before = world.countEvent('provider.told', 'noted');
  expect((await send(google.securityEvent(events ?? about(name)))).status).toBe(202);
  expect(world.countEvent('provider.told', 'noted')).toBe(before + 1);
  expect(await isSignedIn(agent)).toBe(true);
});

test('a token does not run out: it tells what is past', async () => {
  await send(google.securityEvent(about('sessions-revoked'), { exp: nowInSeconds() - 3_600 }));
  expect(await isSignedIn(agent)).toBe(false);
});

test.each<[string, () => Promise<string> | undefined]>([
  ['an ID Token', () => google.signsWith({ iss: 'https://accounts.google.com', aud: app.clientId, ...max })],
  ['for another app', () => google.securityEvent(about('sessions-revoked'), { aud: 'another' })],
  [
    'of the issuer of ID Tokens',
    () => google.securityEvent(about('sessions-revoked'), { iss: 'https://accounts.google.com' }),
  ],
  ['whose events are a list', () => google.securityEvent([] as never)],
  ['that is empty', () => Promise.resolve('')],
])('IP12: a token %s is refused, and changes nothing', async (_, make) => {
  const answer = await send(make());
  expect([answer.status, answer.json().err]).toEqual([400, 'invalid_request']);
  expect(await isSignedIn(agent)).toBe(true);
});

describe('two brands at Google', () => {
  const entry = { id: 'google', kind: 'google', client_id: app.clientId, client_secret: app.clientSecret };
  const second = { id: 'google-2', client_id: 'second.apps.googleusercontent.com' };
  let two: PlayedWorld;
  let theirs: PlayedGoogle;
  beforeAll(async () => {
    two = await createPlayedWorld({
      entries: [entry, { ...entry, ...second }],
      env: twoBrands,
      play: async (redirectUriOf) => {
        const own = ['google', 'google-2'].map(redirectUriOf);
        const redirectUris = [...own, ...own.map(otherOrigin)];
        theirs = await startPlayedGoogle({ ...app, otherClientId: second.client_id, redirectUris });
        return [theirs];
      },
    });
  });
  afterAll(() => two.close());

  const end = async (sub: string, claims?: Record<string, unknown>) => {
    const event = { [riscEvent('sessions-revoked')]: { subject: theirs.subjectOf(sub) } };
    const token = (await theirs.securityEvent(event, claims)) ?? '';
    expect((await tell(two, 'google', token, 'application/secevent+jwt')).status).toBe(202);
  };

  test('IP1, IP13: a subject is somebody else at each, and an event is acted on at both', async () => {
    theirs.person({ sub: 'shared', email: 'max@example.org', email_verified: false });
    const here = await registerThrough(two, 'google', theirs.visit);
    const there = two.browser({ origin: otherOrigin(two.origin) });
    await two.agree(await two.go('google', theirs.visit, there));
    const ids = [await two.accountOf(here), await two.accountOf(there)].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);

    await end('shared');
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, false]);
  });

  test('IP13: an event for several of our clients is acted on at each, and at no other', async () => {
    theirs.person({ sub: 'of-two-clients', email: 'min@example.org', email_verified: false });
    const byFirst = await registerThrough(two, 'google', theirs.visit);
    const bySecond = await registerThrough(two, 'google-2', theirs.visit);
    await end('of-two-clients');
    expect([await isSignedIn(byFirst), await isSignedIn(bySecond)]).toEqual([false, true]);
    const again = (await two.go('google', theirs.visit)).agent;
    await end('of-two-clients', { aud: [app.clientId, second.client_id] });
    expect([await isSignedIn(again), await isSignedIn(bySecond)]).toEqual([false, false]);
  });
});
