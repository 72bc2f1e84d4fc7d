import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal, start } from '../oidc/authorization.ts';
import { createRelyingParty } from '../support/relying-party.ts';
import { createVerbs, createWorld, freePort, type World } from '../support/world.ts';

describe('two brands in one process', () => {
  let world: World;
  let second: ReturnType<typeof createVerbs>;
  const file = join(tmpdir(), `brands-${process.pid}.json`);
  beforeAll(async () => {
    const port = await freePort();
    const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
    await writeFile(
      file,
      JSON.stringify([
        { id: 'aurelia', origin: origins[0] },
        { id: 'fjord', name: 'Fjord', origin: origins[1], tokens: { light: { accent: '#123456' } } },
      ]),
    );
    world = await createWorld({
      env: { PORT: String(port), BRANDS_FILE: file, DYNAMIC_REGISTRATION: 'token' },
    });
    const { ports, config } = world;
    const registerClients = () => Promise.reject(new Error('register with the first brand'));
    second = createVerbs({ origin: origins[1] ?? '', ports, dataDirs: [config.dataDir], registerClients });
  });
  afterAll(async () => {
    await world.close();
    await rm(file, { force: true });
  });

  const secondParty = ({ clientId, clientSecret, redirectUri }: Awaited<ReturnType<World['registerApp']>>) =>
    createRelyingParty({ issuer: second.origin, clientId, clientSecret, redirectUri });

  test('each is its own issuer, with its own name and look', async () => {
    const issuers = [];
    for (const place of [world, second]) {
      const agent = place.browser();
      issuers.push((await agent.get('/.well-known/openid-configuration')).json().issuer);
    }
    expect(issuers).toEqual([world.origin, second.origin]);
    const page = await second.browser().get('/license');
    expect(page.body).toContain('"name":"Fjord"');
    expect(page.body).toContain('--accent:#123456');
    expect((await world.browser().get('/license')).body).not.toContain('Fjord');
  });

  test('an account is the same person at both, and a session is not', async () => {
    const { agent, identifier } = await world.signUp();
    const id = (await agent.get('/api/account')).json().id;
    const cookie = await agent.jar.getCookieString(world.origin);
    expect(refusal(await second.browser().get('/api/account', { headers: { cookie } }))).toEqual([
      401,
      'not_signed_in',
    ]);
    const { agent: there } = await second.signIn(identifier);
    expect((await there.get('/api/account')).json().id).toBe(id);
    const thereCookie = await there.jar.getCookieString(second.origin);
    expect((await world.browser().get('/api/account', { headers: { cookie: thereCookie } })).status).toBe(
      401,
    );
  });

  test('tokens, codes and interactions of one are unknown to the other', async () => {
    const app = await world.registerApp();
    const { agent } = await world.signUp();
    const { tokens } = await world.link(agent, app.rp);
    const elsewhere = await secondParty(app);
    expect(await elsewhere.introspect(tokens.access_token)).toEqual({ active: false });
    await expect(elsewhere.userinfo(tokens.access_token)).rejects.toThrow();
    await expect(elsewhere.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await elsewhere.revoke(tokens.access_token);
    expect(await app.rp.introspect(tokens.access_token)).toMatchObject({ active: true });
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).access_token).toBeTypeOf('string');

    const { uid } = await start(world, { agent, parameters: { prompt: 'consent' } });
    const cookie = await agent.jar.getCookieString(`${world.origin}/interaction/${uid}`);
    expect(cookie).toContain(uid);
    const stranger = await second.browser().get(`/interaction/${uid}/details`, { headers: { cookie } });
    expect(refusal(stranger)).toEqual([410, 'interaction_expired']);
  });

  test('a code of one cannot be redeemed at the other', async () => {
    const app = await world.registerApp();
    const { agent } = await world.signUp();
    const { url, checks } = await app.rp.authorizationUrl();
    const page = await agent.navigate(url);
    const { url: callback } = await world.approve(agent, world.interactionOf(page.url));
    const elsewhere = await secondParty(app);
    callback.searchParams.set('iss', second.origin);
    await expect(elsewhere.exchange(callback, checks)).rejects.toMatchObject({ error: 'invalid_grant' });
    callback.searchParams.set('iss', world.origin);
    expect((await app.rp.exchange(callback, checks)).access_token).toBeTypeOf('string');
  });

  test('an app of one brand is unknown to the other', async () => {
    const app = await world.registerApp({ brand: 'aurelia' });
    const query = new URL((await app.rp.authorizationUrl()).url).search;
    expect((await world.browser().get(`/oauth/authorize${query}`)).status).toBe(303);
    const answer = await second.browser().get(`/oauth/authorize${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('"code":"unknown_client"');
  });

  test('an app that registered itself at one is unknown to the other', async () => {
    const { token } = await world.issueRegistrationToken();
    const headers = { authorization: `Bearer ${token}`, origin: '' };
    const json = { client_name: 'Lamp', redirect_uris: ['https://app.example/callback'] };
    const registered = await second.browser().request('POST', '/oauth/register', { json, headers });
    expect(registered.status, registered.body).toBe(201);
    const { registration_client_uri: uri, registration_access_token: access, client_id } = registered.json();
    expect(uri).toBe(`${second.origin}/oauth/register/${client_id}`);
    const read = async (place: Pick<World, 'browser'>) => {
      const options = { headers: { authorization: `Bearer ${access}` } };
      return (await place.browser().request('GET', `/oauth/register/${client_id}`, options)).status;
    };
    expect([await read(second), await read(world)]).toEqual([200, 401]);
    expect(await world.findClient(client_id)).toBeUndefined();
  });

  test('the lists of an account show both, and withdrawing works from either', async () => {
    const app = await world.registerApp();
    const { agent, identifier } = await world.signUp();
    const { tokens } = await world.link(agent, app.rp);
    const { agent: there } = await second.signIn(identifier);
    const { items } = (await there.get('/api/authorizations')).json();
    expect(items).toHaveLength(1);
    expect((await there.get('/api/sessions')).json().items).toHaveLength(2);
    expect((await there.delete(`/api/authorizations/${items[0].id}`)).status).toBe(204);
    expect(await app.rp.introspect(tokens.access_token)).toEqual({ active: false });
  });
});
