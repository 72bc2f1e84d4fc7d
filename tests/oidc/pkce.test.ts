import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import type { RegisteredApp } from './authorization.ts';

let world: SecureWorld;
let app: RegisteredApp;
let waived: RegisteredApp;
let agent: UserAgent;
beforeAll(async () => {
  world = await createSecureWorld();
  app = await world.registerApp();
  waived = await world.registerApp({ require_pkce: false });
  ({ agent } = await world.signUp());
  for (const { rp } of [app, waived]) await world.link(agent, rp);
});
afterAll(() => world.close());

/** A code of a request with these changes; an empty value leaves the parameter out. */
const codeFor = async (of: RegisteredApp, changes: Record<string, string> = {}) => {
  const { url, checks } = await of.rp.authorizationUrl();
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  const { url: callback } = await agent.navigate(url);
  return { callback, code: callback.searchParams.get('code') ?? '', verifier: checks.pkceCodeVerifier };
};

const redeem = async (of: RegisteredApp, code: string, form: Record<string, string>) => {
  const { status, json } = await world.browser().request('POST', '/oauth/token', {
    form: { grant_type: 'authorization_code', code, redirect_uri: of.redirectUri, ...form },
    headers: {
      origin: '',
      authorization: `Basic ${Buffer.from(`${of.clientId}:${of.clientSecret}`).toString('base64')}`,
    },
  });
  return [status, json().error];
};

const noChallenge = { code_challenge: '', code_challenge_method: '' };
const invalidGrant = [400, 'invalid_grant'];

describe('OA2: PKCE (RFC 7636)', () => {
  test.each([
    ['no challenge', noChallenge],
    ['plain', { code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge_method: '' }],
    ['a method without a challenge', { code_challenge: '' }],
    ['another method', { code_challenge_method: 'S512' }],
    ['a challenge that is too short', { code_challenge: 'a'.repeat(42) }],
    ['a challenge with other characters', { code_challenge: `${'a'.repeat(42)}!` }],
  ])('%s is invalid_request at the app, with iss', async (_name, changes) => {
    const { callback } = await codeFor(app, changes as Record<string, string>);
    expect(callback.searchParams.get('error')).toBe('invalid_request');
    expect(callback.searchParams.get('iss')).toBe(world.origin);
  });

  test('a code with a challenge needs its verifier, of whichever client', async () => {
    for (const of of [app, waived]) {
      for (const form of [{}, { code_verifier: 'w'.repeat(43) }, { code_verifier: '' }]) {
        const { code } = await codeFor(of);
        expect(await redeem(of, code, form as Record<string, string>)).toEqual(invalidGrant);
      }
      const { code, verifier } = await codeFor(of);
      expect(await redeem(of, code, { code_verifier: verifier })).toEqual([200, undefined]);
    }
  });

  test('a code without a challenge takes no verifier: nobody took the challenge away on its way (RFC 9700 section 4.8.2)', async () => {
    const { code, verifier } = await codeFor(waived, noChallenge);
    expect(await redeem(waived, code, { code_verifier: verifier })).toEqual(invalidGrant);
    const { code: other } = await codeFor(waived, noChallenge);
    expect(await redeem(waived, other, {})).toEqual([200, undefined]);
  });

  test('the verifier of another request is refused', async () => {
    const one = await codeFor(app);
    const two = await codeFor(app);
    expect(await redeem(app, one.code, { code_verifier: two.verifier })).toEqual(invalidGrant);
  });
});
