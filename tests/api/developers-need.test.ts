import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import { givePasskey, usePasskey } from '../support/passkeys.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';

let directory: string;
let world: World;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-developers-'));
  const file = join(directory, 'brands.json');
  await writeFile(file, JSON.stringify([{ id: 'aurelia', developersNeed: 'mfa' }]));
  world = await createWorld({ env: { BRANDS_FILE: file } });
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
