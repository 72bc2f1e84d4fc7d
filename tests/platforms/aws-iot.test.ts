import { hash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { createWorld, type World } from '../support/world.ts';

const verifier = randomBytes(64).toString('base64url');
const challenge = hash('sha256', verifier, 'base64url');
const redirectUri = 'https://callbacks.example/oauth';

let world: World;
let aws: Platform;
beforeAll(async () => {
  world = await createWorld();
  aws = await registerPlatform(world, {
    metadata: { preset: 'aws-iot', redirect_uris: [redirectUri] },
    redirectUri,
    authentication: 'basic',
  });
});
afterAll(() => world.close());

/** https://docs.aws.amazon.com/iot-mi/latest/devguide/account-linking-flow.html, November 2026: the code flow, PKCE too. */
test.each([
  ['without PKCE', {}, {}],
  ['with PKCE', { code_challenge: challenge, code_challenge_method: 'S256' }, { code_verifier: verifier }],
])('AWS IoT links an account %s', async (_name, parameters, form) => {
  const { agent } = await world.signUp();
  const callback = await aws.authorize(agent, { scope: '', ...parameters });
  expect(callback.origin + callback.pathname).toBe(redirectUri);
  const { status, body } = await aws.exchange(callback, form);
  expect([status, await aws.use(body.access_token)]).toEqual([200, 200]);
  expect((await aws.refresh(body.refresh_token)).status).toBe(200);
});

test('AWS IoT is told of a person who declines by error and error_description', async () => {
  const { agent } = await world.signUp();
  const { url } = await agent.navigate(aws.authorizationUrl());
  const answer = await agent.post(`/interaction/${world.interactionOf(url)}/abort`, undefined);
  const { searchParams } = (await agent.navigate(answer.json().returnTo)).url;
  expect([searchParams.get('error'), searchParams.has('error_description')]).toEqual(['access_denied', true]);
});
