import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerDevice } from '../support/device.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const names = [
  'authorize',
  'token',
  'userinfo',
  'jwks',
  'introspect',
  'revoke',
  'par',
  'logout',
  'logout/confirm',
  'device',
  'device_authorization',
  'register',
];

const spellings = (name: string): string[] => [
  `/oauth/${name}/`,
  `/oauth/${name[0]?.toUpperCase()}${name.slice(1)}`,
  `/OAuth/${name}`,
  `/oauth//${name}`,
  `//oauth/${name}`,
  `/oauth%2F${name}`,
  `/oauth/%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
  `/%6Fauth/${name}`,
];

describe('an endpoint of the protocol in another spelling', () => {
  test.each(names)('is 404 on every method: %s', async (name) => {
    const program = world.browser({ headers: { origin: '', 'sec-fetch-site': '' } });
    for (const path of spellings(name)) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        // The absolute URL, since `//oauth` alone would name a host.
        const answer = await program.request(method, `${world.origin}${path}`, {
          ...(method === 'POST' && { form: { client_id: 'x' } }),
          headers: { 'access-control-request-method': 'POST' },
        });
        expect([path, method, answer.status]).toEqual([path, method, 404]);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    }
  });

  test('does not resume a flow: an interaction is resumed at its exact address only', async () => {
    const answer = await world.browser().get('/oauth/authorize/abc/');
    expect(answer.status).toBe(404);
    expect((await world.browser().get('/oauth/logout/success/')).status).toBe(404);
    expect((await world.browser().get('/oauth/logout/success')).status).toBe(200);
  });
});

test('a page of an app may send a CORS preflight to each endpoint', async () => {
  const device = await registerDevice(world);
  const origin = 'https://app.example';
  for (const name of ['token', 'revoke', 'introspect', 'par', 'device_authorization', 'userinfo', 'jwks']) {
    const preflight = await world.browser().request('OPTIONS', `/oauth/${name}`, {
      headers: { origin, 'access-control-request-method': 'POST', 'sec-fetch-site': 'cross-site' },
    });
    expect([name, preflight.status, preflight.body]).toEqual([name, 204, '']);
    expect(preflight.headers['access-control-allow-origin']).toBe(origin);
  }
  expect((await device.post('/oauth/device_authorization', { scope: 'openid' })).status).toBe(200);
});

test('without DYNAMIC_REGISTRATION there is no endpoint to register at, whatever is sent', async () => {
  const program = world.browser({ headers: { origin: '', 'sec-fetch-site': '' } });
  const { token } = await world.issueRegistrationToken();
  for (const path of ['/oauth/register', '/oauth/register/an-app']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await program.request(method, path, { headers });
      expect([path, method, answer.status]).toEqual([path, method, 404]);
    }
  }
});
