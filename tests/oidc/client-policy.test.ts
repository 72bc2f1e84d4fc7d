import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { registerPlatform } from './platform.ts';

const redirectUri = 'https://app.example/callback';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const register = (metadata: Record<string, unknown> = {}) =>
  registerPlatform(world, {
    metadata: {
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
    },
    redirectUri,
    authentication: 'basic',
  });

describe('PKCE', () => {
  test('OA2: is required of a confidential client that says nothing', async () => {
    const { agent } = await world.signUp();
    const callback = await (await register()).authorize(agent);
    expect(callback.searchParams.get('error')).toBe('invalid_request');
  });

  test('is waived where the registration says so, for that client alone', async () => {
    const { agent } = await world.signUp();
    const waived = await register({ require_pkce: false });
    expect((await waived.exchange(await waived.authorize(agent))).status).toBe(200);
    const other = await register({ require_pkce: true });
    expect((await other.authorize(agent)).searchParams.get('error')).toBe('invalid_request');
  });

  test('is never waived for a public client: such a registration is refused', async () => {
    await expect(
      world.registerClients([
        {
          client_id: 'open',
          token_endpoint_auth_method: 'none',
          redirect_uris: [redirectUri],
          require_pkce: false,
        },
      ]),
    ).rejects.toThrow('client "open" .require_pkce must not be false for a public client');
  });
});

test('lifetimes are those of the registration, and expires_in tells them', async () => {
  const { agent } = await world.signUp();
  const app = await register({ require_pkce: false, access_token_ttl: 400, refresh_token_ttl: 7200 });
  const { body } = await app.exchange(await app.authorize(agent));
  expect(body.expires_in).toBe(400);
  const secondsLeft = async (table: 'access_token' | 'refresh_token', token: string) =>
    world.db
      .selectFrom(table)
      .select(sql<number>`extract(epoch from expires_at - now())::int`.as('seconds'))
      .where('id_hash', '=', hash('sha256', token, 'base64url'))
      .executeTakeFirstOrThrow();
  for (const { access_token: accessToken, refresh_token: refreshToken } of [
    body,
    (await app.refresh(body.refresh_token)).body,
  ]) {
    const access = await secondsLeft('access_token', accessToken);
    const refresh = await secondsLeft('refresh_token', refreshToken);
    expect(access.seconds).toBeGreaterThan(380);
    expect(access.seconds).toBeLessThanOrEqual(400);
    expect(refresh.seconds).toBeGreaterThan(7180);
    expect(refresh.seconds).toBeLessThanOrEqual(7200);
  }
});

test('a changed registration holds from the next request on, without a restart', async () => {
  const { agent } = await world.signUp();
  const app = await register({ require_pkce: false });
  const tokens = await app.link(agent);
  expect(tokens.expires_in).toBe(3600);
  await world.registerClients([{ ...app.registration, access_token_ttl: 600 }]);
  expect((await app.refresh(tokens.refresh_token)).body.expires_in).toBe(600);
});

test('a client without the refresh_token grant type gets none, whatever it asks for', async () => {
  const { agent } = await world.signUp();
  const app = await register({ grant_types: ['authorization_code'], require_pkce: false });
  const tokens = await app.link(agent, { scope: 'openid offline_access', prompt: 'consent' });
  expect(tokens).toHaveProperty('access_token');
  expect(tokens).not.toHaveProperty('refresh_token');
});
