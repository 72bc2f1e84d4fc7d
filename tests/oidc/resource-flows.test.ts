import * as oidc from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowDevice, askForCode, poll, registerDevice } from '../support/device.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { acceptAccessToken } from './access-token.ts';
import { approvalsOf } from './authorization.ts';
import { createRequests, errorOf, LIGHTS, resources, SCENES } from './resources.ts';

let world: World;
let agent: UserAgent;
let requests: ReturnType<typeof createRequests>;
beforeAll(async () => {
  world = await createWorld();
  await world.registerResources(resources);
  ({ agent } = await world.signUp());
  requests = createRequests(world, agent);
});
afterAll(() => world.close());

test('a device gets a token for an API that somebody approved', async () => {
  const device = await registerDevice(world);
  const code = await askForCode(device, { scope: 'openid read switch', resource: LIGHTS });
  await allowDevice(world, agent, code);
  const more = { device_code: code.device_code, resource: LIGHTS };
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
  const answered = await device.post('/oauth/token', { grant_type: grantType, ...more });
  const { payload } = await acceptAccessToken(world, answered.json().access_token, LIGHTS);
  expect(payload).toMatchObject({ scope: 'read switch', client_id: device.clientId });
  expect(payload.auth_time).toEqual(expect.any(Number));
  const [approval] = (await approvalsOf(agent)).filter(({ client }) => client.id === device.clientId);
  expect(approval?.scopes).toEqual(['openid', 'read', 'switch', 'offline_access']);
});

test('a device is refused an API that is unknown, at once', async () => {
  const device = await registerDevice(world);
  const form = { scope: 'openid', resource: 'https://nobody.example/' };
  const refused = await device.post('/oauth/device_authorization', form);
  expect([refused.status, refused.json().error]).toEqual([400, 'invalid_target']);
  expect((await poll(device, { device_code: 'x' })).status).toBe(400);
});

test('a pushed request names APIs too', async () => {
  const { rp, redirectUri } = await world.registerApp();
  const verifier = oidc.randomPKCECodeVerifier();
  const parameters = new URLSearchParams({
    redirect_uri: redirectUri,
    scope: 'openid read play',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  for (const identifier of [LIGHTS, SCENES]) parameters.append('resource', identifier);
  const url = await oidc.buildAuthorizationUrlWithPAR(rp.configuration, parameters);
  const consent = await agent.navigate(url);
  const arrived = await world.approve(agent, world.interactionOf(consent.url));
  const tokens = await rp.exchange(arrived.url, { pkceCodeVerifier: verifier } as never, {
    resource: SCENES,
  });
  expect((await acceptAccessToken(world, tokens.access_token, SCENES)).payload.scope).toBe('read play');

  parameters.append('resource', 'https://nobody.example/');
  const refused = oidc.buildAuthorizationUrlWithPAR(rp.configuration, parameters);
  expect(await errorOf(refused)).toBe('invalid_target');
});

test('an API knows a person by the subject that its app has', async () => {
  const app = await world.registerApp({ subject_type: 'pairwise' });
  const { exchange } = await requests.approve({ app });
  const tokens = await exchange({ resource: LIGHTS });
  const { payload } = await acceptAccessToken(world, tokens.access_token, LIGHTS);
  expect(payload.sub).toBe(tokens.claims()?.sub);
  const other = await requests.approve({});
  expect((await other.exchange({ resource: LIGHTS })).claims()?.sub).not.toBe(payload.sub);
});

test('a token that is bound to a key says to which (RFC 9449 section 6.1)', async () => {
  const { rp } = await world.registerApp({ grant_types: ['client_credentials'], scope: 'read' });
  const keys = await oidc.randomDPoPKeyPair();
  const DPoP = oidc.getDPoPHandle(rp.configuration, keys);
  const ask = () => oidc.clientCredentialsGrant(rp.configuration, { resource: LIGHTS }, { DPoP });
  const tokens = await ask();
  expect(tokens.token_type).toBe('dpop');
  const { payload } = await acceptAccessToken(world, tokens.access_token, LIGHTS);
  expect(payload.cnf).toEqual({ jkt: await DPoP.calculateThumbprint() });
});
