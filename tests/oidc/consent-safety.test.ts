import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

describe('what a consent is bound to', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  test('the host named is the one that is answered, not the first that is registered', async () => {
    const other = 'https://other.example/callback';
    const { rp } = await world.registerApp(
      { redirect_uris: ['https://app.example/callback', other] },
      { redirectUri: other },
    );
    const { agent } = await world.signUp();
    const { url } = await rp.authorizationUrl();
    const consent = await agent.navigate(url);
    const { client } = await world.details(agent, world.interactionOf(consent.url));
    expect(client.host).toBe('other.example');
  });

  test('a browser signed in as someone else can neither read nor answer it', async () => {
    const { rp } = await world.registerApp();
    const [lena, max] = [await world.signUp(), await world.signUp()];
    const { url } = await rp.authorizationUrl();
    const consent = await lena.agent.navigate(url);
    const uid = world.interactionOf(consent.url);
    for (const cookie of await max.agent.jar.getCookies(world.origin)) {
      if (cookie.key.startsWith('_session')) await lena.agent.jar.setCookie(cookie, world.origin);
    }
    expect((await lena.agent.get(`/interaction/${uid}/details`)).status).toBe(410);
    expect((await lena.agent.post(`/interaction/${uid}/consent`, {})).status).toBe(410);
  });

  test('an app that comes to stay connected is asked about again', async () => {
    const app = await world.registerApp({ grant_types: ['authorization_code'] });
    const { agent } = await world.signUp();
    await world.link(agent, app.rp);
    await world.registerApp({ client_id: app.clientId, client_secret: app.clientSecret });

    // Longer than a process goes on with what it knew of a client.
    await expect
      .poll(
        async () => {
          const { url } = await app.rp.authorizationUrl();
          return (await agent.navigate(url)).url.pathname;
        },
        { timeout: 5_000, interval: 200 },
      )
      .toBe('/consent');
  });
});
