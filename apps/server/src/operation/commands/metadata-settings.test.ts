import { expect, test } from 'vitest';
import { readMetadata } from './metadata-settings.ts';

test('a value is JSON where it parses and the field takes it, else text, and clears the field where it is empty', () => {
  expect(
    readMetadata([
      'client_name=2048',
      'client_name#ru=Лампа',
      'redirect_uris=["https://app.example/a?b=c"]',
      'client_uri=https://app.example/?a=b',
      'scope_reasons={"openid":"to know who you are"}',
      'require_pkce=true',
      'access_token_ttl=600',
      'fapi=true',
      'software_id=hub',
      'verified=false',
      'policy_uri=',
      'tos_uri=null',
    ]),
  ).toEqual({
    client_name: '2048',
    'client_name#ru': 'Лампа',
    redirect_uris: ['https://app.example/a?b=c'],
    client_uri: 'https://app.example/?a=b',
    scope_reasons: { openid: 'to know who you are' },
    require_pkce: true,
    access_token_ttl: 600,
    fapi: true,
    software_id: 'hub',
    verified: false,
    policy_uri: null,
    tos_uri: null,
  });
});

test.each([
  ['redirect_uris', '--set needs key=value, such as client_uri=https://app.example/'],
  ['=x', '--set needs key=value'],
  [
    'redirect_uri=https://app.example/',
    '--set redirect_uri: there is no such field. Among others there are ',
  ],
  ['__proto__={"brand":"fjord"}', '--set __proto__: there is no such field'],
  ['redirect_uris=https://app.example/', '--set redirect_uris: must be a JSON list of at most 50 texts'],
  ['require_pkce=yes', '--set require_pkce: must be true or false'],
  ['access_token_ttl=1h', '--set access_token_ttl: must be a number'],
  ['jwks=[]', '--set jwks: must be a JSON object'],
  [`client_name=${'n'.repeat(2049)}`, '--set client_name: must be text of at most 2048 characters'],
  ['client_name=', '--set client_name: must have a value, since every client has one'],
  ['client_secret=moonlight', '--set client_secret: client add-secret makes secrets'],
  ['disabled=true', '--set disabled: client disable and client enable set it'],
])('--set %s is misused, and the field is named with what would be right', (setting, text) => {
  expect(() => readMetadata([setting])).toThrow(text);
});

test('a field is set once', () => {
  expect(() => readMetadata(['brand=a', 'brand=b'])).toThrow('--set brand is given twice');
});
