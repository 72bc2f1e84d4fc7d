import { clientApi } from '@candela/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRelyingParty } from '../support/relying-party.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let agent: UserAgent;
let identifier: string;
beforeAll(async () => {
  world = await createWorld();
  ({ agent, identifier } = await world.signUpDeveloper());
});
afterAll(() => world.close());

const web = { preset: 'web', name: 'Sunrise Alarm', redirect_uris: ['https://sunrise.example/callback'] };

const create = (json: object = web, by: UserAgent = agent): Promise<Answer> =>
  by.request('POST', '/api/clients', { json });

const make = async (more: object = {}) => {
  const answer = await create({ ...web, ...more });
  expect([answer.status, answer.body]).toEqual([201, expect.any(String)]);
  return answer.json() as { client: Record<string, unknown> & { client_id: string }; secret: string };
};

const errorOf = (answer: Answer) => {
  const { requestId: _requestId, ...error } = answer.json().error;
  return [answer.status, error];
};

const countClients = async () => (await world.db.selectFrom('client').select('id').execute()).length;

const tokenOf = (clientId: string, secret: string, params: Record<string, string> = {}) =>
  agent.request('POST', '/oauth/token', {
    headers: {
      origin: '',
      'sec-fetch-site': '',
      cookie: '',
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    },
    form: { grant_type: 'client_credentials', ...params },
  });

/** A machine that an operator registered, and a function that sends requests with its token. */
const makeMachine = async (id: string) => {
  const secret = `${id}-0123456789-0123456789-0123456789`;
  await world.registerClients([
    { client_id: id, client_secret: secret, client_name: id, preset: 'machine', scope: 'clients' },
  ]);
  const { access_token: token } = (
    await tokenOf(id, secret, { resource: `${world.origin}/api`, scope: 'clients' })
  ).json();
  const send = (method: string, path: string, json?: object, headers: Record<string, string> = {}) =>
    agent.request(method, path, {
      headers: {
        origin: '',
        'sec-fetch-site': '',
        cookie: '',
        authorization: `Bearer ${token}`,
        ...headers,
      },
      ...(json && { json }),
    });
  return { id, token, send };
};

describe('a developer', () => {
  test('registers a client, and gets its secret once', async () => {
    const { client, secret } = await make();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(client).toMatchObject({
      client_name: 'Sunrise Alarm',
      preset: 'web',
      redirect_uris: web.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      first_party: false,
      verified: false,
      disabled: false,
      source: 'console',
      role: 'owner',
      links: 0,
      summary: { name: 'Sunrise Alarm', host: 'sunrise.example', verified: false },
      secrets: [{ name: 'registered' }],
    });
    const read = await agent.get(`/api/clients/${client.client_id}`);
    expect(read.json()).toEqual(client);
    expect(read.body).not.toContain(secret);
    const list = (await agent.get('/api/clients')).json();
    expect(list.items[0]).toMatchObject({
      client_id: client.client_id,
      client_name: 'Sunrise Alarm',
      alert: { errorsToday: 0 },
    });
    expect(clientApi.listClients.response.safeParse(list).success).toBe(true);
    expect(clientApi.getClient.response.safeParse(client).success).toBe(true);
  });

  test('makes a client that works: its secret opens the token endpoint, and people approve it', async () => {
    const { client, secret } = await make();
    const person = await world.signUp();
    const app = await createRelyingParty({
      issuer: world.origin,
      clientId: client.client_id,
      clientSecret: secret,
      redirectUri: 'https://sunrise.example/callback',
    });
    const { tokens } = await world.link(person.agent, app);
    expect(tokens.refresh_token).toEqual(expect.any(String));
    expect((await agent.get(`/api/clients/${client.client_id}`)).json().links).toBe(1);
  });

  test('changes what the body names, clears what it nulls, and leaves the rest', async () => {
    const { client } = await make({ policy_uri: 'https://sunrise.example/privacy' });
    const path = `/api/clients/${client.client_id}`;
    const changed = await agent.request('PATCH', path, {
      json: { name: 'Sunset', policy_uri: null, redirect_uris: ['https://sunrise.example/b'] },
    });
    expect([changed.status, changed.json()]).toEqual([
      200,
      expect.objectContaining({ client_name: 'Sunset', redirect_uris: ['https://sunrise.example/b'] }),
    ]);
    expect(changed.json()).not.toHaveProperty('policy_uri');
    const history = (await agent.get(`${path}/history`)).json();
    expect(history.items.map(({ action }: { action: string }) => action)).toEqual(['updated', 'created']);
    expect(history.items[0].by).toMatchObject({ kind: 'account', you: true });
    expect(history.items[0].changes).toContainEqual({
      field: 'client_name',
      from: 'Sunrise Alarm',
      to: 'Sunset',
    });
  });

  test('rotates a secret without downtime: both work until the old one is removed', async () => {
    const { client, secret } = await make({ preset: 'machine', redirect_uris: undefined });
    const id = client.client_id;
    const added = await agent.request('POST', `/api/clients/${id}/secrets`, { json: { name: 'next' } });
    expect([added.status, added.json()]).toEqual([201, { name: 'next', secret: expect.any(String) }]);
    const statuses = async () =>
      Promise.all([secret, added.json().secret].map(async (each) => (await tokenOf(id, each)).status));
    expect(await statuses()).toEqual([200, 200]);
    expect((await agent.request('DELETE', `/api/clients/${id}/secrets/registered`)).status).toBe(204);
    expect(await statuses()).toEqual([401, 200]);
    expect(errorOf(await agent.request('DELETE', `/api/clients/${id}/secrets/next`))).toEqual([
      409,
      { code: 'last_secret' },
    ]);
  });

  test('keeps five secrets at most, with names of their own and ends in the future', async () => {
    const { client } = await make();
    const path = `/api/clients/${client.client_id}/secrets`;
    const add = (json: object) => agent.request('POST', path, { json });
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    for (const name of ['b', 'c', 'd']) expect((await add({ name })).status).toBe(201);
    expect((await add({ name: 'e', expiresAt: soon })).json()).toMatchObject({ name: 'e', expiresAt: soon });
    expect(errorOf(await add({ name: 'f' }))[0]).toBe(409);
    expect(errorOf(await add({ name: 'f' }))[1]).toMatchObject({ code: 'secrets_exhausted' });
    const other = `/api/clients/${(await make()).client.client_id}/secrets`;
    const refused = async (json: object) => (await agent.request('POST', other, { json })).json().error.code;
    expect(await refused({ name: 'registered' })).toBe('secret_name_taken');
    expect(await refused({ name: 'with spaces' })).toBe('secret_name_invalid');
    expect(await refused({ name: 'old', expiresAt: '2020-01-01T00:00:00Z' })).toBe('expiry_invalid');
    expect(await refused({ name: 'odd', expiresAt: 'tomorrow' })).toBe('expiry_invalid');
  });

  test('disables, enables and deletes a client by its name', async () => {
    const { client, secret } = await make({ preset: 'machine', redirect_uris: undefined });
    const path = `/api/clients/${client.client_id}`;
    const status = async () => (await tokenOf(client.client_id, secret)).status;
    expect((await agent.request('POST', `${path}/disable`)).status).toBe(204);
    expect(await status()).toBe(401);
    expect((await agent.get(path)).json().disabled).toBe(true);
    expect((await agent.request('POST', `${path}/enable`)).status).toBe(204);
    expect(await status()).toBe(200);
    const remove = (confirm: string) => agent.request('DELETE', path, { json: { confirm } });
    expect(errorOf(await remove('sunrise alarm'))[1]).toMatchObject({ code: 'confirmation_differs' });
    expect((await remove('Sunrise Alarm')).status).toBe(204);
    expect([(await agent.get(path)).status, await status()]).toEqual([404, 401]);
  });

  test('invites another developer, who sees the client; others see nothing of it', async () => {
    const { client } = await make();
    const path = `/api/clients/${client.client_id}`;
    const other = await world.signUpDeveloper();
    const stranger = await world.signUp();
    const unknown = errorOf(await other.agent.get('/api/clients/unknown'));
    expect(errorOf(await other.agent.get(path))).toEqual(unknown);
    for (const [method, below, json] of [
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', { confirm: 'Sunrise Alarm' }],
      ['POST', '/secrets', { name: 'mine' }],
      ['DELETE', '/secrets/registered', undefined],
      ['POST', '/disable', undefined],
      ['GET', '/errors', undefined],
      ['GET', '/health', undefined],
      ['GET', '/history', undefined],
      ['GET', '/members', undefined],
      ['POST', '/members', { identifier: other.identifier }],
    ] as const) {
      const answer = await other.agent.request(method, path + below, json && { json });
      expect([method, below, ...errorOf(answer)]).toEqual([method, below, ...unknown]);
    }
    const invite = (who: string) => agent.request('POST', `${path}/members`, { json: { identifier: who } });
    expect(errorOf(await invite(stranger.identifier))[1]).toMatchObject({ code: 'developer_unknown' });
    const member = await invite(other.identifier);
    expect([member.status, member.json().role]).toEqual([201, 'member']);
    expect(member.body).not.toContain(other.identifier);
    expect((await other.agent.get(path)).json()).toMatchObject({ role: 'member' });
    expect((await other.agent.get('/api/clients')).json().items).toMatchObject([
      { role: 'member', sharedAt: expect.any(String) },
    ]);
    const owned = (await agent.get('/api/clients')).json().items;
    expect(owned.every((item: object) => !('sharedAt' in item))).toBe(true);
    const members = (await agent.get(`${path}/members`)).json().items;
    expect(members.map(({ role, you }: { role: string; you: boolean }) => [role, you])).toEqual([
      ['owner', true],
      ['member', false],
    ]);
    expect((await agent.request('DELETE', `${path}/members/${members[0].id}`)).status).toBe(409);
    const removed = await agent.request('DELETE', `${path}/members/${members[1].id}`);
    expect([removed.status, removed.json()]).toEqual([
      200,
      { secrets: [{ name: 'registered', createdAt: expect.any(String), made: false }] },
    ]);
    expect((await other.agent.get(path)).status).toBe(404);
  });

  test('an invited developer is told by mail, a few times a day; one who is a member already, and one refused, is not', async () => {
    const other = await world.signUpDeveloper();
    const stranger = await world.signUp();
    const path = `/api/clients/${(await make()).client.client_id}`;
    const told = async (to: string) =>
      (await world.messages()).filter((message) => message.to === to && message.purpose === 'app_shared');
    const invite = async (who: string) =>
      (await agent.request('POST', `${path}/members`, { json: { identifier: who } })).json();
    await invite(stranger.identifier);
    expect(await told(stranger.identifier)).toEqual([]);
    const { id } = await invite(other.identifier);
    await invite(other.identifier);
    const [message, ...more] = await told(other.identifier);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ channel: 'email', subject: 'An app at Aurelia was shared with you' });
    expect(message?.text).toContain(`${world.origin}/developers`);
    for (let again = 0; again < 12; again += 1) {
      await agent.request('DELETE', `${path}/members/${id}`);
      await invite(other.identifier);
    }
    expect(await told(other.identifier)).toHaveLength(10);

    const leaving = await world.signUpDeveloper();
    const { id: account } = (await leaving.agent.get('/api/account')).json();
    await world.db.updateTable('account').set({ leaving_at: new Date() }).where('id', '=', account).execute();
    await invite(leaving.identifier);
    expect(await told(leaving.identifier)).toEqual([]);
  });

  test.each([
    'home.hub',
    'https://app.example/oauth/client.json?v=2',
    'a/../b',
    'a%2F..%2Fb',
    '...',
    '%',
    `~!$&'()*+,;=:@"<>\\^\`{|}#`,
    'x'.repeat(200),
  ])('reaches a client by the id that an operator chose, percent-encoded: %s', async (id) => {
    await world.registerClients([
      { client_id: id, client_name: 'Odd', client_secret: '0'.repeat(32), preset: 'machine' },
    ]);
    await world.inviteDeveloper(id, identifier);
    const path = `/api/clients/${encodeURIComponent(id)}`;
    expect((await agent.get(path)).json().client_id).toBe(id);
    expect((await agent.request('PATCH', path, { json: { name: 'Even' } })).json()).toMatchObject({
      client_id: id,
      client_name: 'Even',
    });
    expect((await agent.post(`${path}/secrets`, { name: 'v1.2' })).status).toBe(201);
    expect((await agent.request('DELETE', `${path}/secrets/v1.2`)).status).toBe(204);
    expect((await agent.get(`/developers/${encodeURIComponent(id)}`)).status).toBe(200);
    expect((await agent.request('DELETE', path, { json: { confirm: 'Even' } })).status).toBe(204);
    expect((await agent.get(path)).status).toBe(404);
  });

  test('no client has an id that a path cannot have', async () => {
    for (const id of ['.', '..', 'a b', 'é', 'x'.repeat(201), '']) {
      const entry = { client_id: id, client_secret: '0'.repeat(32), preset: 'machine' };
      await expect(world.registerClients([entry])).rejects.toThrow(/client_id|characters/);
    }
  });

  test('reads days and errors of a client', async () => {
    const { client } = await make({ preset: 'machine', redirect_uris: undefined });
    const path = `/api/clients/${client.client_id}`;
    const refused = await tokenOf(client.client_id, 'wrong-secret-of-at-least-32-characters');
    const reference = refused.headers['x-request-id'];
    const read = async () => {
      await world.flushRecords();
      return (await agent.get(`${path}/errors?reference=${reference}`)).json();
    };
    // Requests are recorded after they are answered.
    await expect.poll(async () => (await read()).items).toHaveLength(1);
    const { items, kinds } = await read();
    expect(items).toMatchObject([{ reference, kind: 'wrong_secret', error: 'invalid_client' }]);
    expect(kinds).toMatchObject([{ kind: 'wrong_secret', count: 1 }]);
    const health = (await agent.get(`${path}/health`)).json();
    expect(health.days).toHaveLength(30);
    expect(health.days.at(-1).errors).toEqual({ wrong_secret: 1 });
    expect(clientApi.getClientHealth.response.safeParse(health).success).toBe(true);
  });
});

describe('who is no developer', () => {
  test('is told so, and a visitor is asked to sign in', async () => {
    const person = await world.signUp();
    expect(errorOf(await person.agent.get('/api/clients'))).toEqual([403, { code: 'not_a_developer' }]);
    expect(errorOf(await create(web, person.agent))).toEqual([403, { code: 'not_a_developer' }]);
    expect(errorOf(await world.browser().get('/api/clients'))).toEqual([401, { code: 'not_signed_in' }]);
  });

  test('a page of another origin changes nothing, with or without a token', async () => {
    const before = await countClients();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: '', 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await agent.request('POST', '/api/clients', { headers, json: web });
      expect(errorOf(answer)[1]).toEqual({ code: 'cross_site' });
    }
    const headers = { origin: 'https://evil.example', authorization: 'Bearer nothing' };
    const answer = await agent.request('POST', '/api/clients', { headers, json: web });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(await countClients()).toBe(before);
  });
});

describe('bad input is refused field by field, and nothing is stored', () => {
  const uri = (value: string) => ({ redirect_uris: ['https://ok.example/', value] });
  test.each<[string, object, Record<string, string>]>([
    ['a script', uri('javascript:alert(1)'), { 'redirect_uris.1': 'uri_scheme_refused' }],
    ['data', uri('data:text/html,x'), { 'redirect_uris.1': 'uri_scheme_refused' }],
    ['plain http', uri('http://app.example/'), { 'redirect_uris.1': 'uri_not_https' }],
    ['a wildcard', uri('https://*.app.example/'), { 'redirect_uris.1': 'uri_has_wildcard' }],
    ['a fragment', uri('https://app.example/#a'), { 'redirect_uris.1': 'uri_has_fragment' }],
    ['credentials', uri('https://a:b@app.example/'), { 'redirect_uris.1': 'uri_has_credentials' }],
    ['no URI', uri('app'), { 'redirect_uris.1': 'uri_invalid' }],
    ['an unknown preset', { preset: 'nest' }, { preset: 'preset_unknown' }],
    ['a look-alike name', { name: 'Cаndela' }, { client_name: 'client_name_confusing' }],
    ['a name with a hidden turn', { name: 'App \u202egnp.exe' }, { client_name: 'client_name_confusing' }],
    ['a blank name', { name: ' ' }, { client_name: 'client_name_blank' }],
    ['a logo by http', { logo_uri: 'http://app.example/l.png' }, { logo_uri: 'uri_not_https' }],
    ['a policy that is a script', { policy_uri: 'javascript:1' }, { policy_uri: 'uri_scheme_refused' }],
    ['an unknown scope', { scope: 'openid everything' }, { scope: 'scope_unknown' }],
    ['the scope of operators', { scope: 'openid clients' }, { scope: 'scope_unknown' }],
    ['a secret of one’s own', { client_secret: 'x' }, { client_secret: 'invalid_request' }],
    ['an app of the brand', { first_party: true }, { first_party: 'invalid_request' }],
    ['a verified app', { verified: true }, { verified: 'invalid_request' }],
    ['a server’s id', { client_id: 'playground' }, { client_id: 'invalid_request' }],
  ])('%s', async (_what, more, fields) => {
    const before = await countClients();
    const answer = await create({ ...web, ...more });
    const [status, error] = errorOf(answer) as [number, { fields?: Record<string, string> }];
    expect([status, error.fields]).toEqual([400, expect.objectContaining(fields)]);
    expect(await countClients()).toBe(before);
  });

  test('several faults have a code each', async () => {
    const answer = await create({ ...web, name: '', redirect_uris: ['http://a.example/', 'data:x'] });
    expect(errorOf(answer)).toEqual([
      400,
      {
        code: 'client_invalid',
        fields: expect.objectContaining({
          'redirect_uris.0': 'uri_not_https',
          'redirect_uris.1': 'uri_scheme_refused',
        }),
      },
    ]);
  });

  test('a body that is no such object', async () => {
    const before = await countClients();
    for (const json of [
      [],
      'x',
      null,
      { ...web, redirect_uris: 'https://a.example/' },
      { preset: 'web', ['__proto__']: 1, x: {} },
    ])
      expect((await create(json as object)).status).toBe(400);
    expect((await create({ ...web, redirect_uris: Array(200).fill('https://a.example/') })).status).toBe(400);
    expect(await countClients()).toBe(before);
  });
});

describe('a machine', () => {
  test('creates, reads, changes, rotates and deletes what it made, and sees nothing else', async () => {
    const { send } = await makeMachine('infrastructure');
    const theirs = (await make()).client.client_id;
    const made = await send('POST', '/api/clients', web);
    expect([made.status, made.json().client.source]).toEqual([201, 'machine']);
    const path = `/api/clients/${made.json().client.client_id}`;
    expect((await send('GET', path)).json()).toMatchObject({ role: 'owner' });
    expect((await send('PATCH', path, { name: 'By code' })).json().client_name).toBe('By code');
    expect((await send('POST', `${path}/secrets`, { name: 'next' })).status).toBe(201);
    expect((await send('DELETE', `${path}/secrets/registered`)).status).toBe(204);
    const ids = (await send('GET', '/api/clients'))
      .json()
      .items.map((item: { client_id: string }) => item.client_id);
    expect(ids).toEqual([made.json().client.client_id]);
    expect((await send('GET', `/api/clients/${theirs}`)).status).toBe(404);
    expect((await agent.get(path)).status).toBe(404);
    expect((await send('POST', `${path}/members`, { identifier })).json()).toMatchObject({ role: 'owner' });
    expect((await agent.get(path)).json()).toMatchObject({ source: 'machine', role: 'owner' });
    expect((await send('GET', `${path}/history`)).json().items[0].by).toMatchObject({
      kind: 'machine',
      you: true,
    });
    expect((await send('DELETE', path, { confirm: 'By code' })).status).toBe(204);
    // With a token a session does not count.
    const cookie = await agent.jar.getCookieString(world.origin);
    const both = await send('GET', '/api/clients', undefined, { cookie });
    expect(both.json().items).toEqual([]);
  });

  test('is out at once when it is disabled', async () => {
    const { id, send } = await makeMachine('dismissed');
    expect((await send('GET', '/api/clients')).status).toBe(200);
    await world.disableClient(id);
    expect((await send('GET', '/api/clients')).status).toBe(401);
  });

  test('gets a token only where an operator gave it the scope', async () => {
    const { client, secret } = await make({ preset: 'machine', redirect_uris: undefined });
    const asked = await tokenOf(client.client_id, secret, {
      resource: `${world.origin}/api`,
      scope: 'clients',
    });
    expect([asked.status, asked.json().error]).toEqual([400, 'invalid_target']);
    const meant = await tokenOf(client.client_id, secret, { scope: 'clients' });
    expect([meant.status, meant.json().error]).toEqual([400, 'invalid_scope']);
    // A scope that somebody wrote into a registration past every rule gives nothing either.
    await world.db
      .updateTable('client')
      .set({ metadata: JSON.stringify({ ...client, scope: 'clients' }) })
      .where('id', '=', client.client_id)
      .execute();
    await expect.poll(async () => (await world.findClient(client.client_id))?.metadata.scope).toBe('clients');
    const forced = await tokenOf(client.client_id, secret, { resource: `${world.origin}/api` });
    expect([forced.status, forced.json().error]).toEqual([400, 'invalid_target']);
  });

  test('no other token opens the API', async () => {
    const person = await world.signUp();
    const { rp } = await world.registerApp();
    const { tokens } = await world.link(person.agent, rp);
    const secret = 'plain-machine-0123456789-0123456789';
    await world.registerClients([
      { client_id: 'plain-machine', client_secret: secret, preset: 'machine', scope: 'clients' },
    ]);
    const bare = (await tokenOf('plain-machine', secret)).json().access_token;
    for (const token of [tokens.access_token, bare, 'x'.repeat(44), '']) {
      const answer = await agent.request('GET', '/api/clients', {
        headers: { authorization: `Bearer ${token}` },
      });
      expect([token, answer.status, answer.headers['www-authenticate']]).toEqual([
        token,
        401,
        expect.stringContaining('invalid_token'),
      ]);
    }
  });
});

test('the identifier of a developer is in no history of a client', async () => {
  const { client } = await make();
  expect((await agent.get(`/api/clients/${client.client_id}/history`)).body).not.toContain(identifier);
});
