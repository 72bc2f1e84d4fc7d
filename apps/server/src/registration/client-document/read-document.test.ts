import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documentUrlOf } from './document-url.ts';
import { readDocument } from './read-document.ts';

const ID = 'https://assistant.example/oauth/client.json';

const document = (fields: Record<string, unknown> = {}) => ({
  client_id: ID,
  client_name: 'Assistant',
  redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
  ...fields,
});
const read = (fields?: Record<string, unknown>) => readDocument(ID, JSON.stringify(document(fields)), 'any');

describe('the client id of a document', () => {
  test.each([
    ID,
    'https://assistant.example/a',
    'https://assistant.example/a?version=2',
    'https://assistant.example/a%2Fb',
  ])('%s is taken', (id) => {
    expect(documentUrlOf(id, 'any')?.href).toBe(id);
  });

  test.each([
    'http://assistant.example/client.json',
    'https://assistant.example',
    'https://assistant.example/',
    'https://assistant.example/client.json#a',
    'https://assistant.example/client.json#',
    'https://me:secret@assistant.example/client.json',
    'https://me@assistant.example/client.json',
    'https://assistant.example/a/../client.json',
    'https://assistant.example/./client.json',
    'https://assistant.example/a/%2e%2E/client.json',
    'https://assistant.example\\client.json',
    'https://Assistant.example/client.json',
    'https://assistant.example:443/client.json',
    'https://assistant.example:8443/client.json',
    'https://192.0.2.7/client.json',
    'https://[2001:db8::7]/client.json',
    'https:/assistant.example/client.json',
    'HTTPS://assistant.example/client.json',
    `https://assistant.example/${'a'.repeat(200)}`,
    'playground',
  ])('%s is not', (id) => {
    expect(documentUrlOf(id, 'any')).toBeUndefined();
  });

  test('is at a host that the operator named, with the port where that is another one', () => {
    const hosts = ['assistant.example', 'hub.local:8443'];
    expect(documentUrlOf(ID, hosts)).toBeDefined();
    expect(documentUrlOf('https://hub.local:8443/client', hosts)).toBeDefined();
    for (const other of [
      'https://hub.local/client',
      'https://a.assistant.example/c',
      'https://other.example/c',
    ])
      expect(documentUrlOf(other, hosts)).toBeUndefined();
  });
});

describe('a document', () => {
  test('becomes a native public client with PKCE, where it is answered on the device', () => {
    expect(read()).toEqual({
      client_id: ID,
      client_name: 'Assistant',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      require_pkce: true,
    });
  });

  test('is taken as docs/integrating/registering.md has it', () => {
    const file = new URL('../../../../../docs/integrating/registering.md', import.meta.url);
    const [, given = ''] =
      /```json\n(\{\s*"client_id": "https:.*?)```/s.exec(readFileSync(file, 'utf8')) ?? [];
    const { client_id: id } = JSON.parse(given);
    expect(readDocument(id, given, 'any')).toMatchObject({ client_id: id, application_type: 'web' });
  });

  test('is native where one of several addresses is on the device', () => {
    const redirect_uris = ['https://assistant.example/redirect', 'http://127.0.0.1:33418/'];
    expect(read({ redirect_uris })).toMatchObject({ redirect_uris, application_type: 'native' });
  });

  test('may have its keys, and then signs', () => {
    const signing = {
      token_endpoint_auth_method: 'private_key_jwt',
      redirect_uris: ['https://assistant.example/cb'],
    };
    const jwks_uri = 'https://assistant.example/keys';
    expect(read({ ...signing, jwks_uri })).toMatchObject({ ...signing, jwks_uri, application_type: 'web' });
    expect(read({ jwks_uri })).not.toHaveProperty('jwks_uri');
  });

  test('is called by its host where it has no name', () => {
    expect(read({ client_name: undefined })).toMatchObject({ client_name: 'assistant.example' });
    expect(read({ client_name: ' ' })).toMatchObject({ client_name: 'assistant.example' });
  });

  test('sets nothing that is the brand’s to set, and may say more than is read', () => {
    const ours = {
      first_party: true,
      verified: true,
      preset: 'web',
      brand: 'aurora',
      disabled: false,
      fapi: true,
      resource_server: 'https://lamps.example/',
      access_token_ttl: 86_400,
      refresh_mode: 'static',
      require_pkce: false,
      bare_invalid_grant: true,
      scope: 'clients lamps:read',
      optional_scopes: 'profile',
      backchannel_logout_uri: 'https://victim.example/',
      sector_identifier_uri: 'https://victim.example/',
    };
    const theirs = {
      software_id: 'a',
      contacts: ['a@assistant.example'],
      token_endpoint_auth_methods_supported: ['none'],
      'client_name#ru': 'Другое имя',
      application_type: 'web',
      $schema: {},
    };
    expect(read({ ...ours, ...theirs })).toEqual(read());
  });

  test.each([
    ['links by http', { client_uri: 'http://assistant.example/', policy_uri: 'http://assistant.example/' }],
    ['a link that is none', { tos_uri: 'assistant.example' }],
    [
      'null',
      { logo_uri: null, tos_uri: null, jwks: null, response_types: null, post_logout_redirect_uris: null },
    ],
    ['empty texts', { logo_uri: '', client_uri: '', jwks_uri: '', token_endpoint_auth_method: '' }],
  ])('with %s is taken without them', (_what, fields) => {
    expect(read(fields)).toEqual(read());
  });

  test('gets those of its grant types that people approve', () => {
    expect(read({ grant_types: ['authorization_code', 'client_credentials', 'implicit'] })).toMatchObject({
      grant_types: ['authorization_code'],
    });
  });

  test.each([
    ['has another client_id than its own address', { client_id: `${ID}?a` }],
    ['has a client_id that is not taken', { client_id: undefined }],
    [
      'has a token_endpoint_auth_method other than none and private_key_jwt',
      { token_endpoint_auth_method: 'client_secret_post' },
    ],
    ['has a client_secret that is not taken', { client_secret: 'a secret that everybody can read' }],
    ['has a client_secret_expires_at that is not taken', { client_secret_expires_at: 0 }],
    ['has no grant_types by which a person could approve the app', { grant_types: ['client_credentials'] }],
    ['has response_types without code', { response_types: ['id_token'] }],
    ['has no redirect_uris', { redirect_uris: [] }],
    ['has no redirect_uris', { redirect_uris: undefined }],
    ['has a redirect_uris that is not taken', { redirect_uris: 'https://assistant.example/cb' }],
    ['has a redirect_uris.0 that is not taken', { redirect_uris: [{}] }],
    [
      'has a redirect_uris that is not taken',
      { redirect_uris: Array(21).fill('https://assistant.example/') },
    ],
    ['has a client_uri that is not taken', { client_uri: 'javascript:alert(1)' }],
    ['has a logo_uri that is not taken', { logo_uri: 'data:image/png;base64,AA' }],
    ['has a tos_uri that is not taken', { tos_uri: {} }],
    ['has a logo_uri that is not taken', { logo_uri: `https://assistant.example/${'a'.repeat(2_000)}` }],
    ['has a client_name that is not taken', { client_name: 'a'.repeat(61) }],
    ['has a jwks_uri that is not taken', { jwks_uri: 'http://assistant.example/keys' }],
    ['has both jwks and jwks_uri', { jwks: { keys: [] }, jwks_uri: 'https://assistant.example/keys' }],
  ])('%s: it is refused', (fault, fields) => {
    expect(() => read(fields)).toThrow(fault);
  });

  test.each([
    ['is not JSON', '<html>'],
    ['is not JSON', ''],
    ['is not a JSON object', '[]'],
    ['is not a JSON object', 'null'],
  ])('that %s is refused: %s', (fault, text) => {
    expect(() => readDocument(ID, text, 'any')).toThrow(fault);
  });
});
