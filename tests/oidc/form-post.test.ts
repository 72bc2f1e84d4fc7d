import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import { encodePart } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { bootOf, type RegisteredApp } from './authorization.ts';

let world: SecureWorld;
let app: RegisteredApp;
let agent: UserAgent;
beforeAll(async () => {
  world = await createSecureWorld();
  app = await world.registerApp();
  ({ agent } = await world.signUp());
  await world.link(agent, app.rp);
});
afterAll(() => world.close());

const unescapeHtml = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** Submits the page’s form as a browser would. */
const read = ({ body }: Answer) => ({
  action: unescapeHtml(/<form method="post" action="([^"]*)"/.exec(body)?.[1] ?? ''),
  fields: Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      unescapeHtml(value ?? ''),
    ]),
  ),
});

const ask = async (parameters: Record<string, string>, person = agent) => {
  const { url, checks } = await app.rp.authorizationUrl({ response_mode: 'form_post', ...parameters });
  return { answer: await person.get(url.href), checks };
};

const expectPolicy = (answer: Answer) => {
  const policy = String(answer.headers['content-security-policy']);
  const directive = (name: string) =>
    policy
      .split(';')
      .map((part) => part.trim().split(' '))
      .find(([first]) => first === name) ?? [];
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(answer.body) ?? [];
  expect(directive('script-src')).toContain(`'sha256-${hash('sha256', script, 'base64')}'`);
  expect(directive('script-src').join()).not.toContain('unsafe');
  expect(directive('form-action').slice(1).sort()).toEqual(["'self'", 'https://app.example']);
  expect(directive('frame-ancestors')).toEqual(['frame-ancestors', "'none'"]);
  expect(answer.headers['cache-control']).toContain('no-store');
  expect(answer.headers['referrer-policy']).toBe('no-referrer');
};

describe('response_mode=form_post (OAuth 2.0 Form Post Response Mode)', () => {
  test('the code is in a form that submits itself to the app, with state and iss', async () => {
    const { answer, checks } = await ask({});
    expect(answer.status).toBe(200);
    expectPolicy(answer);
    const { action, fields } = read(answer);
    expect(action).toBe(app.redirectUri);
    expect(Object.keys(fields).sort()).toEqual(['code', 'iss', 'state']);
    expect(fields).toMatchObject({ iss: world.origin, state: checks.expectedState });
    const tokens = await app.rp.exchange(`${action}?${new URLSearchParams(fields)}`, checks);
    expect(tokens.claims()?.aud).toBe(app.clientId);
  });

  test.each([
    ['login_required', { prompt: 'none' }, /authentication is required/],
    ['unsupported_response_type', { response_type: 'token' }, /^response_types of this client: code$/],
    ['invalid_request', { prompt: 'none login' }, /only be used alone/],
    ['invalid_request', { code_challenge: '', code_challenge_method: '', nonce: '' }, /send code_challenge/],
    ['registration_not_supported', { registration: '{}' }, /registered beforehand/],
  ])('the error %s comes so too, with iss (OA7)', async (error, parameters, description) => {
    const { answer, checks } = await ask(parameters, world.browser());
    expect(answer.headers.location).toBeUndefined();
    expectPolicy(answer);
    const { action, fields } = read(answer);
    expect(action).toBe(app.redirectUri);
    expect(fields).toMatchObject({ error, iss: world.origin, state: checks.expectedState });
    expect(fields.error_description).toMatch(description);
    expect(answer.body.match(/name="error_description"/g)).toHaveLength(1);
  });

  test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported: the refusal uses the response mode of the object', async () => {
    const { url, checks } = await app.rp.authorizationUrl({ response_mode: 'form_post' });
    const request = `${encodePart({ alg: 'none' })}.${encodePart(Object.fromEntries(url.searchParams))}.`;
    const beside = { redirect_uri: app.redirectUri, response_type: 'code', scope: 'openid' };
    const query = new URLSearchParams({ client_id: app.clientId, ...beside, request });
    const answer = await agent.get(`/oauth/authorize?${query}`);
    expect(answer.headers.location).toBeUndefined();
    expectPolicy(answer);
    const { action, fields } = read(answer);
    expect(action).toBe(app.redirectUri);
    expect(fields).toMatchObject({
      error: 'invalid_request_object',
      iss: world.origin,
      state: checks.expectedState,
    });
  });

  test('a state is escaped in the form, whatever its text', async () => {
    const state = `"><script>alert(1)</script><form action='https://evil.example'>&amp;é`;
    for (const person of [agent, world.browser()]) {
      const { answer } = await ask({ state, prompt: 'none' }, person);
      expect(answer.body.match(/<script/g)).toHaveLength(1);
      expect(answer.body.match(/<form/g)).toHaveLength(1);
      expect(read(answer).fields.state).toBe(state);
    }
  });

  test('an address that is not registered gets no form', async () => {
    const { answer } = await ask({ redirect_uri: 'https://evil.example/callback' });
    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain('action="https://evil.example');
    expect(bootOf({ url: new URL(world.origin), answer }).error.code).toBe('redirect_uri_mismatch');
  });

  test('query is the default and may be requested; an unknown mode is an error in the default mode', async () => {
    for (const parameters of [{ response_mode: 'query' }, {}]) {
      const { url } = await app.rp.authorizationUrl(parameters as Record<string, string>);
      const { url: callback } = await agent.navigate(url);
      expect(callback.searchParams.get('iss')).toBe(world.origin);
      expect(callback.searchParams.get('code')).toBeTypeOf('string');
    }
    const { url } = await app.rp.authorizationUrl({ response_mode: 'shout' });
    const { url: refused } = await agent.navigate(url);
    expect(refused.searchParams.get('error')).toBe('unsupported_response_mode');
    expect(refused.searchParams.get('iss')).toBe(world.origin);
  });
});
