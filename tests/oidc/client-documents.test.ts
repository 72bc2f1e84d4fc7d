import * as oidc from 'openid-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type DocumentHost, startDocumentHost } from '../support/document-host.ts';
import { createRelyingParty } from '../support/relying-party.ts';
import { createSigningKey } from '../support/signer.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { answer, approvalsOf, bootOf } from './authorization.ts';

const REDIRECT_URI = 'https://app.example/callback';

let web: DocumentHost;
let world: World;
let agent: UserAgent;
let now = new Date();
let number = 0;
beforeAll(async () => {
  web = await startDocumentHost();
  world = await createWorld({
    env: { CLIENT_DOCUMENTS: web.host, BACKCHANNEL_HOSTS: web.host },
    now: () => now,
  });
  ({ agent } = await world.signUp());
});
afterAll(async () => {
  await world?.close();
  await web?.close();
});
afterEach(() => {
  now = new Date();
});

const publish = (fields: Record<string, unknown> = {}) => {
  number += 1;
  return web.publish(`/apps/${number}.json`, fields);
};
const appOf = (clientId: string, authentication?: oidc.ClientAuth, redirectUri = REDIRECT_URI) =>
  createRelyingParty({
    issuer: world.origin,
    clientId,
    redirectUri,
    ...(authentication && { authentication }),
  });
const ask = async (clientId: string, parameters: Record<string, string> = {}, browser = agent) => {
  const rp = await appOf(clientId, undefined, parameters.redirect_uri);
  const { url, checks } = await rp.authorizationUrl(parameters);
  return { rp, checks, page: await browser.navigate(url) };
};
const stored = () =>
  world.db.selectFrom('client').select('id').where('source', '=', 'document').orderBy('id').execute();

describe('an app that describes itself (OA22)', () => {
  test('is asked for each time, by the host of its document, and never silently', async () => {
    const id = publish();
    for (const time of [1, 2]) {
      const { rp, checks, page } = await ask(id);
      expect([time, page.url.pathname]).toEqual([time, '/consent']);
      const uid = world.interactionOf(page.url);
      const { client, scopes } = await world.details(agent, uid);
      expect(client).toMatchObject({
        id,
        name: 'Lamp assistant',
        host: 'app.example',
        documentHost: web.host,
        verified: false,
      });
      expect(scopes.filter(({ granted }: { granted: boolean }) => granted)).toEqual([]);
      const { url } = await answer(agent, `/interaction/${uid}/consent`, {});
      const { refresh_token: token } = await rp.exchange(url, checks);
      expect((await rp.refresh(token ?? '')).refresh_token).toBeDefined();
    }
    const silent = await ask(id, { prompt: 'none' });
    expect(silent.page.url.searchParams.get('error')).toBe('consent_required');
    const remembered = await world.db
      .selectFrom('remembered_consent')
      .select('client_id')
      .where('client_id', '=', id)
      .execute();
    expect(remembered).toEqual([]);
    const [approval] = await approvalsOf(agent);
    expect(approval?.client).toMatchObject({ id, host: web.host, documentHost: web.host });
  });

  test('is asked for each time without refresh tokens too', async () => {
    const id = publish({ grant_types: ['authorization_code'] });
    const { page } = await ask(id);
    await answer(agent, `/interaction/${world.interactionOf(page.url)}/consent`, {});
    expect((await ask(id)).page.url.pathname).toBe('/consent');
  });

  test('needs PKCE', async () => {
    const { rp } = await ask(publish());
    const { url } = await rp.authorizationUrl();
    url.searchParams.delete('code_challenge');
    url.searchParams.delete('code_challenge_method');
    expect((await agent.navigate(url)).url.searchParams.get('error')).toBe('invalid_request');
  });

  test('is answered at any port of the device, where its document names one', async () => {
    const id = publish({ redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'] });
    for (const redirect_uri of ['http://127.0.0.1:52163/callback', 'http://localhost:8080/callback'])
      expect((await ask(id, { redirect_uri })).page.url.pathname).toBe('/consent');
    const { page } = await ask(id, { redirect_uri: 'http://127.0.0.1:52163/other' });
    expect(bootOf(page).error.code).toBe('redirect_uri_mismatch');
  });

  test('goes on while its host is away, and after its host knows it no more', async () => {
    const id = publish();
    const { rp, checks, page } = await ask(id);
    const { url } = await answer(agent, `/interaction/${world.interactionOf(page.url)}/consent`, {});
    const tokens = await rp.exchange(url, checks);
    web.forgetAll();
    web.asked.length = 0;
    now = new Date(now.getTime() + 40 * 86_400_000);
    const { refresh_token: next } = await rp.refresh(tokens.refresh_token ?? '');
    expect(web.asked).toEqual([]);
    expect((await ask(id)).page.url.pathname).toBe('/consent');
    expect(web.asked).toHaveLength(1);
    expect((await rp.refresh(next ?? '')).access_token).toBeDefined();
  });

  test('is withdrawn like any other', async () => {
    const { rp, checks, page } = await ask(publish());
    const { url } = await answer(agent, `/interaction/${world.interactionOf(page.url)}/consent`, {});
    const { refresh_token: token = '' } = await rp.exchange(url, checks);
    await agent.delete('/api/authorizations');
    await expect(rp.refresh(token)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('may say something else by then: its name and addresses follow, and the history shows it', async () => {
    const id = publish({ client_uri: `https://${web.host}/` });
    await ask(id);
    web.publish(new URL(id).pathname, {
      client_name: 'Lamp oracle',
      redirect_uris: ['https://other.example/callback'],
    });
    now = new Date(now.getTime() + 86_400_000);
    const { page } = await ask(id, { redirect_uri: 'https://other.example/callback' });
    const { client } = await world.details(agent, world.interactionOf(page.url));
    expect(client).toMatchObject({ name: 'Lamp oracle', host: 'other.example' });
    expect(client).not.toHaveProperty('uri');
    expect(bootOf((await ask(id)).page).error.code).toBe('redirect_uri_mismatch');
    const history = await world.db
      .selectFrom('client_change')
      .select(['actor_kind', 'action', 'changes'])
      .where('client_id', '=', id)
      .orderBy('id')
      .execute();
    expect(history).toMatchObject([
      { actor_kind: 'document', action: 'created' },
      { actor_kind: 'document', action: 'updated' },
    ]);
    expect(JSON.stringify(history[1]?.changes)).toContain('Lamp oracle');
  });

  test('never becomes the brand’s own or verified, by whatever it or an operator says', async () => {
    const id = publish({ client_name: 'Usurper', first_party: true, verified: true, disabled: false });
    await ask(id);
    await world.db.updateTable('client').set({ first_party: true }).where('id', '=', id).execute();
    const { page } = await ask(id);
    expect(page.url.pathname).toBe('/consent');
    expect((await world.details(agent, world.interactionOf(page.url))).client.verified).toBe(false);
  });

  test('can be disabled, and does not come back by its document', async () => {
    const id = publish();
    await ask(id);
    await world.disableClient(id);
    const codeOf = async () => bootOf((await ask(id)).page).error?.code;
    await expect.poll(codeOf).toBe('unknown_client');
    now = new Date(now.getTime() + 86_400_000);
    expect(await codeOf()).toBe('unknown_client');
  });

  test('signs with its keys, at its token and pushed requests', async () => {
    const { privateKey: key, jwk } = await createSigningKey();
    web.answer('/keys', { keys: [{ ...jwk, kid: 'k', use: 'sig', alg: 'ES256' }] });
    const id = publish({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: web.urlOf('/keys') });
    const rp = await appOf(id, oidc.PrivateKeyJwt({ key, kid: 'k' }));
    const { url: plain, checks } = await rp.authorizationUrl();
    const url = await oidc.buildAuthorizationUrlWithPAR(rp.configuration, plain.searchParams);
    const page = await agent.navigate(url);
    const { url: callback } = await answer(
      agent,
      `/interaction/${world.interactionOf(page.url)}/consent`,
      {},
    );
    expect((await rp.exchange(callback, checks)).access_token).toBeDefined();

    const stranger = await appOf(id, oidc.PrivateKeyJwt((await createSigningKey()).privateKey));
    await expect(
      oidc.buildAuthorizationUrlWithPAR(stranger.configuration, plain.searchParams),
    ).rejects.toMatchObject({ error: 'invalid_client' });
  });

  test('may be a device', async () => {
    const id = publish({ grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], redirect_uris: [] });
    const rp = await appOf(id);
    const started = await oidc.initiateDeviceAuthorization(rp.configuration, { scope: 'openid' });
    expect(started.user_code).toBeDefined();
  });

  test('is announced in the metadata of the server, only where documents are taken', async () => {
    const other = await createWorld();
    try {
      for (const path of ['openid-configuration', 'oauth-authorization-server']) {
        const here = (await world.browser().get(`/.well-known/${path}`)).json();
        const there = (await other.browser().get(`/.well-known/${path}`)).json();
        expect(here.client_id_metadata_document_supported).toBe(true);
        expect(there).not.toHaveProperty('client_id_metadata_document_supported');
      }
      const id = publish();
      web.asked.length = 0;
      const url = `/oauth/authorize?${new URLSearchParams({ client_id: id, response_type: 'code' })}`;
      expect(bootOf(await other.browser().navigate(url)).error.code).toBe('unknown_client');
      expect(web.asked).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

describe('a document that is not taken (OA23)', () => {
  const refused: [string, string, (id: string) => Record<string, unknown>][] = [
    ['says another client_id', 'another client_id', (id) => ({ client_id: `${id}x` })],
    ['has a secret', 'client_secret', () => ({ client_secret: 'everybody can read this secret' })],
    [
      'wants a secret',
      'token_endpoint_auth_method',
      () => ({ token_endpoint_auth_method: 'client_secret_basic' }),
    ],
    ['leads to a script', 'redirect_uris[0]', () => ({ redirect_uris: ['javascript:alert(1)'] })],
    ['leads to data', 'redirect_uris[0]', () => ({ redirect_uris: ['data:text/html,x'] })],
    ['leads to plain http', 'redirect_uris[0]', () => ({ redirect_uris: ['http://app.example/callback'] })],
    ['leads anywhere', 'redirect_uris[0]', () => ({ redirect_uris: ['https://*.app.example/callback'] })],
    ['leads to a fragment', 'redirect_uris[0]', () => ({ redirect_uris: ['https://app.example/#callback'] })],
    [
      'has credentials',
      'redirect_uris[1]',
      () => ({ redirect_uris: [REDIRECT_URI, 'https://a:b@app.example/'] }),
    ],
    ['is called as the brand', 'client_name', () => ({ client_name: 'Aurelia' })],
    ['mixes alphabets in its name', 'client_name', () => ({ client_name: 'Lаmp' })],
    ['turns its name round', 'client_name', () => ({ client_name: 'a\u202eb' })],
    ['shows a script', 'client_uri', () => ({ client_uri: 'javascript:alert(1)' })],
    [
      'has an address of this network',
      'jwks_uri',
      () => ({
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'https://127.0.0.1/keys',
      }),
    ],
    [
      'publishes a private key',
      'jwks',
      () => ({
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'a', y: 'b', d: 'c' }] },
      }),
    ],
  ];
  test.each(refused)(
    'because it %s: the page names %s, and nothing is stored',
    async (_why, named, fields) => {
      const id = publish();
      web.publish(new URL(id).pathname, fields(id));
      const before = await stored();
      const { page } = await ask(id, {}, world.browser());
      const { error } = bootOf(page);
      expect(error.code).toBe('unknown_client');
      expect(error.oauthErrorDescription).toContain('the client id metadata document');
      expect(error.oauthErrorDescription).toContain(named);
      expect(await stored()).toEqual(before);
    },
  );

  const hostile: [string, string, Parameters<DocumentHost['answer']>[1]][] = [
    ['leads elsewhere', 'answered with 302', (out) => out.writeHead(302, { location: '/apps/1.json' }).end()],
    ['is gone', 'answered with 410', (out) => out.writeHead(410).end()],
    [
      'is a page',
      'type application/json',
      (out) => out.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
    ],
    [
      'is longer than 5 KiB',
      'could not be fetched',
      (out) => out.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":"${'a'.repeat(5_200)}"}`),
    ],
    ['is cut off', 'could not be fetched', (out) => out.socket?.destroy()],
    [
      'is no object',
      'not a JSON object',
      (out) => out.writeHead(200, { 'content-type': 'application/cimd+json; charset=utf-8' }).end('[]'),
    ],
  ];
  test.each(hostile)('because it %s', async (_why, described, given) => {
    number += 1;
    const path = `/hostile/${number}`;
    web.answer(path, given);
    const before = await stored();
    const { page } = await ask(web.urlOf(path), {}, world.browser());
    expect(bootOf(page).error.oauthErrorDescription).toContain(described);
    // A pushed request is answered in JSON, with the same reason.
    const rp = await appOf(web.urlOf(path));
    const { url } = await rp.authorizationUrl();
    await expect(oidc.buildAuthorizationUrlWithPAR(rp.configuration, url.searchParams)).rejects.toMatchObject(
      { error: 'invalid_client', error_description: expect.stringContaining(described) },
    );
    expect(web.asked.filter((asked) => asked === path)).toHaveLength(1);
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['of another host', 'https://127.0.0.1/apps/1.json'],
    ['of plain http', 'http://localhost/apps/1.json'],
    ['without a path', 'https://localhost'],
  ])('because its address is %s: nobody is asked', async (_why, id) => {
    web.asked.length = 0;
    expect(bootOf((await ask(id, {}, world.browser())).page).error.code).toBe('unknown_client');
    expect(web.asked).toEqual([]);
  });

  test('is not fetched by a token request, and a stranger’s refusal stays what it was', async () => {
    const id = publish();
    web.asked.length = 0;
    const rp = await appOf(id);
    await expect(rp.refresh('anything')).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
    expect(web.asked).toEqual([]);
  });
});

describe('documents of anybody', () => {
  test('are asked for at public addresses only', async () => {
    const open = await createWorld({ env: { CLIENT_DOCUMENTS: 'any' } });
    try {
      web.asked.length = 0;
      for (const id of [publish(), 'https://localhost/client.json', 'https://127.0.0.1/client.json']) {
        const url = `/oauth/authorize?${new URLSearchParams({ client_id: id, response_type: 'code' })}`;
        expect(bootOf(await open.browser().navigate(url)).error.code).toBe('unknown_client');
      }
      expect(web.asked).toEqual([]);
    } finally {
      await open.close();
    }
  });
});
