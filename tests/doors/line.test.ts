import { SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nowInSeconds } from './played-keys.ts';
import { type LinePerson, type PlayedLine, startPlayedLine } from './played-line.ts';
import { createPlayedWorld, type PlayedWorld } from './played-world.ts';

const app = { channelId: '1234567890', channelSecret: '0123456789abcdef0123456789abcdef' };

let line: PlayedLine;
let world: PlayedWorld;
beforeAll(async () => {
  world = await createPlayedWorld({
    entries: [{ id: 'line', kind: 'line', client_id: app.channelId, client_secret: app.channelSecret }],
    play: async (redirectUriOf) => {
      line = await startPlayedLine({ ...app, redirectUri: redirectUriOf('line') });
      return [line];
    },
  });
});
afterAll(() => world.close());

let count = 0;
let mei: LinePerson;
beforeEach(() => {
  line.behave();
  count += 1;
  mei = { sub: `U${String(count).padStart(32, '0')}`, name: '小美', email: `mei${count}@example.tw` };
  line.person(mei);
});
const go = () => world.go('line', line.visit);

test('the documented flow: an ID Token that is signed with the channel secret', async () => {
  const came = await go();
  expect(came.reason).toBeUndefined();
  expect(came.to.origin + came.to.pathname).toBe('https://access.line.me/oauth2/v2.1/authorize');
  expect(await world.whoWaits(came)).toMatchObject({
    state: 'new',
    email: mei.email,
    emailProven: false,
    nickname: '小美',
  });
  expect(await world.waitingSubjects()).toContain(mei.sub);
  await world.agree(came);
  expect((await go()).arrival.url.pathname).toBe('/index');
});

test('who does not share their address signs in without one', async () => {
  line.person({ sub: mei.sub });
  const came = await go();
  expect(came.reason).toBeUndefined();
  expect(await world.whoWaits(came)).not.toHaveProperty('email');
});

test('who refuses reads that nobody was signed in', async () => {
  line.person(undefined);
  expect((await go()).reason).toBe('provider_refused');
});

test.each([
  ['with another secret', 'HS256', 'another-secret-another-secret-32'],
  ['with another algorithm', 'HS512', app.channelSecret.padEnd(64, '0')],
])('an ID Token signed %s proves nothing', async (_, alg, secret) => {
  const leaving = await world.leave('line');
  const id_token = await new SignJWT({
    iss: 'https://access.line.me',
    aud: app.channelId,
    iat: nowInSeconds(),
    exp: nowInSeconds() + 3_600,
    nonce: leaving.to.searchParams.get('nonce'),
    ...mei,
  })
    .setProtectedHeader({ alg })
    .sign(new TextEncoder().encode(secret));
  line.misbehaveAt('POST /oauth2/v2.1/token', () => ({
    body: { access_token: 'a', token_type: 'Bearer', expires_in: 3_600, id_token },
  }));
  expect((await world.comeBack(leaving, await line.visit(leaving.to))).reason).toBe('provider_failed');
});
