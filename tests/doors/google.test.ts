import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type GooglePerson, type PlayedGoogle, startPlayedGoogle } from './played-google.ts';
import { createPlayedWorld, type PlayedWorld } from './played-world.ts';

const app = { clientId: '1234567890-abc.apps.googleusercontent.com', clientSecret: 'GOCSPX-aBcDeFgHiJ' };

let google: PlayedGoogle;
let world: PlayedWorld;
beforeAll(async () => {
  world = await createPlayedWorld({
    entries: [{ id: 'google', kind: 'google', client_id: app.clientId, client_secret: app.clientSecret }],
    play: async (redirectUriOf) => {
      google = await startPlayedGoogle({ ...app, redirectUris: [redirectUriOf('google')] });
      return [google];
    },
  });
});
afterAll(() => world.close());

let count = 0;
let max: GooglePerson;
beforeEach(() => {
  google.behave();
  count += 1;
  max = { sub: `1101694845${count}`, email: `max${count}@gmail.com`, email_verified: true, name: 'Max' };
  google.person(max);
});
const go = () => world.go('google', google.visit);

test('the documented flow', async () => {
  const came = await go();
  expect(came.reason).toBeUndefined();
  expect(came.to.origin + came.to.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
  expect(came.to.searchParams.get('scope')).toBe('openid email profile');
  expect(await world.whoWaits(came)).toMatchObject({ email: max.email, emailProven: true, nickname: 'Max' });
  expect(await world.waitingSubjects()).toContain(max.sub);
  await world.agree(came);
  expect((await go()).arrival.url.pathname).toBe('/index');
});

test('who does not share their address signs in without one', async () => {
  google.person({ sub: max.sub });
  const came = await go();
  expect(came.reason).toBeUndefined();
  expect(await world.whoWaits(came)).not.toHaveProperty('email');
});

test('who refuses reads that nobody was signed in', async () => {
  google.person(undefined);
  expect((await go()).reason).toBe('provider_refused');
});

test.each([
  ['of gmail.com', {}, true],
  ['of gmail.com that is not verified', { email_verified: false }, false],
  ['of a Workspace', { email: 'max@example.org', hd: 'example.org' }, true],
  [
    'of a Workspace that is not verified',
    { email: 'max@example.org', hd: 'example.org', email_verified: false },
    false,
  ],
  ['of another provider of mail', { email: 'max@example.org' }, false],
  ['at a name that ends alike', { email: 'max@notgmail.com' }, false],
  ['that looks like one of gmail.com', { email: 'max@gmail.com.example' }, false],
  ['with the mark as text', { email_verified: 'true' as unknown as boolean }, false],
])('Google is the authority for an address %s: %#', async (_, changed, isProven) => {
  google.person({ ...max, ...changed });
  expect(await world.whoWaits(await go())).toMatchObject({ emailProven: isProven });
});
