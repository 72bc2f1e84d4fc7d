import { expect, test } from 'vitest';
import { protectionOf } from './protection.ts';

test.each([
  ['client_secret_basic', 'client_credentials', 'secret'],
  ['client_secret_post', 'authorization_code', 'secret'],
  ['private_key_jwt', 'authorization_code', 'key'],
  ['none', 'authorization_code', 'pkce'],
  ['none', 'urn:ietf:params:oauth:grant-type:device_code', 'person'],
])('a client of %s and %s is protected by its %s', (method, grantType, protection) => {
  expect(protectionOf({ token_endpoint_auth_method: method, grant_types: [grantType] })).toBe(protection);
});
