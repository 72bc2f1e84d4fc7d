import { createHmac, hash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { encodePart } from '../support/token.ts';
import { createWorld, type World } from '../support/world.ts';

const redirectUri = 'https://my.home-assistant.io/redirect/oauth';

let world: World;
let hub: Platform;
beforeAll(async () => {
  world = await createWorld();
  hub = await registerPlatform(world, {
    metadata: { preset: 'home-assistant' },
    redirectUri,
    authentication: 'body',
  });
});
afterAll(() => world.close());

/** The state is a JWT that the redirecting page and the installation read. */
const createState = () => {
  const signed = `${encodePart({ alg: 'HS256', typ: 'JWT' })}.${encodePart({
    flow_id: randomBytes(16).toString('hex'),
    redirect_uri: redirectUri,
  })}`;
  return `${signed}.${createHmac('sha256', 'of the installation').update(signed).digest('base64url')}`;
};

const verifier = randomBytes(64).toString('base64url');
const challenge = {
  code_challenge: hash('sha256', verifier, 'base64url'),
  code_challenge_method: 'S256',
};

describe('Home Assistant links an account', () => {
  test.each([
    ['without PKCE', {}, {}],
    ['with PKCE', challenge, { code_verifier: verifier }],
  ])('%s, and its state comes back to the redirecting page', async (_name, parameters, form) => {
    const state = createState();
    const { agent } = await world.signUp();
    const callback = await hub.authorize(agent, { ...parameters, state });
    expect(callback.origin + callback.pathname).toBe(redirectUri);
    expect(callback.searchParams.get('state')).toBe(state);
    const { status, body } = await hub.exchange(callback, form);
    expect(status).toBe(200);
    expect(body).toMatchObject({ refresh_token: expect.any(String), expires_in: expect.any(Number) });
    expect(await hub.use(body.access_token)).toBe(200);
  });

  test.each([
    ['OA2: a verifier that belongs to another challenge', challenge, { code_verifier: `${verifier}x` }],
    ['OA2: no verifier where there was a challenge', challenge, {}],
    ['OA2: a verifier where there was no challenge', {}, { code_verifier: verifier }],
  ])('but not with %s', async (_name, parameters, form) => {
    const { agent } = await world.signUp();
    const { status, text } = await hub.exchange(await hub.authorize(agent, parameters), form as never);
    expect([status, text]).toEqual([400, '{"error":"invalid_grant"}']);
  });

  test('but not with a challenge in the clear', async () => {
    const { agent } = await world.signUp();
    const callback = await hub.authorize(agent, {
      code_challenge: verifier,
      code_challenge_method: 'plain',
    });
    expect(callback.searchParams.get('error')).toBe('invalid_request');
  });

  test('for an installation with its own redirect URI', async () => {
    const own = 'https://home.example:8123/auth/external/callback';
    const platform = await registerPlatform(world, {
      metadata: { preset: 'home-assistant', redirect_uris: [redirectUri, own] },
      redirectUri: own,
      authentication: 'body',
    });
    const { agent } = await world.signUp();
    expect(await platform.link(agent)).toMatchObject({ refresh_token: expect.any(String) });
  });
});

describe('Home Assistant stays linked', () => {
  /** The record of Home Assistant: a response is merged over the stored values. */
  const refresh = async (token: Record<string, unknown>) => {
    const { status, body } = await hub.refresh(String(token.refresh_token));
    expect(status).toBe(200);
    return { ...token, ...body } as Record<string, unknown>;
  };

  test('by the response to each refresh', async () => {
    const { agent } = await world.signUp();
    let token: Record<string, unknown> = await hub.link(agent);
    for (let round = 0; round < 4; round += 1) token = await refresh(token);
    expect(await hub.use(String(token.access_token))).toBe(200);
  });

  test('after a restart that lost the response to the last refresh', async () => {
    const { agent } = await world.signUp();
    const stored: Record<string, unknown> = await hub.link(agent);
    await refresh(stored);
    const anew = await refresh(stored);
    expect(await hub.use(String((await refresh(anew)).access_token))).toBe(200);
  });

  test('until the person withdraws the link: then it asks for a new sign-in', async () => {
    const { agent } = await world.signUp();
    const token = await hub.link(agent);
    await agent.delete('/api/authorizations');
    const { status, text } = await hub.refresh(token.refresh_token);
    expect([status, text]).toEqual([400, '{"error":"invalid_grant"}']);
    expect(await hub.link(agent)).toMatchObject({ refresh_token: expect.any(String) });
  });
});
