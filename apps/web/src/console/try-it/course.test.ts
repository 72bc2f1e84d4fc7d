import { expect, test } from 'vitest';
import { courseOf, waysOf } from './course.ts';
import { challengeOf } from './pkce.ts';
import { readJwt } from './read-jwt.ts';

const web = {
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_basic',
  redirect_uris: [],
};

test('a web app takes the whole course', () => {
  expect(waysOf(web)).toEqual(['authorization_code']);
  expect(courseOf(web, 'authorization_code')).toEqual([
    'authorization',
    'token',
    'claims',
    'userinfo',
    'refresh',
    'introspection',
    'revocation',
    'logout',
  ]);
});

test('a public client does not introspect, and a machine meets no person', () => {
  expect(courseOf({ ...web, token_endpoint_auth_method: 'none' }, 'authorization_code')).not.toContain(
    'introspection',
  );
  const machine = { ...web, grant_types: ['client_credentials'] };
  expect(courseOf(machine, 'client_credentials')).toEqual(['token', 'introspection', 'revocation']);
});

test('a challenge is that of RFC 7636 appendix B', async () => {
  expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});

test('a JWT is read, other text is not', () => {
  const part = (value: object) =>
    btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
  expect(readJwt(`${part({ alg: 'RS256' })}.${part({ name: 'Ольга' })}.x`)).toEqual({
    header: { alg: 'RS256' },
    claims: { name: 'Ольга' },
  });
  for (const text of ['', 'a.b', 'a.b.c', 'opaque']) expect(readJwt(text)).toBeUndefined();
});
