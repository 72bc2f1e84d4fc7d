import { OAuth2Server } from 'oauth2-mock-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { World } from '../support/world.ts';
import { accountOf, createDoorWorld, goTo, registerHere } from './door-world.ts';

/** A server that others wrote, of the package `oauth2-mock-server`: it signs `johndoe` in without asking. */
describe('oauth2-mock-server as an identity provider', () => {
  const server = new OAuth2Server();
  let world: World;

  beforeAll(async () => {
    await server.issuer.keys.generate('RS256');
    await server.start(0, '127.0.0.1');
    const issuer = server.issuer.url ?? '';
    world = await createDoorWorld(
      [{ id: 'mock', kind: 'oidc', name: 'Mock', issuer, client_id: 'candela', client_secret: 'any' }],
      { hosts: [new URL(issuer).host] },
    );
  });
  afterAll(async () => {
    await world.close();
    await server.stop();
  });

  /** The browser goes to the server, which leads it back at once. */
  const comeBack = async () => {
    const way = await goTo(world, { provider: 'mock' });
    const answer = await fetch(way.authorization, { redirect: 'manual' });
    const arrived = await way.agent.navigate(answer.headers.get('location') ?? '');
    return { ...way, arrived };
  };

  test('a person registers by it, and signs in again, also by a key that came since', async () => {
    const first = await comeBack();
    expect((await world.details(first.agent, first.uid)).provider).toMatchObject({
      name: 'Mock',
      state: 'new',
    });
    const made = await registerHere(world, first.agent, first.uid);
    await first.agent.navigate(made.json().returnTo);
    const id = await accountOf(first.agent);
    expect(await accountOf((await comeBack()).agent)).toBe(id);
    // It signs by each of its keys in turn.
    await server.issuer.keys.generate('RS256');
    expect(await accountOf((await comeBack()).agent)).toBe(id);
    expect(await accountOf((await comeBack()).agent)).toBe(id);
  });

  test('a nonce that it exchanges is noticed', async () => {
    server.service.on('beforeTokenSigning', (token) => {
      if ('nonce' in token.payload) token.payload.nonce = 'another';
    });
    const { agent, arrived } = await comeBack();
    expect(arrived.url.searchParams.get('reason')).toBe('provider_failed');
    expect((await agent.get('/api/account')).status).toBe(401);
  });
});
