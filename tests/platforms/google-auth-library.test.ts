import { createPublicKey } from 'node:crypto';
import { CodeChallengeMethod, OAuth2Client } from 'google-auth-library';
import type { JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

/** Google’s own client for Node.js, at the endpoints of this server: what it sends is what Google’s services send. */

const redirectUri = 'https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3';

let world: World;
let google: Platform;
let person: UserAgent;
/** The library’s own form of a key set: PEM by key id. */
let pems: Record<string, string>;
beforeAll(async () => {
  world = await createWorld();
  google = await registerPlatform(world, {
    metadata: {
      preset: 'google-home',
      project_id: 'our-lights-1a2b3',
      id_token_signed_response_alg: 'RS256',
    },
    redirectUri,
    authentication: 'body',
  });
  ({ agent: person } = await world.signUp());
  const { keys } = (await (await fetch(`${world.origin}/oauth/jwks`)).json()) as {
    keys: (JWK & { kid: string })[];
  };
  pems = Object.fromEntries(
    keys.map((jwk) => [
      jwk.kid,
      createPublicKey({ key: { ...jwk }, format: 'jwk' })
        .export({ type: 'spki', format: 'pem' })
        .toString(),
    ]),
  );
});
afterAll(() => world.close());

const createClient = () =>
  new OAuth2Client({
    clientId: google.clientId,
    clientSecret: google.clientSecret,
    redirectUri,
    forceRefreshOnFailure: true,
    issuers: [world.origin],
    endpoints: {
      oauth2AuthBaseUrl: `${world.origin}/oauth/authorize`,
      oauth2TokenUrl: `${world.origin}/oauth/token`,
      oauth2RevokeUrl: `${world.origin}/oauth/revoke`,
      tokenInfoUrl: `${world.origin}/oauth/userinfo`,
    },
  });

/** The person approves at the address that the library made. */
const approve = async (address: string): Promise<string> => {
  const { url } = await person.navigate(address);
  const back =
    url.pathname === '/consent' ? (await world.approve(person, world.interactionOf(url))).url : url;
  return back.searchParams.get('code') ?? '';
};

const link = async (client: OAuth2Client) => {
  const { codeVerifier, codeChallenge = '' } = await client.generateCodeVerifierAsync();
  const address = client.generateAuthUrl({
    scope: ['openid', 'profile'],
    state: 'abc',
    code_challenge: codeChallenge,
    code_challenge_method: CodeChallengeMethod.S256,
  });
  const { tokens } = await client.getToken({ code: await approve(address), codeVerifier });
  client.setCredentials(tokens);
  const { access_token, refresh_token, id_token, expiry_date } = tokens;
  if (!access_token || !refresh_token || !id_token) throw new Error('the answer has not all tokens');
  return { access_token, refresh_token, id_token, expiry_date };
};

describe('google-auth-library', () => {
  test('links with PKCE, uses the access token, and verifies the ID token by its own rules', async () => {
    const client = createClient();
    const { id_token, expiry_date } = await link(client);
    expect(expiry_date).toBeGreaterThan(Date.now() + 360_000);
    const userinfo = await client.request({ url: `${world.origin}/oauth/userinfo` });
    expect([userinfo.status, userinfo.data]).toMatchObject([200, { sub: expect.any(String) }]);

    const verify = (audience: string, issuers = [world.origin]) =>
      client.verifySignedJwtWithCertsAsync(id_token, pems, audience, issuers);
    const ticket = await verify(google.clientId);
    expect(ticket.getUserId()).toBe((userinfo.data as { sub: string }).sub);
    await expect(verify('another')).rejects.toThrow('Wrong recipient');
    await expect(verify(google.clientId, ['https://accounts.google.com'])).rejects.toThrow('Invalid issuer');
  });

  test('refreshes by itself once the access token is over, also for several requests at once', async () => {
    const client = createClient();
    const { access_token: first, refresh_token: kept } = await link(client);
    client.setCredentials({ ...client.credentials, expiry_date: Date.now() - 1000 });
    const seen = await Promise.all(
      [1, 2, 3].map(async () => (await client.request({ url: `${world.origin}/oauth/userinfo` })).status),
    );
    expect(seen).toEqual([200, 200, 200]);
    expect(client.credentials.access_token).not.toBe(first);
    expect(client.credentials.refresh_token).toBe(kept);
  });

  test('of two processes that keep one link both refresh, as often as they like', async () => {
    const [one, other] = [createClient(), createClient()];
    const { refresh_token } = await link(one);
    for (let round = 0; round < 3; round += 1)
      for (const client of [one, other]) {
        client.setCredentials({ refresh_token });
        const { token } = await client.getAccessToken();
        expect(await google.use(token ?? '')).toBe(200);
      }
  });

  test('asks again by itself after 401, which it gets for an access token that ended', async () => {
    const client = createClient();
    const { access_token } = await link(client);
    await google.revoke(access_token, 'access_token');
    const { status } = await client.request({ url: `${world.origin}/oauth/userinfo` });
    expect(status).toBe(200);
  });

  test('is told invalid_grant for a code that was used, and of a link that ended', async () => {
    const client = createClient();
    const code = await approve(client.generateAuthUrl({ scope: 'openid' }));
    const { tokens } = await client.getToken(code);
    await expect(client.getToken(code)).rejects.toMatchObject({ status: 400, message: 'invalid_grant' });
    await google.revoke(tokens.refresh_token ?? '');
    client.setCredentials({ refresh_token: tokens.refresh_token ?? '' });
    await expect(client.getAccessToken()).rejects.toMatchObject({ message: 'invalid_grant' });
  });

  /** The library revokes at Google, which wants no client: RFC 7009 section 2.1 wants one, and the token in the body. */
  test('does not end a link by a token in an address alone, and does by a request of RFC 7009', async () => {
    const client = createClient();
    const { refresh_token, access_token } = await link(client);
    await expect(client.revokeToken(refresh_token)).rejects.toMatchObject({ status: expect.any(Number) });
    expect(await google.use(access_token)).toBe(200);
    const { status } = await client.transporter.request({
      url: `${world.origin}/oauth/revoke`,
      method: 'POST',
      data: new URLSearchParams({
        token: refresh_token,
        client_id: google.clientId,
        client_secret: google.clientSecret,
      }),
    });
    expect(status).toBe(200);
    expect(await google.use(access_token)).toBe(401);
  });
});
