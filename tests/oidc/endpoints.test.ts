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

describe('a method that an endpoint does not have', () => {
  const program = ['GET', 'HEAD', 'PUT', 'DELETE'];
  const other = ['PUT', 'PATCH', 'DELETE'];

  test.each([
    ['/oauth/token', program, 'POST, OPTIONS'],
    ['/oauth/par', program, 'POST, OPTIONS'],
    ['/oauth/revoke', program, 'POST, OPTIONS'],
    ['/oauth/introspect', program, 'POST, OPTIONS'],
    ['/oauth/device_authorization', program, 'POST, OPTIONS'],
    ['/oauth/userinfo', other, 'GET, HEAD, POST, OPTIONS'],
    ['/oauth/jwks', ['POST', ...other], 'GET, HEAD, OPTIONS'],
    ['/.well-known/openid-configuration', ['POST', ...other], 'GET, HEAD, OPTIONS'],
    ['/.well-known/oauth-authorization-server', ['POST', ...other], 'GET, HEAD, OPTIONS'],
    ['/oauth/authorize', ['OPTIONS', ...other], 'GET, HEAD, POST'],
    ['/oauth/authorize/abc', ['POST', 'OPTIONS', ...other], 'GET, HEAD'],
    ['/oauth/device', ['OPTIONS', ...other], 'GET, HEAD, POST'],
    ['/oauth/device/abc', ['POST', ...other], 'GET, HEAD'],
    ['/oauth/logout', ['OPTIONS', ...other], 'GET, HEAD, POST'],
    ['/oauth/logout/confirm', ['GET', 'HEAD', ...other], 'POST'],
    ['/oauth/logout/success', ['POST', ...other], 'GET, HEAD'],
  ])('is 405 with Allow: %s', async (path, methods, allowed) => {
    const program = world.browser({ headers: { origin: '', 'sec-fetch-site': '' } });
    for (const method of methods) {
      const answer = await program.request(method, path);
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allowed]);
    }
  });

  test('is no other answer of a method that it has', async () => {
    const browser = world.browser();
    for (const path of ['/oauth/authorize', '/oauth/jwks', '/oauth/logout/success', '/oauth/userinfo'])
      expect((await browser.request('HEAD', path)).status).not.toBe(405);
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

test('an app of a private scheme opens no endpoint to the pages whose origin is "null"', async () => {
  const native = await world.registerApp({
    application_type: 'native',
    redirect_uris: ['example.app:/callback'],
    token_endpoint_auth_method: 'none',
  });
  const form = { client_id: native.clientId, grant_type: 'refresh_token', refresh_token: 'x' };
  const headers = { origin: 'null', 'sec-fetch-site': 'cross-site' };
  const answer = await world.browser().request('POST', '/oauth/token', { form, headers });
  expect(answer.status).toBe(400);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
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
