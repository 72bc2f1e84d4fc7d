import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { createWorld, type World } from '../support/world.ts';

const redirectUri = 'https://c2c-us.smartthings.com/oauth/callback';

let world: World;
let smartthings: Platform;
beforeAll(async () => {
  world = await createWorld();
  smartthings = await registerPlatform(world, {
    metadata: { preset: 'smartthings' },
    redirectUri,
    authentication: 'body',
  });
});
afterAll(() => world.close());

/** https://developer.smartthings.com/docs/devices/cloud-connected/auth-server, November 2026. */
test.each(['us', 'eu', 'ap'])('SmartThings links an account in the region %s', async (region) => {
  const uri = `https://c2c-${region}.smartthings.com/oauth/callback`;
  const { agent } = await world.signUp();
  const callback = await smartthings.authorize(agent, { redirect_uri: uri });
  expect(callback.origin + callback.pathname).toBe(uri);
  const { status, body } = await smartthings.exchange(callback);
  expect([status, await smartthings.use(body.access_token)]).toEqual([200, 200]);
  expect((await smartthings.refresh(body.refresh_token)).status).toBe(200);
});

test('SmartThings: the button is to be pressed at each linking, whatever the person approved before', async () => {
  const { agent } = await world.signUp();
  for (let turn = 0; turn < 2; turn += 1) {
    const { url } = await agent.navigate(smartthings.authorizationUrl());
    expect(url.pathname).toBe('/consent');
    await world.approve(agent, world.interactionOf(url));
  }
  const silent = await agent.navigate(smartthings.authorizationUrl({ prompt: 'none' }));
  expect(silent.url.searchParams.get('error')).toBe('consent_required');
  const remembered = await world.db
    .selectFrom('remembered_consent')
    .select('scope')
    .where('client_id', '=', smartthings.clientId)
    .execute();
  expect(remembered).toEqual([]);
});

test.each([
  [{ preset: 'tmall-genie' }, 'https://open.bot.tmall.com/oauth/callback?skillId=861&token=mine'],
  [
    { preset: 'alexa', vendor_id: 'M2AAAAAAAAAAAA' },
    'https://layla.amazon.com/api/skill/link/M2AAAAAAAAAAAA',
  ],
  [
    { preset: 'google-home', project_id: 'our-lights-1a2b3' },
    'https://oauth-redirect.googleusercontent.com/r/our-lights-1a2b3',
  ],
])(
  'OA37: each link to a platform is asked for: somebody else may have begun it there, %j',
  async (metadata, redirectUri) => {
    const platform = await registerPlatform(world, { metadata, redirectUri, authentication: 'body' });
    const { agent } = await world.signUp();
    await platform.authorize(agent);
    const { url } = await agent.navigate(platform.authorizationUrl({ state: 'of somebody else' }));
    expect(url.pathname).toBe('/consent');
  },
);

test('always_ask holds for a client of any kind, be it the brand’s own', async () => {
  const app = await world.registerApp({ always_ask: true, first_party: true });
  const { agent } = await world.signUp();
  for (let turn = 0; turn < 2; turn += 1) {
    const { url } = await agent.navigate((await app.rp.authorizationUrl()).url);
    expect(url.pathname).toBe('/consent');
    await world.approve(agent, world.interactionOf(url));
  }
});
