import { locales } from '@candela/contract';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { readJwt } from '../support/token.ts';

let world: SecureWorld;
// biome-ignore lint/suspicious/noExplicitAny: metadata of many shapes, asserted on by name.
let metadata: any;
beforeAll(async () => {
  world = await createSecureWorld();
  metadata = (await world.browser().get('/.well-known/openid-configuration')).json();
});
afterAll(() => world.close());

describe('the published metadata (OA12)', () => {
  test('is accepted by a strict library at both places, which agree', async () => {
    const issuer = new URL(world.origin);
    const oidc = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer));
    const request = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' });
    expect(await oauth.processDiscoveryResponse(issuer, request)).toEqual(oidc);
    expect(oidc.issuer).toBe(world.origin);
  });

  test('oidcc-discovery-endpoint-verification: every endpoint is at the issuer’s https origin', () => {
    expect(metadata).toMatchObject({
      authorization_endpoint: `${world.origin}/oauth/authorize`,
      token_endpoint: `${world.origin}/oauth/token`,
      userinfo_endpoint: `${world.origin}/oauth/userinfo`,
      jwks_uri: `${world.origin}/oauth/jwks`,
      introspection_endpoint: `${world.origin}/oauth/introspect`,
      revocation_endpoint: `${world.origin}/oauth/revoke`,
      end_session_endpoint: `${world.origin}/oauth/logout`,
      pushed_authorization_request_endpoint: `${world.origin}/oauth/par`,
      device_authorization_endpoint: `${world.origin}/oauth/device_authorization`,
    });
    const endpoints = Object.entries(metadata).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
    for (const [name, url] of endpoints) {
      expect([name, url]).toEqual([name, expect.stringMatching(new RegExp(`^${world.origin}/oauth/`))]);
    }
  });

  test('offers only what RFC 9700 allows', () => {
    expect(metadata.code_challenge_methods_supported).toEqual(['S256']);
    expect(metadata.response_types_supported.toSorted()).toEqual(['code', 'none']);
    for (const type of ['implicit', 'password']) expect(metadata.grant_types_supported).not.toContain(type);
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
    expect(metadata.request_uri_parameter_supported).toBe(false);
    expect(metadata).not.toHaveProperty('registration_endpoint');
    for (const [name, value] of Object.entries(metadata)) {
      if (!/_alg_values_supported$/.test(name)) continue;
      expect([name, value]).not.toContain('none');
      for (const alg of value as string[])
        expect([name, alg]).toEqual([name, expect.not.stringMatching(/^HS/)]);
    }
  });

  test('lists the capabilities of this issuer', () => {
    expect(metadata).toMatchObject({
      refresh_token_expiration_types_supported: ['authorization', 'token_timeout'],
      op_policy_uri: `${world.origin}/privacy`,
      op_tos_uri: `${world.origin}/license`,
      service_documentation: `${world.origin}/developers/docs`,
      acr_values_supported: ['pwd', 'otp', 'mfa', 'phr', 'phrh'],
      claims_parameter_supported: true,
      dpop_signing_alg_values_supported: ['ES256', 'Ed25519', 'EdDSA'],
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
      request_parameter_supported: true,
      request_object_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
      response_modes_supported: ['form_post', 'fragment', 'query'],
      subject_types_supported: ['public', 'pairwise'],
      ui_locales_supported: locales,
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      token_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'],
    });
    for (const claim of ['sub', 'acr', 'amr', 'auth_time', 'email', 'phone_number', 'nickname'])
      expect(metadata.claims_supported).toContain(claim);
  });

  test('says for each endpoint how clients authenticate there (RFC 8414 section 2)', async () => {
    const { token_endpoint_auth_methods_supported: methods } = metadata;
    const {
      introspection_endpoint_auth_methods_supported: atIntrospection,
      revocation_endpoint_auth_methods_supported: atRevocation,
    } = metadata;
    expect(atRevocation).toEqual(methods);
    // Introspection is for clients that authenticate.
    expect(atIntrospection).toEqual(methods.filter((method: string) => method !== 'none'));
    for (const endpoint of ['introspection', 'revocation'])
      expect(metadata[`${endpoint}_endpoint_auth_signing_alg_values_supported`]).toEqual(
        metadata.token_endpoint_auth_signing_alg_values_supported,
      );
    const app = await world.registerApp({ token_endpoint_auth_method: 'none' });
    const form = { client_id: app.clientId, token: 'unknown' };
    const ask = (url: string) => world.browser().request('POST', url, { form, headers: { origin: '' } });
    expect((await ask(metadata.revocation_endpoint)).status).toBe(200);
    expect((await ask(metadata.introspection_endpoint)).status).toBe(401);
  });

  test('can be read by pages of any origin', async () => {
    for (const path of ['/.well-known/openid-configuration', '/oauth/jwks']) {
      const answer = await world.browser().get(path, { headers: { origin: 'https://spa.example' } });
      expect(answer.headers['access-control-allow-origin']).toBe('https://spa.example');
      expect(answer.headers['content-type']).toContain('json');
    }
  });

  test('a client whose id_token algorithm is not on the list cannot sign in', async () => {
    for (const alg of ['none', 'HS256', 'PS512']) {
      const app = await world.registerApp({ id_token_signed_response_alg: alg });
      const { answer } = await world.browser().navigate((await app.rp.authorizationUrl()).url);
      expect([alg, answer?.status]).toEqual([alg, 400]);
    }
    const { agent } = await world.signUp();
    const signed = await world.registerApp({ id_token_signed_response_alg: 'ES256' });
    const { tokens } = await world.link(agent, signed.rp);
    expect(readJwt(tokens.id_token ?? '').header.alg).toBe('ES256');
  });
});

describe('the cookies over https', () => {
  test('are __Host- and __Secure-, HttpOnly and SameSite=Lax', async () => {
    const agent = world.browser();
    const page = await agent.get('/sign-in?return_to=/index');
    const set = (answer: { headers: Record<string, unknown> }) =>
      [answer.headers['set-cookie'] ?? []].flat() as string[];
    const request = await agent.get(String(page.headers.location));
    const cookies = [...set(page), ...set(request)];
    expect(cookies.length).toBeGreaterThan(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__(Host|Secure)-/);
      expect(cookie).toMatch(/; secure/i);
      expect(cookie).toMatch(/; httponly/i);
      expect(cookie).toMatch(/; samesite=lax/i);
    }
    const { agent: person } = await world.signUp();
    const kept = await person.jar.getCookies(world.origin);
    expect(kept.map(({ key }) => key)).toContain('__Host-session');
  });
});
