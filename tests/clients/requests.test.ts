import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { documentedNames, readDocumented } from './documented.ts';

const NAME = 'Lena Moroz';
const FORM = 'application/x-www-form-urlencoded';

let world: World;
let agent: UserAgent;
let identifier: string;
beforeAll(async () => {
  world = await createWorld();
  ({ agent, identifier } = await world.signUp());
  await agent.request('PATCH', '/api/account', { json: { nickname: NAME } });
});
afterAll(() => world.close());

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`, 'latin1').toString('base64')}`;
/** Form encoding, as Java, Ruby and Go write it. */
const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);

/** What a library has at hand when it makes a request. */
interface Facts {
  id: string;
  secret: string;
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
  challenge: string;
  code: string;
}

interface TokenRequest {
  form: Record<string, string>;
  headers?: Record<string, string>;
}

/** A library by what it sends, in its order and its spelling. */
interface Library {
  /** Of docs/clients.md. */
  name: string;
  /** Where it is answered, if not at the first address that is registered. */
  redirectUri?: string;
  state?: string;
  authorize(facts: Facts): Record<string, string>;
  /** In turn, until one is answered. */
  token: ((facts: Facts) => TokenRequest)[];
  userinfo?: { headers: Record<string, string> };
  /** Whether the id_token says who it is; of those that read it there. */
  reads: string[];
}

const pkce = ({ challenge }: Facts) => ({ code_challenge: challenge, code_challenge_method: 'S256' });

/** golang.org/x/oauth2: by HTTP Basic first, and without it when that is refused. */
const goTokenRequests: Library['token'] = [true, false].map(
  (inHeader) =>
    ({ id, secret, code, verifier, redirectUri }) => ({
      ...(inHeader && { headers: { authorization: basic(encoded(id), encoded(secret)) } }),
      form: {
        ...(!inHeader && { client_id: id, ...(secret && { client_secret: secret }) }),
        code,
        code_verifier: verifier,
        grant_type: 'authorization_code',
        redirect_uri: redirectUri,
      },
    }),
);

const libraries: Library[] = [
  {
    name: 'Authlib',
    authorize: ({ id, redirectUri, state, nonce }) => ({
      response_type: 'code',
      client_id: id,
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state,
      nonce,
    }),
    token: [
      ({ id, secret, code, redirectUri }) => ({
        headers: {
          accept: 'application/json',
          'content-type': `${FORM};charset=UTF-8`,
          authorization: basic(id, secret),
        },
        form: { grant_type: 'authorization_code', redirect_uri: redirectUri, code },
      }),
    ],
    reads: ['name', 'email', 'nonce', 'at_hash'],
  },
  {
    name: 'go-oidc',
    authorize: (facts) => ({
      client_id: facts.id,
      ...pkce(facts),
      redirect_uri: facts.redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: facts.state,
    }),
    token: goTokenRequests,
    userinfo: { headers: { accept: '' } },
    reads: ['name', 'email', 'at_hash'],
  },
  {
    name: 'oauth2-proxy',
    // A hash, and behind it the page that the person came for.
    state: `${sha256('csrf').toString('base64url')}:/lights?room=1`,
    authorize: (facts) => ({
      approval_prompt: 'force',
      client_id: facts.id,
      ...pkce(facts),
      redirect_uri: facts.redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      state: facts.state,
    }),
    token: goTokenRequests,
    reads: ['email', 'email_verified', 'preferred_username'],
  },
  {
    name: 'mod_auth_openidc',
    authorize: ({ id, redirectUri, state, nonce }) => ({
      response_type: 'code',
      scope: 'openid profile email',
      client_id: id,
      state,
      redirect_uri: redirectUri,
      nonce,
    }),
    token: [
      ({ id, secret, code, redirectUri }) => ({
        headers: { authorization: basic(encoded(id), encoded(secret)), 'user-agent': 'mod_auth_openidc' },
        form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
      }),
    ],
    userinfo: { headers: { accept: '*/*' } },
    reads: ['name', 'nonce'],
  },
  {
    name: 'Spring Security',
    // Base64 with its padding.
    state: `${randomBytes(32).toString('base64url')}=`,
    authorize: ({ id, redirectUri, state, nonce }) => ({
      response_type: 'code',
      client_id: id,
      scope: 'openid profile email',
      state,
      redirect_uri: redirectUri,
      nonce: sha256(nonce).toString('base64url'),
    }),
    token: [
      ({ id, secret, code, redirectUri }) => ({
        headers: {
          accept: 'application/json;charset=UTF-8',
          'content-type': `${FORM};charset=UTF-8`,
          authorization: basic(encoded(id), encoded(secret)),
        },
        form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
      }),
    ],
    userinfo: { headers: { accept: 'application/json' } },
    reads: ['name', 'email'],
  },
  {
    name: 'mozilla-django-oidc',
    authorize: ({ id, redirectUri, state, nonce }) => ({
      response_type: 'code',
      scope: 'openid email profile',
      client_id: id,
      redirect_uri: redirectUri,
      state,
      nonce,
    }),
    token: [
      ({ id, secret, code, redirectUri }) => ({
        headers: { accept: '*/*' },
        form: {
          client_id: id,
          client_secret: secret,
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
        },
      }),
    ],
    userinfo: { headers: { accept: '*/*' } },
    reads: ['nonce'],
  },
  {
    name: 'omniauth_openid_connect',
    authorize: (facts) => ({
      client_id: facts.id,
      ...pkce(facts),
      nonce: facts.nonce,
      redirect_uri: facts.redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: facts.state,
    }),
    token: [
      ({ id, secret, code, redirectUri, verifier }) => ({
        headers: { authorization: basic(encoded(id), encoded(secret)) },
        form: {
          scope: 'openid profile email',
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        },
      }),
    ],
    userinfo: { headers: { accept: '*/*' } },
    reads: ['name', 'preferred_username', 'nonce'],
  },
  {
    name: 'oauth2cli',
    redirectUri: 'http://localhost:45871',
    authorize: (facts) => ({
      client_id: facts.id,
      ...pkce(facts),
      redirect_uri: facts.redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      state: facts.state,
    }),
    token: goTokenRequests,
    reads: ['name'],
  },
  {
    name: 'oidc-agent',
    redirectUri: 'http://localhost:4242',
    authorize: (facts) => ({
      response_type: 'code',
      client_id: facts.id,
      redirect_uri: facts.redirectUri,
      scope: 'openid profile email offline_access',
      prompt: 'consent',
      state: facts.state,
      access_type: 'offline',
      code_challenge_method: 'S256',
      code_challenge: facts.challenge,
    }),
    token: [
      ({ id, secret, code, redirectUri, verifier }) => ({
        headers: { authorization: basic(id, secret) },
        form: {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          response_type: 'token',
          code_verifier: verifier,
        },
      }),
    ],
    reads: ['name'],
  },
];

/** Registers the documented client, and gathers what its library would have at hand. */
const prepare = async ({ name, redirectUri, state }: Library): Promise<Omit<Facts, 'code'>> => {
  const secret = randomBytes(32).toString('hex');
  const places = { issuer: world.origin, app: 'https://app.example', clientSecret: secret };
  const { registration } = readDocumented(name, places);
  await world.registerClients([registration]);
  const verifier = randomBytes(48).toString('base64url');
  return {
    id: registration.client_id,
    secret: registration.client_secret === undefined ? '' : secret,
    redirectUri: redirectUri ?? (registration.redirect_uris as string[])[0] ?? '',
    state: state ?? randomBytes(16).toString('hex'),
    nonce: randomBytes(16).toString('hex'),
    verifier,
    challenge: sha256(verifier).toString('base64url'),
  };
};

/** Sends the authorization request in the browser, approves, and gives what comes back. */
const authorize = async (parameters: Record<string, string>): Promise<URL> => {
  const asked = await agent.navigate(`${world.origin}/oauth/authorize?${new URLSearchParams(parameters)}`);
  expect(asked.url.pathname).toBe('/consent');
  return (await world.approve(agent, world.interactionOf(asked.url))).url;
};

/** Sends one after the other until one is answered. */
const exchange = async (requests: readonly TokenRequest[]) => {
  const app = world.browser({ headers: { origin: '', 'sec-fetch-site': '', accept: '' } });
  for (const { form, headers = {} } of requests) {
    const answer = await app.request('POST', '/oauth/token', {
      raw: new URLSearchParams(form).toString(),
      headers: { 'content-type': FORM, ...headers },
    });
    if (answer.status === 200) return answer.json();
    expect([400, 401]).toContain(answer.status);
  }
  throw new Error('no token request was answered');
};

describe.each(libraries)('$name', (library) => {
  test('signs a person in with the requests that it sends', async () => {
    const asked = await prepare(library);
    const parameters = library.authorize({ ...asked, code: '' });
    const callback = await authorize(parameters);
    expect(callback.href.startsWith(asked.redirectUri)).toBe(true);
    expect(callback.searchParams.get('state')).toBe(asked.state);
    expect(callback.searchParams.get('iss')).toBe(world.origin);

    const facts = { ...asked, code: callback.searchParams.get('code') ?? '' };
    const tokens = await exchange(library.token.map((request) => request(facts)));
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: expect.any(Number) });

    const keys = createRemoteJWKSet(new URL(`${world.origin}/oauth/jwks`));
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token, keys, {
      issuer: world.origin,
      audience: asked.id,
    });
    const isNative = asked.secret === '';
    expect(protectedHeader.alg).toBe(isNative ? 'ES256' : 'RS256');
    const known: Record<string, unknown> = {
      name: NAME,
      preferred_username: NAME,
      email: identifier,
      email_verified: true,
      nonce: parameters.nonce,
      at_hash: sha256(tokens.access_token).subarray(0, 16).toString('base64url'),
    };
    for (const claim of library.reads) expect(payload[claim], claim).toBe(known[claim]);

    if (!library.userinfo) return;
    const info = await world.browser().get('/oauth/userinfo', {
      headers: { authorization: `Bearer ${tokens.access_token}`, ...library.userinfo.headers },
    });
    expect(info.headers['content-type']).toMatch(/^application\/json/);
    expect(info.json()).toMatchObject({
      sub: payload.sub,
      name: NAME,
      preferred_username: NAME,
      email: identifier,
    });
  });
});

test('the table in docs/integrating.md names every client of docs/clients.md, and leads there', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/integrating.md'), 'utf8');
  const rows = [...page.matchAll(/^\| \[([^\]]+)\]\(clients\.md#([^)]+)\)/gm)];
  expect(rows.map(([, name]) => name)).toEqual(documentedNames);
  for (const [, name = '', anchor] of rows)
    expect(anchor).toBe(name.toLowerCase().replaceAll(' ', '-').replaceAll('.', ''));
});

test('every registration that stands in docs/integrating.md is accepted', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/integrating.md'), 'utf8');
  const entries = [...page.matchAll(/^```json\n(.*?)^```$/gms)]
    .flatMap(([, text = '']) => JSON.parse(text.replaceAll('"..."', JSON.stringify('s'.repeat(43)))))
    .filter((entry) => 'preset' in entry);
  expect(entries.length).toBeGreaterThan(4);
  await world.registerClients(entries);
});
