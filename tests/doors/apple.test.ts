import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, importSPKI } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApplePerson, type PlayedApple, startPlayedApple } from './played-apple.ts';
import { nowInSeconds } from './played-keys.ts';
import { createPlayedWorld, type PlayedWorld } from './played-world.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const CLIENT_ID = 'com.example.id';

let apple: PlayedApple;
let world: PlayedWorld;
beforeAll(async () => {
  world = await createPlayedWorld({
    entries: [
      {
        id: 'apple',
        kind: 'apple',
        client_id: CLIENT_ID,
        team_id: 'A1B2C3D4E5',
        key_id: 'F6G7H8I9J0',
        private_key: privateKey,
      },
    ],
    play: async (redirectUriOf) => {
      const key = await importSPKI(publicKey, 'ES256');
      apple = await startPlayedApple({
        clientId: CLIENT_ID,
        teamId: 'A1B2C3D4E5',
        keyId: 'F6G7H8I9J0',
        publicKey: key,
        redirectUris: [redirectUriOf('apple')],
      });
      return [apple];
    },
  });
});
afterAll(() => world.close());

let count = 0;
let ann: ApplePerson;
beforeEach(() => {
  apple.behave();
  count += 1;
  ann = {
    sub: `001234.${count}.0001`,
    email: `ann${count}@privaterelay.appleid.com`,
    email_verified: 'true',
    is_private_email: 'true',
    name: { firstName: 'Ann', lastName: 'Bee' },
  };
  apple.person(ann);
});
const go = () => world.go('apple', apple.visit);

describe('the documented flow', () => {
  test('asks for name and e-mail by a posted form, with nonce and PKCE', async () => {
    const { to } = await world.leave('apple');
    expect(to.origin + to.pathname).toBe('https://appleid.apple.com/auth/authorize');
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      client_id: CLIENT_ID,
      redirect_uri: `${world.origin}/sign-in/apple/callback`,
      response_type: 'code',
      response_mode: 'form_post',
      scope: 'openid name email',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  test('a form that comes without our cookies signs in who left from this browser', async () => {
    const came = await go();
    expect(came.reason).toBeUndefined();
    expect(await world.whoWaits(came)).toMatchObject({
      id: 'apple',
      kind: 'apple',
      state: 'new',
      email: ann.email,
      emailProven: true,
      nickname: 'Ann Bee',
    });
    expect(await world.waitingSubjects()).toContain(ann.sub);
    await world.agree(came);
    const { email, nickname } = await world.accountOf(came.agent);
    expect([nickname, email]).toEqual(['Ann Bee', expect.stringMatching(/@privaterelay\.appleid\.com$/)]);

    // The second time Apple tells no name.
    const again = await go();
    expect(again.arrival.url.pathname).toBe('/index');
    expect((await world.accountOf(again.agent)).nickname).toBe('Ann Bee');
  });

  test('each request has a client secret of its own, made of the key', async () => {
    await go();
    const form = apple.askedFor('POST /auth/token').at(-1)?.form;
    const secret = form?.get('client_secret') ?? '';
    expect(decodeProtectedHeader(secret)).toMatchObject({ alg: 'ES256', kid: 'F6G7H8I9J0' });
    const { exp = 0, iat = 0, ...claims } = decodeJwt(secret);
    expect(claims).toEqual({ iss: 'A1B2C3D4E5', sub: CLIENT_ID, aud: 'https://appleid.apple.com' });
    expect(exp - iat).toBe(300);
    await go();
    expect(apple.askedFor('POST /auth/token').at(-1)?.form.get('client_secret')).not.toBe(secret);
  });

  test('who cancels reads that nobody was signed in', async () => {
    apple.person(undefined);
    expect((await go()).reason).toBe('provider_refused');
  });
});

describe('what Apple marks', () => {
  test.each([
    ['true', true],
    [true, true],
    ['false', false],
    [false, false],
    [undefined, false],
    ['yes', false],
  ] as const)('email_verified %j: the address is proven: %j', async (mark, isProven) => {
    const { email_verified: _, ...rest } = ann;
    apple.person({ ...rest, ...(mark !== undefined && { email_verified: mark as 'true' }) });
    expect(await world.whoWaits(await go())).toMatchObject({ email: ann.email, emailProven: isProven });
  });

  test.each([
    ['without it', undefined],
    ['that is no JSON', '{"name":'],
    ['of another form', '{"name":"Ann"}'],
    ['that is empty', '{"name":{}}'],
    ['as null', 'null'],
  ])('a user %s leaves the name out, and nothing else', async (_, user) => {
    const leaving = await world.leave('apple');
    const { url, form = {} } = await apple.visit(leaving.to);
    const { user: __, ...rest } = form;
    const { reason } = await world.comeBack(leaving, {
      url,
      form: user === undefined ? rest : { ...rest, user },
    });
    expect(reason).toBeUndefined();
    const waits = await world.whoWaits(leaving);
    expect(waits).toMatchObject({ email: ann.email });
    expect(waits).not.toHaveProperty('nickname');
  });

  test('the name in the form is not that of the account at Apple: it finds nobody', async () => {
    const leaving = await world.leave('apple');
    const { url, form = {} } = await apple.visit(leaving.to);
    const user = JSON.stringify({ name: { firstName: 'Eve' }, email: 'victim@example.com' });
    await world.comeBack(leaving, { url, form: { ...form, user } });
    expect(await world.whoWaits(leaving)).toMatchObject({ email: ann.email, nickname: 'Eve' });
  });
});

describe('an answer that proves nothing', () => {
  const claims = () => ({
    iss: 'https://appleid.apple.com',
    aud: CLIENT_ID,
    iat: nowInSeconds(),
    exp: nowInSeconds() + 3_600,
    ...ann,
  });
  const answer = async (idToken: string | undefined) =>
    apple.misbehaveAt('POST /auth/token', () => ({
      body: { access_token: 'a', token_type: 'Bearer', expires_in: 3_600, id_token: idToken },
    }));

  test.each([
    ['another audience', { aud: 'com.example.other' }],
    ['another issuer', { iss: 'https://appleid.example' }],
    ['no nonce', {}],
    ['another nonce', { nonce: 'of-somebody-else' }],
    ['an end that has passed', { exp: nowInSeconds() - 3_600 }],
    ['no subject', { sub: undefined }],
  ])('has an ID Token with %s', async (_, changed) => {
    await answer(await apple.signsWith({ ...claims(), ...changed }));
    const came = await go();
    expect(came.reason).toBe('provider_failed');
    expect(await world.whoWaits(came)).toBeUndefined();
  });

  test('has no ID Token', async () => {
    await answer(undefined);
    expect((await go()).reason).toBe('provider_failed');
  });
});

test('a key that is rotated is read anew', async () => {
  await go();
  await apple.rotateKeys();
  expect((await go()).reason).toBeUndefined();
});

test.each([
  ['is refused', { status: 400, body: { error: 'invalid_grant' } }, 'provider_failed'],
  ['does not know our key', { status: 400, body: { error: 'invalid_client' } }, 'provider_failed'],
  ['is broken', { status: 500, body: '<h1>Sorry</h1>', type: 'text/html' }, 'provider_unavailable'],
  ['is a page', { status: 200, body: '<h1>Sorry</h1>', type: 'text/html' }, 'provider_unavailable'],
])('where the token endpoint %s, people read what happened', async (_, reply, reason) => {
  apple.misbehaveAt('POST /auth/token', () => reply);
  expect((await go()).reason).toBe(reason);
});
