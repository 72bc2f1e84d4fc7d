import { sql } from 'kysely';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { type Link, linkApp } from './refresh-link.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

let world: World;
let agent: UserAgent;
beforeAll(async () => {
  world = await createWorld();
  ({ agent } = await world.signUp());
});
afterAll(() => world.close());

const begin = async (metadata: Record<string, unknown> = {}): Promise<Link> =>
  linkApp(world, agent, await world.registerApp(metadata));

const issued = (answer: Answer): string => {
  expect(answer.status, answer.body).toBe(200);
  return answer.json().refresh_token;
};

const isRefused = (answer: Answer) => {
  expect([answer.status, answer.json().error], answer.body).toEqual([400, 'invalid_grant']);
};

/** Stores metadata that registration refuses today, and waits until the server answers the new metadata. */
const rewrite = async (clientId: string, metadata: Record<string, unknown>) => {
  await sql`update client set metadata = metadata || ${JSON.stringify(metadata)}::jsonb where id = ${clientId}`.execute(
    world.db,
  );
  await expect
    .poll(async () => (await world.findClient(clientId))?.metadata, { timeout: 60_000 })
    .toMatchObject(metadata);
};

describe('mode rotate', () => {
  const rotate = { refresh_mode: 'rotate' };

  test('a predecessor ends with its use: a repetition within a minute is refused, and the link stays', async () => {
    const link = await begin(rotate);
    const second = issued(await link.requests.refresh(link.first));
    expect(second).not.toBe(link.first);
    isRefused(await link.requests.refresh(link.first));
    await link.pass(50);
    isRefused(await link.requests.refresh(link.first));
    expect(await link.rows()).toHaveLength(2);
    issued(await link.requests.refresh(second));
  });

  test('a later repetition is theft: the whole link ends', async () => {
    const link = await begin(rotate);
    const answer = await link.requests.refresh(link.first);
    await link.pass(70);
    isRefused(await link.requests.refresh(link.first));
    expect(await link.isAlive()).toBe(false);
    isRefused(await link.requests.refresh(issued(answer)));
    expect(await link.requests.isActive(answer.json().access_token)).toBe(false);
  });

  test('parallel refreshes have one successor: a late refresh is refused, and the link stays', async () => {
    const link = await begin(rotate);
    const answers = await Promise.all(Array.from({ length: 12 }, () => link.requests.refresh(link.first)));
    const winners = answers.filter(({ status }) => status === 200);
    for (const late of answers.filter(({ status }) => status !== 200)) isRefused(late);
    const successors = new Set(winners.map(issued));
    expect(successors.size).toBe(1);
    expect(await link.rows()).toHaveLength(2);
    for (const successor of successors) issued(await link.requests.refresh(successor));
  });

  test('a token issued before the client changed to rotate keeps its overlap', async () => {
    const link = await begin();
    const second = issued(await link.requests.refresh(link.first));
    await link.pass(HOUR);
    await rewrite(link.app.clientId, rotate);
    expect(issued(await link.requests.refresh(link.first))).toBe(second);
    const third = issued(await link.requests.refresh(second));
    await link.pass(70);
    isRefused(await link.requests.refresh(second));
    isRefused(await link.requests.refresh(third));
  });
});

describe('mode static', () => {
  const kept = { refresh_mode: 'static' };

  test('a refresh returns a new access token and the same refresh token', async () => {
    const link = await begin(kept);
    const first = await link.requests.refresh(link.first);
    const second = await link.requests.refresh(link.first);
    expect([issued(first), issued(second)]).toEqual([link.first, link.first]);
    const accessTokens = [link.tokens, first.json(), second.json()].map(({ access_token }) => access_token);
    expect(new Set(accessTokens).size).toBe(3);
    for (const token of accessTokens) expect(await link.requests.isActive(token)).toBe(true);
    expect(await link.rows()).toHaveLength(1);
  });

  test('each use extends the token and its link; unused it expires', async () => {
    const link = await begin(kept);
    for (let use = 0; use < 3; use += 1) {
      await link.pass(390 * DAY);
      expect(issued(await link.requests.refresh(link.first))).toBe(link.first);
      const [row] = await link.rows();
      expect(row?.expires_at.getTime()).toBeGreaterThan(Date.now() + 399 * DAY * 1000);
      expect((await link.grant())?.expires_at.getTime()).toBeGreaterThanOrEqual(
        row?.expires_at.getTime() ?? Infinity,
      );
    }
    await link.pass(401 * DAY);
    isRefused(await link.requests.refresh(link.first));
  });

  test('parallel refreshes all get tokens', async () => {
    const link = await begin(kept);
    const answers = await Promise.all(Array.from({ length: 12 }, () => link.requests.refresh(link.first)));
    expect(new Set(answers.map(issued))).toEqual(new Set([link.first]));
    expect(new Set(answers.map((answer) => answer.json().access_token)).size).toBe(12);
  });

  test('a link from before the mode continues with its newest token, and its predecessor ends', async () => {
    const link = await begin();
    const second = issued(await link.requests.refresh(link.first));
    await rewrite(link.app.clientId, kept);
    expect(issued(await link.requests.refresh(link.first))).toBe(second);
    expect(issued(await link.requests.refresh(second))).toBe(second);
    isRefused(await link.requests.refresh(link.first));
    await link.pass(70);
    isRefused(await link.requests.refresh(link.first));
    expect(await link.isAlive()).toBe(false);
  });

  test('revoking the refresh token ends the link', async () => {
    const link = await begin(kept);
    await link.app.rp.revoke(link.first);
    isRefused(await link.requests.refresh(link.first));
    expect(await link.isAlive()).toBe(false);
  });

  test('RFC 9700 section 2.2.2: a public client’s unbound token rotates nevertheless', async () => {
    const app = await world.registerApp({ token_endpoint_auth_method: 'none' });
    await rewrite(app.clientId, kept);
    const { rp } = app;
    const { refresh_token: first = '' } = (await world.link(agent, rp)).tokens;
    expect((await rp.refresh(first)).refresh_token).not.toBe(first);
  });

  test('a public client keeps a token bound to its key, and only that key can use it', async () => {
    const app = await world.registerApp({
      token_endpoint_auth_method: 'none',
      dpop_bound_access_tokens: true,
    });
    await rewrite(app.clientId, kept);
    const { configuration } = app.rp;
    const DPoP = oidc.getDPoPHandle(configuration, await oidc.randomDPoPKeyPair('ES256'));
    const { url, checks } = await app.rp.authorizationUrl();
    const consent = await agent.navigate(url);
    const { url: callback } = await world.approve(agent, world.interactionOf(consent.url));
    const { refresh_token: first = '' } = await oidc.authorizationCodeGrant(
      configuration,
      callback,
      checks,
      undefined,
      { DPoP },
    );
    for (let use = 0; use < 2; use += 1) {
      const answer = await oidc.refreshTokenGrant(configuration, first, undefined, { DPoP });
      expect(answer.refresh_token ?? first).toBe(first);
      expect(answer.token_type).toBe('dpop');
    }
    const other = oidc.getDPoPHandle(configuration, await oidc.randomDPoPKeyPair('ES256'));
    await expect(
      oidc.refreshTokenGrant(configuration, first, undefined, { DPoP: other }),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
    await oidc.refreshTokenGrant(configuration, first, undefined, { DPoP });
  });
});

describe('OA5: the lifetime of a family', () => {
  test.each(['overlap', 'rotate', 'static'])('in mode %s ends regardless of its use', async (mode) => {
    const link = await begin({ refresh_mode: mode, refresh_family_ttl: DAY });
    let token = link.first;
    for (let use = 0; use < 3; use += 1) {
      await link.pass(7 * HOUR);
      token = issued(await link.requests.refresh(token));
    }
    const { expires_at, ends_at } = (await link.grant()) ?? {};
    expect(Math.abs((ends_at?.getTime() ?? 0) - Date.now() - 3 * HOUR * 1000)).toBeLessThan(60_000);
    expect(expires_at).toEqual(ends_at);
    await link.pass(3 * HOUR - 60);
    token = issued(await link.requests.refresh(token));
    await link.pass(120);
    isRefused(await link.requests.refresh(token));
    expect(await link.rows()).not.toEqual([]);
  });

  test('no access token and no grant outlives the family', async () => {
    const link = await begin({ refresh_family_ttl: DAY });
    await link.pass(DAY - 60);
    const refreshed = await link.requests.refresh(link.first);
    issued(refreshed);
    expect(JSON.parse(refreshed.body).expires_in).toBeLessThanOrEqual(60);
    const left = ((await link.grant())?.expires_at.getTime() ?? 0) - Date.now();
    expect(left / 1000).toBeGreaterThan(30);
    expect(left / 1000).toBeLessThanOrEqual(60);
    expect((await link.grant())?.has_refresh_token).toBe(true);
  });

  test('a lifetime shortened at the client applies to existing families', async () => {
    const link = await begin();
    await link.pass(10 * DAY);
    const second = issued(await link.requests.refresh(link.first));
    await rewrite(link.app.clientId, { refresh_family_ttl: 10 * DAY });
    isRefused(await link.requests.refresh(second));
    await rewrite(link.app.clientId, { refresh_family_ttl: 11 * DAY });
    issued(await link.requests.refresh(second));
  });

  test('without a lifetime a link in use lasts for years', async () => {
    const link = await begin();
    let token = link.first;
    for (let month = 0; month < 60; month += 1) {
      await link.pass(30 * DAY);
      token = issued(await link.requests.refresh(token));
    }
    expect(await link.isAlive()).toBe(true);
  });
});
