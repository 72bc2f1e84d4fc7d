import { type PresetName, platformPresets, presetNames } from '@candela/contract/rules/client-presets';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { findClientFault } from '../../protocol/oidc/client-faults.ts';
import { ClientEntries } from './client-entry.ts';
import { toProblem } from './fault.ts';
import { presets } from './presets.ts';
import { toRegistration } from './registration.ts';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const DAY = 24 * 3600;
const app = { client_id: 'app' };
const secret = { client_secret: 'a-secret-of-the-app-for-tests-only' };
const web = { ...app, ...secret, redirect_uris: ['https://app.example/callback'] };
const open = { ...app, token_endpoint_auth_method: 'none', redirect_uris: ['https://app.example/callback'] };
const alexa = (id = 'M2EXAMPLE1234') => `https://layla.amazon.com/api/skill/link/${id}`;

const register = (entry: Record<string, unknown>) => {
  const [parsed] = z.parse(ClientEntries, [entry]);
  if (!parsed) throw new Error('there is no entry');
  return toRegistration(parsed, { nativeSchemes: [] });
};
const problemsOf = (entry: Record<string, unknown>) => register(entry).faults.map(toProblem);

/** The least that a client of each preset has to say. */
const least: Record<PresetName, Record<string, unknown>> = {
  alexa: { ...secret, vendor_id: 'M2EXAMPLE1234' },
  'google-home': { ...secret, project_id: 'our-lights-1a2b3' },
  'home-assistant': secret,
  alice: secret,
  salute: secret,
  'tmall-genie': secret,
  xiaodu: { ...secret, redirect_uris: ['https://xiaodu.baidu.com/saiya/auth/0123456789abcdef'] },
  smartthings: secret,
  ifttt: { ...secret, service_id: 'our_lights' },
  'aws-iot': { ...secret, redirect_uris: ['https://callbacks.example/oauth'] },
  web: { ...secret, redirect_uris: ['https://app.example/callback'] },
  spa: { redirect_uris: ['https://app.example/callback'] },
  native: {
    redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback', 'com.example.app:/callback'],
  },
  device: {},
  machine: secret,
  fapi: { jwks: { keys: [] }, redirect_uris: ['https://app.example/callback'] },
};

describe('a preset', () => {
  test.each(presetNames)(
    '%s with the required fields alone makes a client that the engine accepts',
    (preset) => {
      const { metadata, faults } = register({ ...app, preset, ...least[preset] });
      expect(faults).toEqual([]);
      expect(findClientFault(metadata)).toBeUndefined();
      expect(metadata).toMatchObject(presets[preset].defaults);
    },
  );

  test('is stored by name, without the shorthand for its redirect URIs', () => {
    const { metadata } = register({ ...app, preset: 'alexa', ...least.alexa });
    expect(metadata.preset).toBe('alexa');
    expect(metadata).not.toHaveProperty('vendor_id');
  });

  test('of account linking has the redirect URIs of the platform', () => {
    const urisOf = (preset: PresetName) =>
      register({ ...app, preset, ...least[preset] }).metadata.redirect_uris;
    expect(urisOf('alexa')).toEqual([
      'https://pitangui.amazon.com/api/skill/link/M2EXAMPLE1234',
      'https://layla.amazon.com/api/skill/link/M2EXAMPLE1234',
      'https://alexa.amazon.co.jp/api/skill/link/M2EXAMPLE1234',
    ]);
    expect(urisOf('google-home')).toEqual([
      'https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3',
      'https://oauth-redirect-sandbox.googleusercontent.com/r/our-lights-1a2b3',
      'https://oauth-redirect.googleusercontent.com/a/com.google.Chromecast',
    ]);
    expect(urisOf('ifttt')).toEqual(['https://ifttt.com/channels/our_lights/authorize']);
    expect(urisOf('smartthings')).toEqual(
      ['us', 'eu', 'ap'].map((region) => `https://c2c-${region}.smartthings.com/oauth/callback`),
    );
    expect(urisOf('home-assistant')).toEqual(['https://my.home-assistant.io/redirect/oauth']);
  });

  test.each(platformPresets)('%s never ends a link that is in use, and takes no PKCE', (preset) => {
    const { metadata } = register({ ...app, preset, ...least[preset] });
    expect(metadata).toMatchObject({
      grant_types: ['authorization_code', 'refresh_token'],
      refresh_token_ttl: 400 * DAY,
      require_pkce: false,
      id_token_signed_response_alg: 'ES256',
    });
    expect(metadata.access_token_ttl).toBeGreaterThanOrEqual(360);
    expect(() => register({ ...app, preset, ...least[preset], access_token_ttl: 359 })).toThrow(
      /must be a whole number of seconds from 360/,
    );
    expect(metadata).not.toHaveProperty('refresh_family_ttl');
  });

  test('google-home never replaces its refresh token, since Google keeps the first', () => {
    expect(register({ ...app, preset: 'google-home', ...least['google-home'] }).metadata.refresh_mode).toBe(
      'static',
    );
  });

  test.each(['web', 'spa'] as const)('OA5: %s has refresh tokens with an absolute end', (preset) => {
    const { metadata } = register({ ...app, preset, ...least[preset] });
    expect(metadata.refresh_family_ttl).toBeGreaterThan(Number(metadata.refresh_token_ttl));
  });

  test.each(['spa', 'native', 'device'] as const)('%s is public, with PKCE', (preset) => {
    expect(register({ ...app, preset, ...least[preset] }).metadata).toMatchObject({
      token_endpoint_auth_method: 'none',
      require_pkce: true,
    });
  });

  test('gives way to the fields of the entry, where that is allowed', () => {
    const own = {
      token_endpoint_auth_method: 'client_secret_post',
      access_token_ttl: 900,
      require_pkce: true,
      id_token_signed_response_alg: 'RS256',
    };
    const { metadata, faults } = register({ ...app, preset: 'alexa', ...least.alexa, ...own });
    expect(faults).toEqual([]);
    expect(metadata).toMatchObject(own);
  });

  test('changes nothing for an entry that does not name it', () => {
    expect(register(web).metadata).toEqual(web);
  });
});

describe('what a preset does not allow is refused by field, with the value to write', () => {
  test.each<[PresetName, Record<string, unknown>, string]>([
    [
      'alexa',
      { vendor_id: undefined },
      '.vendor_id is missing: preset alexa takes it, or the redirect_uris themselves',
    ],
    ['alexa', { vendor_id: 'a b' }, '.vendor_id must look like "M2AAAAAAAAAAAA"'],
    ['alexa', { redirect_uris: [alexa()] }, '.vendor_id stands for redirect_uris: leave one of the two out'],
    [
      'alexa',
      { vendor_id: undefined, redirect_uris: [alexa(), 'https://evil.example/api/skill/link/M2EXAMPLE1234'] },
      '.redirect_uris[1] is none of preset alexa, such as https://pitangui.amazon.com/api/skill/link/M2AAAAAAAAAAAA',
    ],
    ['alexa', { project_id: 'our-lights-1a2b3' }, '.project_id goes with preset google-home'],
    [
      'alexa',
      { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } },
      '.token_endpoint_auth_method must be "client_secret_basic" or "client_secret_post" with preset alexa',
    ],
    ['alexa', { refresh_family_ttl: 1000 }, '.refresh_family_ttl must be left out with preset alexa'],
    [
      'alexa',
      { grant_types: ['authorization_code'] },
      '.grant_types must have "refresh_token" with preset alexa',
    ],
    ['google-home', { refresh_mode: 'overlap' }, '.refresh_mode must be "static" with preset google-home'],
    ['google-home', { project_id: 'Our Lights' }, '.project_id must look like "our-lights-1a2b3"'],
    [
      'home-assistant',
      { token_endpoint_auth_method: 'client_secret_basic' },
      '.token_endpoint_auth_method must be "client_secret_post" with preset home-assistant',
    ],
    [
      'home-assistant',
      { redirect_uris: ['https://my.home-assistant.io/redirect/oauth/'] },
      '.redirect_uris[0] is none of preset home-assistant, such as https://my.home-assistant.io/redirect/oauth',
    ],
    [
      'ifttt',
      { service_id: undefined },
      '.service_id is missing: preset ifttt takes it, or the redirect_uris themselves',
    ],
    [
      'alice',
      { redirect_uris: ['https://social.yandex.net/broker/redirect/'] },
      '.redirect_uris[0] is none of preset alice, such as https://social.yandex.net/broker/redirect',
    ],
    [
      'salute',
      { redirect_uris: ['https://gateway.iot.sberdevices.ru.evil.example/gateway/v1/binder/backward'] },
      '.redirect_uris[0] is none of preset salute, such as https://gateway.iot.sberdevices.ru/gateway/v1/binder/backward',
    ],
    [
      'tmall-genie',
      { redirect_uris: ['https://open.bot.tmall.com/oauth/callback?skillId=1&token=2'] },
      '.redirect_uris[0] is none of preset tmall-genie, such as https://open.bot.tmall.com/oauth/callback',
    ],
    [
      'xiaodu',
      { redirect_uris: ['https://xiaodu.baidu.com.evil.example/saiya/auth/0123'] },
      '.redirect_uris[0] is none of preset xiaodu, such as https://xiaodu.baidu.com/saiya/auth/0123456789abcdef0123456789abcdef',
    ],
    [
      'smartthings',
      { redirect_uris: ['https://c2c-cn.smartthings.com/oauth/callback'] },
      '.redirect_uris[0] is none of preset smartthings, such as https://c2c-us.smartthings.com/oauth/callback',
    ],
    ['smartthings', { always_ask: false }, '.always_ask must be true with preset smartthings'],
    ['alice', { revocation_ends_link: false }, '.revocation_ends_link must be true with preset alice'],
    [
      'web',
      { redirect_uri_parameters: 'token' },
      '.redirect_uri_parameters is set by presets of platforms alone: leave it out',
    ],
    ['spa', { require_pkce: false }, '.require_pkce must be true with preset spa'],
    ['native', { application_type: 'web' }, '.application_type must be "native" with preset native'],
    [
      'device',
      { grant_types: ['refresh_token'] },
      `.grant_types must have "${DEVICE_CODE}" with preset device`,
    ],
    [
      'machine',
      { grant_types: ['client_credentials', 'refresh_token'] },
      '.grant_types must not have "refresh_token" with preset machine',
    ],
    ['machine', { response_types: ['code'] }, '.response_types must be [] with preset machine'],
    ['fapi', { fapi: false }, '.fapi must be true with preset fapi'],
    ['fapi', { refresh_mode: 'rotate' }, '.refresh_mode must be "static" with preset fapi'],
    ['fapi', { dpop_bound_access_tokens: false }, '.dpop_bound_access_tokens must be true with preset fapi'],
    [
      'fapi',
      { require_pushed_authorization_requests: false },
      '.require_pushed_authorization_requests must be true with preset fapi',
    ],
    [
      'fapi',
      { token_endpoint_auth_method: 'client_secret_basic', ...secret },
      '.token_endpoint_auth_method must be "private_key_jwt" with preset fapi',
    ],
    [
      'fapi',
      { id_token_signed_response_alg: 'RS256' },
      '.id_token_signed_response_alg must be "ES256" with preset fapi',
    ],
    [
      'fapi',
      { token_endpoint_auth_signing_alg: 'RS256' },
      '.token_endpoint_auth_signing_alg must be left out or "PS256" or "ES256" or "EdDSA" or "Ed25519" with preset fapi',
    ],
    [
      'fapi',
      { redirect_uris: ['http://localhost:3000/callback'] },
      '.redirect_uris[0] must be https with fapi',
    ],
    [
      'fapi',
      { grant_types: ['authorization_code', DEVICE_CODE] },
      `.grant_types must not have "${DEVICE_CODE}" with preset fapi`,
    ],
  ])('%s: %j', (preset, more, problem) => {
    expect(problemsOf({ ...app, preset, ...least[preset], ...more })).toContain(problem);
  });

  test('fapi: true without its preset, or with another, enforces the whole profile', () => {
    const keyed = { ...web, client_secret: undefined, jwks: { keys: [] }, fapi: true };
    expect(problemsOf(keyed)).toEqual([
      '.token_endpoint_auth_method must be "private_key_jwt" with fapi',
      '.id_token_signed_response_alg must be "ES256" with fapi',
      '.require_pushed_authorization_requests must be true with fapi',
      '.dpop_bound_access_tokens must be true with fapi',
      '.require_pkce must be true with fapi',
      '.refresh_mode must be "static" with fapi',
      '.client_secret is missing: token_endpoint_auth_method is "client_secret_basic"; a public client says "none"',
    ]);
    const { defaults } = presets.fapi;
    expect(problemsOf({ ...defaults, ...keyed })).toEqual([]);
    expect(problemsOf({ ...keyed, preset: 'spa', token_endpoint_auth_method: 'none' })).toContain(
      '.token_endpoint_auth_method must be "private_key_jwt" with fapi',
    );
  });

  test.each([
    [{ grant_types: ['authorization_code'] }, 'without the grant type "refresh_token"'],
    [{ fapi: true }, 'with fapi: there is no authorization request'],
    [{ default_max_age: 0 }, 'with default_max_age: there is no authorization request'],
  ])('native_approval where an approval without a request would skip what it asks: %j', (more, why) => {
    const both = { ...web, grant_types: ['authorization_code', 'refresh_token'], native_approval: true };
    expect(problemsOf(both)).toEqual([]);
    expect(problemsOf({ ...both, ...more })).toContain(`.native_approval must not be true ${why}`);
  });

  test('assertions of Google, but by preset google-home and with their audience', () => {
    const google = {
      ...web,
      redirect_uris: undefined,
      preset: 'google-home',
      project_id: 'our-lights-1a2b3',
    };
    const ids = { google_client_ids: '123-a.apps.googleusercontent.com 456-b.apps.googleusercontent.com' };
    expect(problemsOf({ ...google, ...ids, google_creates_accounts: true })).toEqual([]);
    expect(problemsOf({ ...web, ...ids })).toEqual(['.google_client_ids goes with preset google-home']);
    expect(problemsOf({ ...google, google_creates_accounts: true })).toEqual([
      '.google_creates_accounts goes with google_client_ids',
    ]);
    expect(problemsOf({ ...google, google_client_ids: 'a,b' })).toEqual([
      '.google_client_ids must be ids of clients at Google, separated by spaces',
    ]);
    const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    expect(problemsOf({ ...web, grant_types: ['authorization_code', grantType] })).toContain(
      `.grant_types must not have "${grantType}": google_client_ids stands for it`,
    );
  });

  test('a platform id without its preset', () => {
    expect(problemsOf({ ...web, vendor_id: 'M2EXAMPLE1234' })).toEqual(['.vendor_id goes with preset alexa']);
  });

  test('an unknown preset', () => {
    expect(() => register({ ...web, preset: 'toaster' })).toThrow(/must be one of alexa, google-home/);
  });
});

describe('a redirect URI is refused', () => {
  test.each([
    ['https://app.example/callback#x', 'must not have a fragment'],
    ['https://app.example/callback#', 'must not have a fragment'],
    ['https://*.app.example/callback', 'must not have a wildcard: write out each address'],
    ['https://app.example/*', 'must not have a wildcard: write out each address'],
    ['https://user:pass@app.example/', 'must not have credentials'],
    ['http://app.example/callback', 'must be https: http is for this machine (localhost, 127.0.0.1, [::1])'],
    [
      'http://127.0.0.1.evil.example/',
      'must be https: http is for this machine (localhost, 127.0.0.1, [::1])',
    ],
    ['/callback', 'must be an absolute URI'],
    [
      'com.example.app:/callback',
      'has the scheme "com.example.app:", which takes application_type "native": web apps are answered at https',
    ],
    [
      'javascript:alert(1)',
      'has the scheme "javascript:", which takes application_type "native": web apps are answered at https',
    ],
  ])('of a web app: %s', (uri, fault) => {
    expect(problemsOf({ ...web, redirect_uris: [...web.redirect_uris, uri] })).toEqual([
      `.redirect_uris[1] ${fault}`,
    ]);
    expect(problemsOf({ ...web, post_logout_redirect_uris: [uri] })).toEqual([
      `.post_logout_redirect_uris[0] ${fault}`,
    ]);
  });

  test.each([
    ['http://192.168.0.1/callback', 'must be https: http is for this machine (localhost, 127.0.0.1, [::1])'],
    [
      'http://localhost.evil.example/',
      'must be https: http is for this machine (localhost, 127.0.0.1, [::1])',
    ],
    [
      'myapp:/callback',
      'has the scheme "myapp:", which is no reversed domain name such as "com.example.app:"',
    ],
    [
      'javascript:alert(1)',
      'has the scheme "javascript:", which is no reversed domain name such as "com.example.app:"',
    ],
  ])('of a native app: %s', (uri, fault) => {
    expect(problemsOf({ ...open, application_type: 'native', redirect_uris: [uri] })).toEqual([
      `.redirect_uris[0] ${fault}`,
    ]);
  });

  test.each(['https://app.example/', 'http://localhost:3001/callback', 'http://[::1]:4000/'])(
    'but not %s of a web app',
    (uri) => {
      expect(problemsOf({ ...web, redirect_uris: [uri] })).toEqual([]);
    },
  );
});

describe('a client without authentication', () => {
  test.each<[Record<string, unknown>, string]>([
    [
      { ...open, ...secret },
      '.client_secret is not for a public client: leave it out, or say another token_endpoint_auth_method than "none"',
    ],
    [
      { ...web, client_secret: undefined },
      '.client_secret is missing: token_endpoint_auth_method is "client_secret_basic"; a public client says "none"',
    ],
    [
      { ...open, token_endpoint_auth_method: 'private_key_jwt' },
      '.jwks is missing: with token_endpoint_auth_method "private_key_jwt" it has the public keys, or jwks_uri names them',
    ],
    [{ ...open, require_pkce: false }, '.require_pkce must not be false for a public client'],
    [
      { ...open, refresh_mode: 'static' },
      '.refresh_mode must not be "static" for a public client without dpop_bound_access_tokens',
    ],
    [
      { ...open, grant_types: ['authorization_code', 'client_credentials'] },
      '.grant_types must not have "client_credentials" for a public client',
    ],
    [
      { ...open, resource_server: 'https://api.example/' },
      '.resource_server is not for a public client: introspection needs a proof of who asks',
    ],
    [{ ...web, acess_token_ttl: 600 }, '.acess_token_ttl is unknown'],
    ...[{ require_signed_request_object: true }, { request_object_signing_alg: 'ES256' }].map(
      (signs): [Record<string, unknown>, string] => [
        { ...web, ...signs },
        '.jwks is missing: with signed request objects it has the public keys, or jwks_uri names them',
      ],
    ),
  ])('is refused: %j', (entry, problem) => {
    expect(problemsOf(entry)).toEqual([problem]);
  });

  test.each<Record<string, unknown>>([
    { ...web, require_pkce: false, refresh_mode: 'static' },
    { ...web, client_name: 'Lamps', 'client_name#ru': 'Лампы' },
    { ...open, refresh_mode: 'static', dpop_bound_access_tokens: true },
    { ...open, token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/jwks' },
  ])('is accepted with authentication, or where it needs none: %j', (entry) => {
    expect(problemsOf(entry)).toEqual([]);
  });
});

test.each<[Record<string, unknown>, RegExp]>([
  [{ access_token_ttl: 359 }, /from 360 to 86400/],
  [{ access_token_ttl: 86_401 }, /from 360 to 86400/],
  [{ access_token_ttl: '3600' }, /expected number|Invalid input/],
  [{ refresh_token_ttl: 1.5 }, /whole number of seconds/],
  [{ refresh_token_ttl: 401 * DAY }, /whole number of seconds/],
  [{ refresh_family_ttl: 0 }, /whole number of seconds/],
  [{ refresh_mode: 'never' }, /must be one of overlap, rotate, static/],
  [{ require_pkce: 'false' }, /expected boolean|Invalid input/],
  [{ redirect_uris: 'https://app.example/' }, /expected array|Invalid input/],
  [{ redirect_uris: [1] }, /expected string|Invalid input/],
])('%j is not of the form', (more, message) => {
  expect(() => register({ ...web, ...more })).toThrow(message);
});
