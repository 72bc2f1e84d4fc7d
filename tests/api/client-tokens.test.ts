import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@candela/server/logger';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRelyingParty } from '../support/relying-party.ts';
import type { Answer } from '../support/user-agent.ts';
import { createVerbs, createWorld, freePort, type World } from '../support/world.ts';

const file = join(tmpdir(), `brands-of-machines-${process.pid}.json`);
const lines: string[] = [];
let world: World;
/** The second brand of the same server. */
let second: ReturnType<typeof createVerbs>;
beforeAll(async () => {
  const port = await freePort();
  const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  await writeFile(
    file,
    JSON.stringify([{ id: 'aurelia' }, { id: 'fjord', name: 'Fjord', origin: origins[1] }]),
  );
  const note = (...parts: unknown[]) => void lines.push(JSON.stringify(parts));
  const logger = Object.assign(createLogger('silent'), { debug: note, info: note, warn: note, error: note });
  world = await createWorld({ env: { PORT: String(port), BRANDS_FILE: file }, logger });
  const registerClients = () => Promise.reject(new Error('register with the first brand'));
  second = createVerbs({
    origin: origins[1] ?? '',
    ports: world.ports,
    dataDirs: [world.config.dataDir],
    registerClients,
  });
});
afterAll(async () => {
  await world.close();
  await rm(file, { force: true });
});

const secretOf = (id: string) => `${id}-0123456789-0123456789-0123456789`;
const entryOf = (id: string, more: object = {}) => ({
  client_id: id,
  client_secret: secretOf(id),
  client_name: id,
  preset: 'machine',
  scope: 'clients',
  ...more,
});

const partyOf = (id: string, issuer = world.origin) =>
  createRelyingParty({
    issuer,
    clientId: id,
    clientSecret: secretOf(id),
    redirectUri: 'https://app.example/',
  });

/** The token of a machine at an issuer, as openid-client gets it; with a handle the token is bound to its key. */
const tokenAt = async (issuer: string, id: string, DPoP?: oidc.DPoPHandle): Promise<string> => {
  const { configuration } = await partyOf(id, issuer);
  const parameters = { scope: 'clients', resource: `${issuer}/api` };
  const tokens = await oidc.clientCredentialsGrant(configuration, parameters, DPoP && { DPoP });
  return tokens.access_token;
};

const send = (
  authorization: string,
  { method = 'GET', path = '/api/clients', json, at = world }: Partial<Call> = {},
): Promise<Answer> =>
  at.browser().request(method, path, {
    headers: { origin: '', 'sec-fetch-site': '', authorization },
    ...(json && { json }),
  });
interface Call {
  method: string;
  path: string;
  json: object;
  at: Pick<World, 'browser'>;
}

/** The status, the code of the API, and the challenge of RFC 6750 without its realm. */
const refusalOf = ({ status, headers, json }: Answer) => [
  status,
  json().error.code,
  String(headers['www-authenticate'])
    .replace(/ realm="[^"]*",? ?/, ' ')
    .trim(),
];
const invalid = [401, 'not_signed_in', 'Bearer error="invalid_token"'];

describe('CL6: the token of a machine', () => {
  test('is asked for where a request has nothing to show', async () => {
    expect(refusalOf(await world.browser().get('/api/clients'))).toEqual([401, 'not_signed_in', 'Bearer']);
    expect(refusalOf(await send('Basic bWFjaGluZTpzZWNyZXQ='))).toEqual(invalid);
  });

  test('opens the API at the brand that issued it, and at no other', async () => {
    await world.registerClients([entryOf('both-brands')]);
    const here = await tokenAt(world.origin, 'both-brands');
    const there = await tokenAt(second.origin, 'both-brands');
    expect((await send(`Bearer ${here}`)).status).toBe(200);
    expect((await send(`Bearer ${there}`, { at: second })).status).toBe(200);
    expect(refusalOf(await send(`Bearer ${there}`))).toEqual(invalid);
    expect(refusalOf(await send(`Bearer ${here}`, { at: second }))).toEqual(invalid);
  });

  test('is refused as a bearer token where it is bound to a key (RFC 9449 section 7.2)', async () => {
    await world.registerClients([entryOf('bound')]);
    const { configuration } = await partyOf('bound');
    const handle = oidc.getDPoPHandle(configuration, await oidc.randomDPoPKeyPair('ES256'));
    const token = await tokenAt(world.origin, 'bound', handle);
    expect(refusalOf(await send(`Bearer ${token}`))).toEqual(invalid);
    expect(refusalOf(await send(`DPoP ${token}`))).toEqual(invalid);
  });

  test('ends with its hour, with its revocation, and with the scope of its machine', async () => {
    await world.registerClients([entryOf('fading')]);
    const [revoked, expired, narrowed] = await Promise.all(
      [1, 2, 3].map(() => tokenAt(world.origin, 'fading')),
    );
    await (await partyOf('fading')).revoke(revoked ?? '');
    expect(refusalOf(await send(`Bearer ${revoked}`))).toEqual(invalid);

    expect((await send(`Bearer ${expired}`)).status).toBe(200);
    await world.registerClients([entryOf('fading', { scope: 'openid' })]);
    expect(refusalOf(await send(`Bearer ${narrowed}`))).toEqual([
      403,
      'not_a_developer',
      'Bearer error="insufficient_scope", scope="clients"',
    ]);
    await world.registerClients([entryOf('fading')]);
    await world.db
      .updateTable('oidc_model')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('client_id', '=', 'fading')
      .execute();
    expect(refusalOf(await send(`Bearer ${expired}`))).toEqual(invalid);
  });

  test('makes no client that makes clients', async () => {
    await world.registerClients([entryOf('maker')]);
    const authorization = `Bearer ${await tokenAt(world.origin, 'maker')}`;
    const child = { preset: 'machine', name: 'Child', scope: 'clients' };
    const refused = await send(authorization, { method: 'POST', json: child });
    expect([refused.status, refused.json().error.fields]).toEqual([400, { scope: 'scope_unknown' }]);
    const { client } = (
      await send(authorization, { method: 'POST', json: { ...child, scope: undefined } })
    ).json();
    const path = `/api/clients/${client.client_id}`;
    const patched = await send(authorization, { method: 'PATCH', path, json: { scope: 'clients' } });
    expect([patched.status, patched.json().error.fields]).toEqual([400, { scope: 'scope_unknown' }]);
    for (const json of [
      ...[{ first_party: true }, { verified: true }, { disabled: true }, { brand: 'fjord' }, { fapi: true }],
      ...[{ resource_server: 'https://api.example/' }, { bare_invalid_grant: true }, { client_id: 'maker' }],
      ...[{ client_secret: 'x'.repeat(40) }, { made_by: 'other' }, { source: 'operator' }],
      JSON.parse('{"__proto__": {"verified": true}}') as object,
    ]) {
      const answer = await send(authorization, { method: 'PATCH', path, json });
      const field = Object.keys(json)[0] ?? '';
      expect([answer.status, Object.keys(answer.json().error.fields)]).toEqual([400, [field]]);
    }
    expect((await send(authorization, { path })).json()).toEqual(client);
  });
});

test('changes are counted for each developer, reads are not', async () => {
  const { agent } = await world.signUpDeveloper();
  const patch = () => agent.request('PATCH', '/api/clients/unknown', { json: { name: 'New' } });
  expect((await patch()).status).toBe(404);
  await world.db
    .updateTable('rate_limit')
    .set({ hits: 300 })
    .where('key', 'like', 'client_changes account:%')
    .execute();
  const refused = await patch();
  expect([refused.status, refused.json().error.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await agent.get('/api/clients')).status).toBe(200);
  const other = await world.signUpDeveloper();
  const made = await other.agent.post('/api/clients', {
    preset: 'web',
    name: 'Sunrise Alarm',
    redirect_uris: ['https://sunrise.example/callback'],
  });
  expect(made.status).toBe(201);
});

test('no secret and no token is in the log, in the history, or in a later answer', async () => {
  await world.registerClients([entryOf('discreet')]);
  const token = await tokenAt(world.origin, 'discreet');
  const authorization = `Bearer ${token}`;
  const made = await send(authorization, { method: 'POST', json: { preset: 'machine', name: 'Lamp Post' } });
  const { client, secret } = made.json();
  const path = `/api/clients/${client.client_id}`;
  const added = await send(authorization, {
    method: 'POST',
    path: `${path}/secrets`,
    json: { name: 'next', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  });
  expect(Object.keys(added.json()).toSorted()).toEqual(['expiresAt', 'name', 'secret']);
  await send(authorization, { method: 'DELETE', path: `${path}/secrets/registered` });
  const answers = await Promise.all(
    ['', '/history', '/errors', '/health', '/members'].map((below) =>
      send(authorization, { path: path + below }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(answers.length).fill(200));
  const told = [...answers.map(({ body }) => body), ...lines].join('\n');
  expect(told).toContain('client.secret_added');
  for (const hidden of [token, secret, added.json().secret, secretOf('discreet')])
    expect(told).not.toContain(hidden);
});
