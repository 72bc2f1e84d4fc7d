import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import { givePasskey, usePasskey } from '../support/passkeys.ts';
import { createVerbs, createWorld, freePort, PASSWORD, type World } from '../support/world.ts';

let directory: string;
let world: World;
/** The other brand of the same server, which asks nothing of developers. */
let other: ReturnType<typeof createVerbs>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-developers-'));
  const file = join(directory, 'brands.json');
  const port = await freePort();
  const [origin, elsewhere] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const brands = [
    { id: 'aurelia', origin, developersNeed: 'mfa' },
    { id: 'borealis', name: 'Borealis', origin: elsewhere },
  ];
  await writeFile(file, JSON.stringify(brands));
  world = await createWorld({ env: { PORT: String(port), BRANDS_FILE: file } });
  other = createVerbs({
    origin: elsewhere,
    ports: world.ports,
    dataDirs: [world.config.dataDir],
    registerClients: () => Promise.reject(new Error('the clients are those of the world')),
  });
});
afterAll(async () => {
  await world?.close();
  await rm(directory, { recursive: true, force: true });
});

describe('CL7: a brand that asks a second factor of developers', () => {
  test('refuses a developer who signed in with less, for reading and for writing', async () => {
    const { agent } = await world.signUpDeveloper();
    expect(refusal(await agent.get('/api/clients'))).toEqual([403, 'second_factor_required']);
    const made = await agent.post('/api/clients', { preset: 'web', name: 'Lamp', redirect_uris: [] });
    expect(refusal(made)).toEqual([403, 'second_factor_required']);
    expect((await agent.get('/api/account')).status).toBe(200);
  });

  test('tells who is no developer nothing else', async () => {
    const { agent } = await world.signUp();
    expect(refusal(await agent.get('/api/clients'))).toEqual([403, 'not_a_developer']);
  });

  test('leads them to a sign-in that is strong enough, and back', async () => {
    const { agent, identifier } = await world.signUpDeveloper();
    const { authenticator } = await givePasskey(agent, world.origin);
    const { url } = await agent.navigate('/sign-in?return_to=/developers');
    expect(url.pathname).toBe('/login');
    const uid = world.interactionOf(url);
    expect(await world.details(agent, uid)).toMatchObject({ insists: 'mfa', loginHint: identifier });
    const done = await agent.navigate((await usePasskey(agent, uid, authenticator)).json().returnTo);
    expect(done.url.pathname).toBe('/developers');
    expect((await agent.get('/api/clients')).status).toBe(200);
    // Nothing more is asked from then on.
    expect((await agent.navigate('/sign-in?return_to=/developers/new')).url.pathname).toBe('/developers/new');
  });

  test('lets who has none come back, to be told there', async () => {
    const { agent, identifier } = await world.signUpDeveloper();
    const { url } = await agent.navigate('/sign-in?return_to=/developers');
    const uid = world.interactionOf(url);
    const answer = await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    expect((await agent.navigate(answer.json().returnTo)).url.pathname).toBe('/developers');
    expect((await agent.get('/api/clients')).status).toBe(403);
    expect((await agent.navigate('/sign-in?return_to=/index')).url.pathname).toBe('/index');
  });

  test('asks it at every brand, since each leads to the same clients', async () => {
    const { agent, identifier } = await world.signUpDeveloper();
    const app = await world.registerApp({ brand: 'aurelia', preset: 'web' });
    await world.inviteDeveloper(app.clientId, identifier);
    const { agent: there } = await other.signIn(identifier);
    const path = `/api/clients/${app.clientId}`;
    for (const developer of [agent, there]) {
      expect(refusal(await developer.get('/api/clients'))).toEqual([403, 'second_factor_required']);
      const secret = await developer.post(`${path}/secrets`, { name: 'next' });
      expect(refusal(secret)).toEqual([403, 'second_factor_required']);
    }
    const { url } = await there.navigate('/sign-in?return_to=/developers');
    expect(await other.details(there, other.interactionOf(url))).toMatchObject({ insists: 'mfa' });
  });

  test('asks nothing of a machine', async () => {
    const secret = 's'.repeat(43);
    const machine = { client_id: 'fleet', client_secret: secret, client_name: 'Fleet', preset: 'machine' };
    await world.registerClients([{ ...machine, scope: 'clients' }]);
    const granted = await world.browser().request('POST', '/oauth/token', {
      form: {
        grant_type: 'client_credentials',
        resource: `${world.origin}/api`,
        client_id: 'fleet',
        client_secret: secret,
      },
      headers: { origin: '', 'sec-fetch-site': '' },
    });
    const headers = { authorization: `Bearer ${granted.json().access_token}` };
    expect((await world.browser().request('GET', '/api/clients', { headers })).status).toBe(200);
  });
});

test('a machine of one brand registers clients of that brand alone', async () => {
  const secret = 's'.repeat(43);
  const machine = { client_id: 'regional', client_secret: secret, client_name: 'Fleet', preset: 'machine' };
  await world.registerClients([{ ...machine, scope: 'clients', brand: 'borealis' }]);
  const program = other.browser({ headers: { origin: '', 'sec-fetch-site': '' } });
  const granted = await program.request('POST', '/oauth/token', {
    form: {
      grant_type: 'client_credentials',
      resource: `${other.origin}/api`,
      client_id: 'regional',
      client_secret: secret,
    },
  });
  const headers = { authorization: `Bearer ${granted.json().access_token}` };
  const register = (fields: object) =>
    program.request('POST', '/api/clients', {
      json: { preset: 'web', name: 'Lamp', redirect_uris: ['https://lamp.example/cb'], ...fields },
      headers,
    });
  expect((await register({})).json().client).toMatchObject({ brand: 'borealis' });
  expect((await register({ brand: 'borealis' })).status).toBe(201);
  const refused = await register({ brand: 'aurelia' });
  expect([refused.status, refused.json().error.fields]).toEqual([400, { brand: 'brand_unknown' }]);
});
