import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { clientErrorStatus } from '@candela/contract';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { documentedClients, documentedEntries, fileOfPage, readDocumented } from './documented.ts';
import { libraries } from './libraries.ts';
import { type Facts, FORM, type Library, sha256, type TokenRequest } from './library.ts';

const NAME = 'Lena Moroz';

let world: World;
let agent: UserAgent;
let identifier: string;
beforeAll(async () => {
  world = await createWorld();
  ({ agent, identifier } = await world.signUp());
  await agent.request('PATCH', '/api/account', { json: { nickname: NAME } });
});
afterAll(() => world.close());

/** Registers the documented client, and collects the values that its library would have. */
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

/** Sends the authorization request in the browser, approves, and returns the response. */
const authorize = async (parameters: Record<string, string>): Promise<URL> => {
  const asked = await agent.navigate(`${world.origin}/oauth/authorize?${new URLSearchParams(parameters)}`);
  expect(asked.url.pathname).toBe('/consent');
  return (await world.approve(agent, world.interactionOf(asked.url))).url;
};

/** Sends the requests in turn until one succeeds. */
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

test('the index of docs/integrating leads to the page of each client that the tests run', () => {
  for (const { name, file } of documentedClients) expect(fileOfPage(name), name).toBe(file);
  const names = documentedClients.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(libraries.map(({ name }) => name)));
});

test('every registration in docs/integrating is accepted', async () => {
  const entries = documentedEntries().filter((entry) => 'preset' in entry);
  expect(entries.length).toBeGreaterThan(20);
  await world.registerClients(entries);
});

test('the page about registering says what would be right for each error code of a registration', () => {
  const page = readFileSync(new URL('../../docs/integrating/registering.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## What is refused, and by which code?');
  const rows = section.split('\n## ')[0]?.matchAll(/^\| (`[^|]+`) \|/gm) ?? [];
  const documented = [...rows].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));
  expect(documented.sort()).toEqual(Object.keys(clientErrorStatus).sort());
});
