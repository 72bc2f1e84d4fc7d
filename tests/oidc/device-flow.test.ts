import { sql } from 'kysely';
import { initiateDeviceAuthorization, pollDeviceAuthorizationGrant } from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  allowDevice,
  askForCode,
  type DeviceApp,
  type DeviceAuthorization,
  enterCode,
  expireCodes,
  heard,
  pathOf,
  poll,
  registerDevice,
} from '../support/device.ts';
import { hashOf } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { acceptAccessToken } from './access-token.ts';
import { answer, approvalsOf } from './authorization.ts';
import { LIGHTS, resources } from './resources.ts';

let world: World;
let device: DeviceApp;
let agent: UserAgent;
beforeAll(async () => {
  world = await createWorld();
  device = await registerDevice(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ agent } = await world.signUp());
});

const allow = (person: UserAgent, code: { user_code: string }) => allowDevice(world, person, code);

const restAfterPoll = (seconds: number) =>
  sql`update oidc_model set polled_at = polled_at - ${seconds} * interval '1 second'`.execute(world.db);

describe('a device', () => {
  test('gets a user code to show, and the address of the page', async () => {
    const metadata = (await agent.get('/.well-known/openid-configuration')).json();
    expect(metadata.device_authorization_endpoint).toBe(`${world.origin}/oauth/device_authorization`);
    expect(metadata.grant_types_supported).toContain('urn:ietf:params:oauth:grant-type:device_code');
    const code = await askForCode(device);
    expect(code.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(code).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: code.user_code,
      verification_uri: `${world.origin}/device`,
      verification_uri_complete: `${world.origin}/device?user_code=${code.user_code}`,
      expires_in: 600,
      interval: 5,
    });
  });

  test('gets tokens with openid-client once a person has allowed it', async () => {
    const { rp } = await world.registerApp({
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      response_types: [],
      redirect_uris: [],
    });
    const code = await initiateDeviceAuthorization(rp.configuration, { scope: 'openid email' });
    expect(pathOf(await allow(agent, code as DeviceAuthorization))).toBe('/device?outcome=connected');
    const tokens = await pollDeviceAuthorizationGrant(rp.configuration, { ...code, interval: 0 });
    expect(tokens.scope).toBe('openid email');
    const { sub, email } = await rp.userinfo(tokens.access_token, tokens.claims()?.sub);
    expect(email).toMatch(/@example\.com$/);
    expect(sub).toBeTypeOf('string');
    const refreshed = await rp.refresh(tokens.refresh_token ?? '');
    expect(refreshed.access_token).not.toBe(tokens.access_token);
  });

  test('waits, and gets slow_down when it polls too often (RFC 8628 section 3.5)', async () => {
    const code = await askForCode(device);
    expect(await heard(device, code)).toEqual([400, 'authorization_pending']);
    expect(await heard(device, code)).toEqual([400, 'slow_down']);
    await restAfterPoll(8);
    expect(await heard(device, code), 'it has to wait for 10 s by now').toEqual([400, 'slow_down']);
    await restAfterPoll(15);
    expect(await heard(device, code)).toEqual([400, 'authorization_pending']);
    await allow(agent, code);
    expect((await poll(device, code)).status, 'what is there is not withheld').toBe(200);
  });

  test('gets a token for a requested API, whose scopes the person saw in the API’s words', async () => {
    await world.registerResources(resources);
    const code = await askForCode(device, { scope: 'openid read', resource: LIGHTS });
    const uid = world.interactionOf(await enterCode(agent, code.user_code));
    const { scopes } = await world.details(agent, uid);
    expect(scopes.map(({ name }: { name: string }) => name)).toEqual(['openid', 'read', 'offline_access']);
    await world.approve(agent, uid);
    const tokens = (await poll(device, code, { resource: LIGHTS })).json();
    expect(tokens.scope).toBe('read');
    const { payload } = await acceptAccessToken(world, tokens.access_token, LIGHTS);
    expect(payload).toMatchObject({ client_id: device.clientId, auth_time: expect.any(Number) });
    const [approval] = await approvalsOf(agent);
    expect(approval?.scopes).toEqual(['openid', 'read', 'offline_access']);
  });

  test('is refused an API that is unknown, at once', async () => {
    const form = { scope: 'openid', resource: 'https://nobody.example/' };
    const refused = await device.post('/oauth/device_authorization', form);
    expect([refused.status, refused.json().error]).toEqual([400, 'invalid_target']);
  });

  test('gets its tokens once: a second redemption at once is refused, and a later one revokes them', async () => {
    const code = await askForCode(device);
    await allow(agent, code);
    const { access_token, refresh_token } = (await poll(device, code)).json();
    const bearer = { headers: { authorization: `Bearer ${access_token}` } };
    expect((await agent.get('/oauth/userinfo', bearer)).status).toBe(200);
    expect(await heard(device, code)).toEqual([400, 'invalid_grant']);
    expect((await agent.get('/oauth/userinfo', bearer)).status).toBe(200);
    await world.db
      .updateTable('oidc_model')
      .set({ consumed_at: sql`consumed_at - interval '11 seconds'` })
      .where('id_hash', '=', hashOf(code.device_code))
      .execute();
    expect(await heard(device, code)).toEqual([400, 'invalid_grant']);
    expect((await agent.get('/oauth/userinfo', bearer)).status).toBe(401);
    const again = await device.post('/oauth/token', { grant_type: 'refresh_token', refresh_token });
    expect(again.json().error).toBe('invalid_grant');
  });

  test('cannot use the code of another app, nor slow that app down', async () => {
    const code = await askForCode(device);
    const other = await registerDevice(world);
    expect(await heard(other, code)).toEqual([400, 'invalid_grant']);
    expect(await heard(device, code)).toEqual([400, 'authorization_pending']);
  });

  test('gets access_denied or expired_token', async () => {
    const denied = await askForCode(device);
    const uid = world.interactionOf(await enterCode(agent, denied.user_code));
    expect(pathOf((await answer(agent, `/interaction/${uid}/abort`)).url)).toBe('/device?outcome=denied');
    expect(await heard(device, denied)).toEqual([400, 'access_denied']);
    expect(await approvalsOf(agent)).toEqual([]);

    const late = await askForCode(device);
    await expireCodes(world.db);
    expect(await heard(device, late)).toEqual([400, 'expired_token']);
  });

  test('is refused without that grant type, and a malformed code is unknown', async () => {
    const { clientId } = await world.registerApp({ token_endpoint_auth_method: 'none' });
    const asked = await device.post('/oauth/device_authorization', { client_id: clientId, scope: 'openid' });
    expect([asked.status, asked.json()]).toEqual([
      400,
      {
        error: 'unauthorized_client',
        error_description: 'grant_types of this client: authorization_code refresh_token',
      },
    ]);
    for (const device_code of ['', 'x', 'hash:x', '\0', 'x'.repeat(5_000)]) {
      const { status, json } = await poll(device, { device_code });
      expect([status, ['invalid_request', 'invalid_grant'].includes(json().error)]).toEqual([400, true]);
    }
  });

  test('keeps its code to itself: the database stores only a digest, which cannot be used', async () => {
    const code = await askForCode(device);
    await enterCode(agent, code.user_code);
    const { rows } = await sql<{ text: string }>`
      select id_hash || payload::text as text from oidc_model where model = 'DeviceCode'
      union all select id_hash || payload::text from interaction`.execute(world.db);
    expect(rows.filter(({ text }) => text.includes(code.device_code))).toEqual([]);
    const device_code = `hash:${hashOf(code.device_code)}`;
    expect(await heard(device, { ...code, device_code })).toEqual([400, 'invalid_grant']);
  });
});
