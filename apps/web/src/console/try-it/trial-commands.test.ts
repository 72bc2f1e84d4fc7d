import { expect, test } from 'vitest';
import { toCurl, toTypeScript } from './trial-commands.ts';
import { addressOf, headersOf, paramsOf, type TrialRequest } from './trial-request.ts';

const issuer = 'https://accounts.example';
const token: TrialRequest = {
  method: 'POST',
  path: '/oauth/token',
  params: { grant_type: 'authorization_code', code: "a'b" },
  proof: 'basic',
};

test('a curl command has the secret as a variable, and quotes what a shell would read', () => {
  expect(toCurl(token, issuer, 'my-app')).toBe(
    [
      'curl https://accounts.example/oauth/token',
      '-u "my-app:$CLIENT_SECRET"',
      '--data-urlencode grant_type=authorization_code',
      "--data-urlencode 'code=a'\\''b'",
    ].join(' \\\n  '),
  );
  expect(toCurl({ ...token, proof: 'post' }, issuer, 'my-app')).toContain(
    '--data-urlencode "client_secret=$CLIENT_SECRET"',
  );
});

test('a program takes the secret from its environment', () => {
  expect(toTypeScript({ ...token, proof: 'post' }, issuer, 'my-app')).toContain(
    'client_secret: process.env.CLIENT_SECRET!,',
  );
  expect(toTypeScript(token, issuer, 'my-app')).toContain('encodeURIComponent(process.env.CLIENT_SECRET!)');
  expect(toTypeScript(token, issuer, 'my-app')).toContain(String.raw`code: 'a\'b',`);
});

test('a request by GET has its parameters in its address, and a bearer token in its header', () => {
  const secrets = { clientId: 'my-app', secret: 's' };
  const userinfo: TrialRequest = {
    method: 'GET',
    path: '/oauth/userinfo',
    params: {},
    proof: 'bearer',
    accessToken: 'at',
  };
  expect(addressOf(userinfo, issuer, secrets)).toBe('https://accounts.example/oauth/userinfo');
  expect(headersOf(userinfo, secrets)).toEqual({ authorization: 'Bearer at' });
  expect(
    addressOf(
      { method: 'GET', path: '/oauth/authorize', params: { state: 'x y' }, proof: 'none' },
      issuer,
      secrets,
    ),
  ).toBe('https://accounts.example/oauth/authorize?state=x+y&client_id=my-app');
});

test('Basic credentials are form-encoded before they are joined', () => {
  const secrets = { clientId: 'a b', secret: 'c:d' };
  expect(headersOf(token, secrets).authorization).toBe(`Basic ${btoa('a+b:c%3Ad')}`);
  expect(paramsOf(token, secrets)).toEqual(token.params);
});
