import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { accountOf, agreementsOf, createDoorWorld, goTo } from './door-world.ts';

/** The provider of the first is a second Candela, of the kind `oidc`. */
describe('a second Candela as an identity provider', () => {
  let far: World;
  let world: World;

  beforeAll(async () => {
    far = await createWorld();
    const client = {
      client_id: 'near',
      client_secret: 'a secret of the near one, long enough',
      client_name: 'Near',
    };
    world = await createDoorWorld(
      [
        {
          id: 'far',
          kind: 'oidc',
          name: 'Far',
          issuer: far.origin,
          client_id: client.client_id,
          client_secret: client.client_secret,
          email_domains: ['example.com'],
        },
      ],
      { hosts: [new URL(far.origin).host] },
    );
    await far.registerClients([
      {
        ...client,
        first_party: true,
        redirect_uris: [`${world.origin}/sign-in/far/callback`],
        grant_types: ['authorization_code'],
      },
    ]);
  });
  afterAll(async () => {
    await world.close();
    await far.close();
  });

  test('a person of the second one registers at the first in one press, and signs in from then on', async () => {
    const { agent: there, identifier } = await far.signUp();
    const first = await goTo(world, { provider: 'far' });
    const { url: callback } = await there.navigate(first.authorization);
    const { url: page } = await first.agent.navigate(callback);
    expect(page.pathname).toBe('/login');
    const details = await world.details(first.agent, first.uid);
    expect(details.provider).toMatchObject({
      id: 'far',
      kind: 'oidc',
      name: 'Far',
      state: 'new',
      email: identifier,
      emailProven: true,
    });
    const agreements = await agreementsOf(world, first.agent, first.uid);
    const made = await first.agent.post(`/interaction/${first.uid}/provider`, { agreements });
    expect(made.status, made.body).toBe(200);
    const consent = await first.agent.navigate(made.json().returnTo);
    expect(consent.url.pathname).toBe('/consent');
    const back = await world.approve(first.agent, world.interactionOf(consent.url));
    const tokens = await first.app.rp.exchange(back.url, first.checks);
    expect(tokens.claims()).toMatchObject({ amr: ['fed'], acr: 'pwd' });

    const again = await goTo(world, { provider: 'far', parameters: { prompt: 'login' } });
    const anew = await there.navigate(again.authorization);
    expect(anew.url.pathname).toBe('/login');
    const returned = await far.login(there, far.interactionOf(anew.url), identifier);
    await again.agent.navigate(returned.url);
    expect(await accountOf(again.agent)).toBe(await accountOf(first.agent));
  });
});
