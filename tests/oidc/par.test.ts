import { sql } from 'kysely';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { createSigningKey, signRequest } from '../support/signer.ts';
import { basic } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { acceptAccessToken } from './access-token.ts';
import { bootOf, type RegisteredApp } from './authorization.ts';
import { errorOf, LIGHTS, resources, SCENES } from './resources.ts';

let world: SecureWorld;
let app: RegisteredApp;
let agent: UserAgent;
beforeAll(async () => {
  world = await createSecureWorld({ servers: 2 });
  app = await world.registerApp();
  ({ agent } = await world.signUp());
  // Everything requested is approved in advance, so that no consent page comes in between.
  await world.link(agent, app.rp);
});
afterAll(() => world.close());

/** A pushed request, and the values that its response is verified against. */
const push = async (asked: RegisteredApp = app, parameters: Record<string, string> = {}) => {
  const { url, checks } = await asked.rp.authorizationUrl(parameters);
  const pushed = await oidc.buildAuthorizationUrlWithPAR(asked.rp.configuration, url.searchParams);
  return { url: pushed, requestUri: pushed.searchParams.get('request_uri') ?? '', checks };
};

const pushRaw = (form: Record<string, string>, headers: Record<string, string> = basic(app)) =>
  world.browser().request('POST', '/oauth/par', { form, headers: { origin: '', ...headers } });

/** Makes the pushed requests older by this time: the clock of the database decides. */
const later = async (seconds: number, work: () => Promise<void>) => {
  await sql`
    update oidc_model set
      expires_at = expires_at - make_interval(secs => ${seconds}),
      payload = jsonb_set(payload, '{opensUntil}', to_jsonb((payload->>'opensUntil')::int - ${seconds}::int))
    where model = 'PushedAuthorizationRequest'`.execute(world.db);
  await work();
};

const expectPage = (answer: Answer | undefined, error: string) => {
  expect(answer?.status).toBe(400);
  expect(answer?.headers.location).toBeUndefined();
  const boot = bootOf({ url: new URL(world.origin), ...(answer && { answer }) });
  expect(boot.error.oauthError).toBe(error);
};

describe('pushed authorization requests (RFC 9126)', () => {
  test('a pushed request is authorized and its code redeemed', async () => {
    const { url, checks } = await push();
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const { url: callback } = await agent.navigate(url);
    expect(callback.searchParams.get('iss')).toBe(world.origin);
    const tokens = await app.rp.exchange(callback, checks);
    expect(tokens.claims()?.aud).toBe(app.clientId);
  });

  test('OA8: the answer is 201 with an unguessable request_uri of at most 60 seconds', async () => {
    const { url } = await app.rp.authorizationUrl();
    const answer = await pushRaw(Object.fromEntries(url.searchParams));
    expect(answer.status).toBe(201);
    expect(answer.headers['cache-control']).toContain('no-store');
    const { request_uri, expires_in } = answer.json();
    expect(request_uri).toMatch(/^urn:ietf:params:oauth:request_uri:[\w-]{21,}$/);
    expect(expires_in).toBeGreaterThan(0);
    expect(expires_in).toBeLessThanOrEqual(60);
  });

  test('OA8: a request_uri yields one response: a second use is a page and no redirect', async () => {
    const { url } = await push();
    expect((await agent.navigate(url)).url.searchParams.get('code')).toBeTypeOf('string');
    expectPage((await agent.navigate(url)).answer, 'invalid_request_uri');
  });

  test('OA8: of parallel uses in two processes one gets a code', async () => {
    const { url } = await push();
    const arrivals = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const answer = await agent.get(url.href);
        const { location } = answer.headers;
        if (typeof location === 'string') return new URL(location).searchParams.has('code');
        expectPage(answer, 'invalid_request_uri');
        return false;
      }),
    );
    expect(arrivals.filter((hasCode) => hasCode)).toHaveLength(1);
  });

  test('OA8: opened again before it is answered, as with the back button, it is still valid; the first answer spends it', async () => {
    const { url } = await push(app, { prompt: 'login' });
    const { agent: person, identifier } = await world.signUp();
    const first = await person.navigate(url);
    const second = await person.navigate(url);
    expect([first.url.pathname, second.url.pathname]).toEqual(['/login', '/login']);
    let arrived = await world.login(person, world.interactionOf(second.url), identifier);
    if (arrived.url.pathname === '/consent') {
      arrived = await world.approve(person, world.interactionOf(arrived.url));
    }
    expect(arrived.url.searchParams.get('code')).toBeTypeOf('string');
    expectPage((await person.navigate(url)).answer, 'invalid_request_uri');
  });

  test('OA8: a person who opened it in time may take longer, and of two openings one is answered', async () => {
    const { url } = await push(app, { prompt: 'login' });
    const { agent: person, identifier } = await world.signUp();
    await world.link(person, app.rp);
    const pages = [await person.navigate(url), await person.navigate(url)];
    await later(600, async () => {
      const answers = [];
      for (const page of pages) {
        const uid = world.interactionOf(page.url);
        answers.push((await world.login(person, uid, identifier)).url.searchParams);
      }
      expect(answers.map((parameters) => parameters.has('code'))).toEqual([true, false]);
      expect(answers[1]?.get('error')).toBe('invalid_request_uri');
    });
  });

  test('OA8: an expired, made up or truncated request_uri is a page', async () => {
    const { url, requestUri } = await push();
    await later(61, async () => expectPage((await agent.navigate(url)).answer, 'invalid_request_uri'));
    for (const made of ['urn:ietf:params:oauth:request_uri:made-up', requestUri.slice(0, -1)]) {
      url.searchParams.set('request_uri', made);
      expectPage((await agent.navigate(url)).answer, 'invalid_request_uri');
    }
    url.searchParams.set('request_uri', 'https://evil.example/request');
    expectPage((await agent.navigate(url)).answer, 'request_uri_not_supported');
  });

  test('OA8: another client cannot use it', async () => {
    const other = await world.registerApp({ redirect_uris: ['https://other.example/callback'] });
    const { url } = await push();
    url.searchParams.set('client_id', other.clientId);
    const { answer } = await agent.navigate(url);
    expectPage(answer, 'invalid_request_uri');
    url.searchParams.set('client_id', app.clientId);
    expect((await agent.navigate(url)).url.searchParams.get('code')).toBeTypeOf('string');
  });

  test('OA8: parameters beside the request_uri do not change the pushed request', async () => {
    const { url, checks } = await push();
    url.searchParams.set('state', 'another');
    url.searchParams.set('scope', 'openid email');
    url.searchParams.set('redirect_uri', 'https://evil.example/');
    const { url: callback } = await agent.navigate(url);
    expect(callback.origin).toBe('https://app.example');
    expect(callback.searchParams.get('state')).toBe(checks.expectedState);
  });

  test('OA8: a client registered for pushed requests may send no other', async () => {
    const strict = await world.registerApp({ require_pushed_authorization_requests: true });
    const { url } = await strict.rp.authorizationUrl();
    const refused = await agent.navigate(url);
    expect(refused.url.origin).toBe('https://app.example');
    expect(refused.url.searchParams.get('error')).toBe('invalid_request');
    expect(refused.url.searchParams.get('iss')).toBe(world.origin);
    expect((await agent.navigate((await push(strict)).url)).url.pathname).toBe('/consent');
  });

  test('a public client pushes too', async () => {
    const native = await world.registerApp({ token_endpoint_auth_method: 'none' });
    expect((await agent.navigate((await push(native)).url)).url.pathname).toBe('/consent');
  });

  test('a request that authorization would refuse is refused when pushed', async () => {
    const right = Object.fromEntries((await app.rp.authorizationUrl()).url.searchParams);
    const changes: [Record<string, string>, string][] = [
      [{ redirect_uri: 'https://evil.example/' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'request_uri_not_supported'],
      [{ scope: 'openid', claims: '[' }, 'invalid_request'],
      [{ claims: `{"userinfo":{"email":{"x":${'['.repeat(9000)}${']'.repeat(9000)}}}}` }, 'invalid_request'],
      [{ client_id: 'another' }, 'invalid_request'],
    ];
    for (const [change, error] of changes) {
      const answer = await pushRaw({ ...right, ...change });
      expect([change, answer.status, answer.json().error]).toEqual([change, 400, error]);
    }
    const wrong = await pushRaw(right, basic({ ...app, clientSecret: 'wrong' }));
    expect([wrong.status, wrong.json().error]).toEqual([401, 'invalid_client']);
    expect((await pushRaw(right, {})).status).toBe(401);
  });

  test('a request object that has just ended is refused, though its end is tolerated elsewhere', async () => {
    const key = await createSigningKey();
    const signing = await world.registerApp({ jwks: { keys: [{ ...key.jwk, kid: 'k', use: 'sig' }] } });
    const parameters = Object.fromEntries((await signing.rp.authorizationUrl()).url.searchParams);
    const pushWithEnd = async (seconds: number) => {
      const exp = Math.floor(Date.now() / 1000) + seconds;
      const { clientId } = signing;
      const subject = { clientId, audience: world.origin };
      const request = await signRequest(key, subject, { ...parameters, exp }, { kid: 'k' });
      return pushRaw({ client_id: clientId, request }, basic(signing));
    };
    const ended = await pushWithEnd(-5);
    expect([ended.status, ended.json().error]).toEqual([400, 'invalid_request_object']);
    expect((await pushWithEnd(30)).json().expires_in).toBeGreaterThan(0);
  });

  test('a pushed request may name APIs', async () => {
    await world.registerResources(resources);
    const { rp, redirectUri } = await world.registerApp();
    const verifier = oidc.randomPKCECodeVerifier();
    const parameters = new URLSearchParams({
      redirect_uri: redirectUri,
      scope: 'openid read play',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    for (const identifier of [LIGHTS, SCENES]) parameters.append('resource', identifier);
    const url = await oidc.buildAuthorizationUrlWithPAR(rp.configuration, parameters);
    const consent = await agent.navigate(url);
    const arrived = await world.approve(agent, world.interactionOf(consent.url));
    const tokens = await rp.exchange(arrived.url, { pkceCodeVerifier: verifier } as never, {
      resource: SCENES,
    });
    expect((await acceptAccessToken(world, tokens.access_token, SCENES)).payload.scope).toBe('read play');

    parameters.append('resource', 'https://nobody.example/');
    const refused = oidc.buildAuthorizationUrlWithPAR(rp.configuration, parameters);
    expect(await errorOf(refused)).toBe('invalid_target');
  });
});
