import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { has, startSample } from '../support/running-sample.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, freePort, type World } from '../support/world.ts';

const JWT = 'https://lights.example.com/v1';
const OPAQUE = 'https://lights.example.com/v2';
const CLOUD = { CLIENT_ID: 'device-cloud', CLIENT_SECRET: 'the-secret-of-the-device-cloud-of-the-test' };

let world: World;
let directory: string;
beforeAll(async () => {
  world = await createWorld();
  directory = await mkdtemp(join(tmpdir(), 'candela-directive-'));
  const api = (identifier: string, access_token_format: string) => ({
    identifier,
    name: 'Lights',
    access_token_format,
    scopes: [{ name: 'lights:read' }, { name: 'lights:switch' }],
  });
  await world.registerResources([api(JWT, 'jwt'), api(OPAQUE, 'opaque')]);
  await world.registerClients([
    {
      client_id: CLOUD.CLIENT_ID,
      client_secret: CLOUD.CLIENT_SECRET,
      client_name: 'Device cloud',
      preset: 'machine',
      resource_server: OPAQUE,
    },
  ]);
});
afterAll(async () => {
  await world?.close();
  await rm(directory, { recursive: true, force: true });
});

const startCloud = (name: string, env: Record<string, string>) =>
  startSample(name, directory, { ...CLOUD, ...env });

/** Directives as the documentation of each platform shows them, with as much as says whose it is. */
const directives: Record<string, (token: string) => { headers?: Record<string, string>; body: unknown }> = {
  // developer.amazon.com/en-US/docs/alexa/device-apis/message-guide.html and alexa-discovery.html, November 2026.
  'Alexa’s': (token) => ({
    body: { directive: { endpoint: { scope: { type: 'BearerToken', token } }, payload: {} } },
  }),
  'Alexa’s discovery': (token) => ({
    body: { directive: { payload: { scope: { type: 'BearerToken', token } } } },
  }),
  // developer.smartthings.com/docs/devices/cloud-connected/interaction-types, November 2026.
  'SmartThings’': (token) => ({ body: { authentication: { tokenType: 'Bearer', token } } }),
  // aligenie.com/doc/357554/cmhq2c, and dueros.baidu.com's "发现设备", November 2026.
  'Tmall Genie’s and Xiaodu’s': (accessToken) => ({ body: { payload: { accessToken } } }),
  // yandex.ru/dev/dialogs/smart-home/doc/en/reference/unlink, developers.sber.ru's c2c, November 2026.
  'those with a header': (token) => ({ headers: { authorization: `Bearer ${token}` }, body: {} }),
};

const send = async (port: number, { headers = {}, body }: ReturnType<(typeof directives)[string]>) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text });
  return { status: answer.status, told: JSON.parse((await answer.text()) || 'null') };
};

const bearer = (token: string) => directives['those with a header']?.(token) ?? { body: {} };

/** A platform whose console has the API behind the authorization address. */
const registerAlexa = () =>
  registerPlatform(world, {
    metadata: {
      preset: 'alexa',
      vendor_id: 'M2EXAMPLE1234',
      scope: 'openid lights:read lights:switch',
      optional_scopes: 'lights:switch',
    },
    redirectUri: 'https://layla.amazon.com/api/skill/link/M2EXAMPLE1234',
    authentication: 'basic',
  });

const narrow = async (agent: UserAgent) => {
  const [{ id }] = (await agent.get('/api/authorizations')).json().items;
  return agent.patch(`/api/authorizations/${id}`, { scopes: ['lights:read', 'offline_access'] });
};

describe.each([
  ['directive-introspected.mjs', OPAQUE, true],
  ['directive-introspected.py', OPAQUE, has('python3', '--version')],
  ['directive-jwt.mjs', JWT, true],
  ['directive-jwt.go', JWT, has('go', 'version')],
])('the device cloud %s', (name, api, isThere) => {
  test.skipIf(!isThere)(
    'knows whose a directive is, and what a narrowed or ended link still opens',
    async () => {
      const port = await freePort();
      const cloud = startCloud(name, { ISSUER: world.origin, API: api, PORT: String(port) });
      try {
        const { agent } = await world.signUp();
        const alexa = await registerAlexa();
        const parameters = { resource: api, scope: 'lights:read lights:switch' };
        const { access_token: token, refresh_token } = await alexa.link(agent, parameters);
        const account = (await agent.get('/api/account')).json().id;
        await expect
          .poll(() =>
            send(port, bearer('no token')).then(
              ({ status }) => status,
              () => 0,
            ),
          )
          .toBe(401);
        for (const [whose, directive] of Object.entries(directives)) {
          const answer = await send(port, directive(token));
          expect([whose, answer]).toEqual([
            whose,
            { status: 200, told: { account, platform: alexa.clientId } },
          ]);
        }
        const statusOf = async (presented: string) => (await send(port, bearer(presented))).status;
        expect((await send(port, { body: {} })).status).toBe(401);
        expect((await send(port, { body: 'no JSON' })).status).toBe(400);
        const other = await alexa.link(agent, {
          resource: api === JWT ? OPAQUE : JWT,
          scope: 'lights:switch',
        });
        const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
        const ofPerson = await alexa.link(agent, { scope: 'openid' });
        for (const wrong of [changed, other.access_token, ofPerson.access_token, ofPerson.id_token, 'a.b.c'])
          expect(await statusOf(wrong)).toBe(401);

        await agent.delete('/api/authorizations');
        // A JWT lives to its end; the platform gets no other.
        expect(await statusOf(token)).toBe(api === JWT ? 200 : 401);
        expect((await alexa.refresh(refresh_token)).status).toBe(400);
        const linked = await alexa.link(agent, parameters);
        expect((await narrow(agent)).status).toBe(200);
        expect(await statusOf(linked.access_token)).toBe(api === JWT ? 200 : 403);
        const next = await alexa.refresh(linked.refresh_token);
        expect([next.status, next.body.scope]).toEqual([200, 'lights:read']);
        expect(await statusOf(next.body.access_token)).toBe(403);
      } finally {
        cloud.kill();
      }
    },
  );

  test.skipIf(!isThere)('asks the platform to try again while the server is away', async () => {
    const [port, nobody] = [await freePort(), await freePort()];
    const cloud = startCloud(name, { ISSUER: `http://127.0.0.1:${nobody}`, API: api, PORT: String(port) });
    try {
      const header = Buffer.from('{"typ":"at+jwt","alg":"ES256","kid":"k"}').toString('base64url');
      await expect
        .poll(() =>
          send(port, bearer(`${header}.e30.AA`)).then(
            ({ status }) => status,
            () => 0,
          ),
        )
        .toBe(503);
    } finally {
      cloud.kill();
    }
  });
});

describe('a console without the scopes of the API', () => {
  test.each(['', 'ifttt'])('that sends “%s” gets all of them by the API alone', async (scope) => {
    const { agent } = await world.signUp();
    const callback = await (await registerAlexa()).authorize(agent, { resource: OPAQUE, scope });
    expect(callback.searchParams.get('code')).toBeTruthy();
    const [{ scopes }] = (await agent.get('/api/authorizations')).json().items;
    expect(scopes).toEqual(expect.arrayContaining(['lights:read', 'lights:switch']));
  });
});

describe('Alice, which ends a link by the access token of its notice,', () => {
  const unlink = async (resource: string) => {
    const { agent } = await world.signUp();
    const alice: Platform = await registerPlatform(world, {
      metadata: { preset: 'alice', scope: 'openid lights:read lights:switch' },
      redirectUri: 'https://social.yandex.net/broker/redirect',
      authentication: 'body',
    });
    const tokens = await alice.link(agent, { resource, scope: 'lights:switch' });
    expect(tokens.access_token.length).toBeLessThanOrEqual(2_048);
    const revoked = await alice.revoke(tokens.access_token, 'access_token');
    return { revoked, refreshed: await alice.refresh(tokens.refresh_token) };
  };

  test('has ended it where the token is opaque', async () => {
    const { revoked, refreshed } = await unlink(OPAQUE);
    expect([revoked.status, refreshed.status]).toEqual([200, 400]);
  });

  test('cannot where it is a JWT, which the page says', async () => {
    const { revoked, refreshed } = await unlink(JWT);
    expect([revoked.body.error, refreshed.status]).toEqual(['unsupported_token_type', 200]);
  });
});
