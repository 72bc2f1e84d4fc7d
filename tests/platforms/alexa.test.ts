import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvalsOf } from '../oidc/authorization.ts';
import { type Platform, registerPlatform } from '../support/platform.ts';
import { readJwt } from '../support/token.ts';
import { createWorld, type World } from '../support/world.ts';

const VENDOR = 'M2EXAMPLE1234';
const regions = ['https://pitangui.amazon.com', 'https://layla.amazon.com', 'https://alexa.amazon.co.jp'];
const [europe = ''] = regions.map((region) => `${region}/api/skill/link/${VENDOR}`).slice(1);

let world: World;
let alexa: Platform;
beforeAll(async () => {
  world = await createWorld();
  alexa = await registerPlatform(world, {
    metadata: { preset: 'alexa', vendor_id: VENDOR },
    redirectUri: europe,
    authentication: 'basic',
  });
});
afterAll(() => world.close());

describe('Alexa links an account', () => {
  test.each(regions)('and is answered in its region, %s', async (region) => {
    const redirectUri = `${region}/api/skill/link/${VENDOR}`;
    const { agent } = await world.signUp();
    const callback = await alexa.authorize(agent, { redirect_uri: redirectUri, state: 'of-this-region' });
    expect(callback.origin + callback.pathname).toBe(redirectUri);
    expect(callback.searchParams.get('state')).toBe('of-this-region');

    const { status, body } = await alexa.exchange(callback);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      token_type: 'Bearer',
      access_token: expect.stringMatching(/^[\w-]+$/),
      refresh_token: expect.any(String),
    });
    expect(body.expires_in).toBeGreaterThanOrEqual(360);
    expect(await alexa.use(body.access_token)).toBe(200);
  });

  test('with an id_token signed with ES256, as its preset says', async () => {
    const { agent } = await world.signUp();
    const { id_token: idToken } = await alexa.link(agent);
    expect(readJwt(idToken).header.alg).toBe('ES256');
  });

  test.each([
    ['base64', randomBytes(3_072).toString('base64')],
    ['all that a URI can carry', '!~*\'();:@&=+$,/?#[]%20 "<>'.repeat(200).slice(0, 4096)],
  ])('and gets a state of kilobytes back unchanged: %s', async (_name, state) => {
    const { agent } = await world.signUp();
    const callback = await alexa.authorize(agent, { state });
    expect(callback.searchParams.get('state')).toBe(state);
    expect((await alexa.exchange(callback)).status).toBe(200);
  });

  test('of a person who registers during the linking', async () => {
    const agent = world.browser();
    const state = randomBytes(3_072).toString('base64');
    const { url } = await agent.navigate(alexa.authorizationUrl({ state, prompt: 'create' }));
    const { url: consent } = await world.register(
      agent,
      world.interactionOf(url),
      `${randomBytes(6).toString('hex')}@example.com`,
    );
    const { url: callback } = await world.approve(agent, world.interactionOf(consent));
    expect(callback.searchParams.get('state')).toBe(state);
    expect((await alexa.exchange(callback)).body.refresh_token).toEqual(expect.any(String));
  });

  test('but not at the address of another vendor', async () => {
    const { agent } = await world.signUp();
    const { answer, url } = await agent.navigate(
      alexa.authorizationUrl({ redirect_uri: `${regions[0]}/api/skill/link/M2SOMEBODYELSE` }),
    );
    expect([answer?.status, url.origin]).toEqual([400, world.origin]);
  });

  test('and authenticates in the request body if its skill is set up so', async () => {
    const inBody = await registerPlatform(world, {
      metadata: {
        preset: 'alexa',
        vendor_id: VENDOR,
        token_endpoint_auth_method: 'client_secret_post',
      },
      redirectUri: europe,
      authentication: 'body',
    });
    const { agent } = await world.signUp();
    expect(await inBody.link(agent)).toMatchObject({ refresh_token: expect.any(String) });
  });
});

describe('Alexa stays linked', () => {
  test('by refreshing before the access token expires, with a new access token and its expiry each time', async () => {
    const { agent } = await world.signUp();
    let { access_token: accessToken, refresh_token: refreshToken } = await alexa.link(agent);
    const seen = new Set([accessToken]);
    for (let round = 0; round < 4; round += 1) {
      const { status, body } = await alexa.refresh(refreshToken);
      expect(status).toBe(200);
      expect(body.expires_in).toBeGreaterThanOrEqual(360);
      expect(await alexa.use(body.access_token)).toBe(200);
      accessToken = body.access_token;
      refreshToken = body.refresh_token;
      seen.add(accessToken);
    }
    expect(seen.size).toBe(5);
  });

  test('when it refreshes in parallel, or a response is lost', async () => {
    const { agent } = await world.signUp();
    const { refresh_token: refreshToken } = await alexa.link(agent);
    const answers = await Promise.all(Array.from({ length: 6 }, () => alexa.refresh(refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const successors = new Set(answers.map(({ body }) => body.refresh_token));
    expect(successors.size).toBe(1);
    const [successor = ''] = successors;
    const { body } = await alexa.refresh(successor);
    expect((await alexa.refresh(body.refresh_token)).status).toBe(200);
  });

  test('after the person signed out everywhere', async () => {
    const { agent } = await world.signUp();
    const { refresh_token: refreshToken } = await alexa.link(agent);
    await agent.post('/api/sign-out');
    expect((await alexa.refresh(refreshToken)).status).toBe(200);
  });

  test('in each of two homes of one account, until that home’s link is withdrawn', async () => {
    const { agent } = await world.signUp();
    const first = await alexa.link(agent);
    const second = await alexa.link(agent);
    const [newest, oldest] = await approvalsOf(agent);
    expect(newest?.id).not.toBe(oldest?.id);
    await agent.delete(`/api/authorizations/${newest?.id}`);
    expect((await alexa.refresh(second.refresh_token)).status).toBe(400);
    expect((await alexa.refresh(first.refresh_token)).status).toBe(200);
  });
});

test('unlinked by the person, Alexa is refused with invalid_grant and nothing else; linked again, it goes on', async () => {
  const { agent } = await world.signUp();
  const { access_token: accessToken, refresh_token: refreshToken } = await alexa.link(agent);
  await agent.delete('/api/authorizations');
  expect(await alexa.use(accessToken)).toBe(401);
  for (const token of [refreshToken, 'of-nobody', '']) {
    const { status, text } = await alexa.refresh(token);
    if (token !== '') expect([status, text]).toEqual([400, '{"error":"invalid_grant"}']);
    else expect(status).toBe(400);
  }
  const again = await alexa.link(agent);
  expect(again.refresh_token).not.toBe(refreshToken);
  expect((await alexa.refresh(again.refresh_token)).status).toBe(200);
  expect((await alexa.refresh(refreshToken)).status).toBe(400);
});
