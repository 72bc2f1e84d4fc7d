import { openPglite } from '@candela/server/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Break, createBreakable } from '../support/breakable.ts';
import { createWorld, type World } from '../support/world.ts';
import { type Link, linkApp } from './refresh-link.ts';

let world: World;
let breakable: ReturnType<typeof createBreakable>;
beforeAll(async () => {
  breakable = createBreakable(await openPglite());
  world = await createWorld({ connection: breakable.connection, env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => world.close());

const begin = async (metadata: Record<string, unknown> = {}): Promise<Link> => {
  const { agent } = await world.signUp();
  return linkApp(world, agent, await world.registerApp(metadata));
};

const isOutage = (answer: Awaited<ReturnType<Link['requests']['refresh']>>) => {
  expect(answer.status, answer.body).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(answer.json()).toEqual({ error: 'temporarily_unavailable' });
};

describe('a refresh whose database is lost is 503 with Retry-After, and the same token works after it', () => {
  const places: (Break & { rows: number })[] = [
    { statement: 1, when: 'before', rows: 1 },
    { statement: 1, when: 'after', rows: 1 },
    { statement: 2, when: 'before', rows: 1 },
    { statement: 2, when: 'after', rows: 2 },
  ];
  test.each(places)('$when statement $statement', async ({ rows, ...place }) => {
    const link = await begin();
    const { result, broke } = await breakable.during(place, () => link.requests.refresh(link.first));
    expect(broke).toBe(true);
    isOutage(result);
    expect(await link.rows()).toHaveLength(rows);
    const again = await link.requests.refresh(link.first);
    expect(again.status, again.body).toBe(200);
    expect(await link.rows()).toHaveLength(2);
    expect((await link.requests.refresh(again.json().refresh_token)).status).toBe(200);
  });

  test.each(places)(
    '$when statement $statement, of a token that stays',
    async ({ rows: _rows, ...place }) => {
      const link = await begin({ refresh_mode: 'static' });
      const { result, broke } = await breakable.during(place, () => link.requests.refresh(link.first));
      expect(broke).toBe(true);
      isOutage(result);
      expect((await link.requests.refresh(link.first)).json().refresh_token).toBe(link.first);
    },
  );
});

test('an outage while theft is answered does not forget the theft', async () => {
  const link = await begin();
  const second = (await link.requests.refresh(link.first)).json().refresh_token;
  await link.requests.refresh(second);
  await link.pass(120);
  const { result, broke } = await breakable.during({ statement: 2, when: 'before' }, () =>
    link.requests.refresh(link.first),
  );
  expect(broke).toBe(true);
  isOutage(result);
  expect(await link.isAlive()).toBe(true);
  expect((await link.requests.refresh(link.first)).json().error).toBe('invalid_grant');
  expect(await link.isAlive()).toBe(false);
});

test('a redemption whose database is lost is 503, and its code works after it', async () => {
  const { agent } = await world.signUp();
  const app = await world.registerApp();
  const { requests } = await linkApp(world, agent, app);
  for (const place of [
    { statement: 1, when: 'before' },
    { statement: 1, when: 'after' },
  ] as const) {
    const { url, checks } = await app.rp.authorizationUrl();
    const code = (await agent.navigate(url)).url.searchParams.get('code') ?? '';
    const { result, broke } = await breakable.during(place, () =>
      requests.redeem(code, checks.pkceCodeVerifier),
    );
    expect(broke).toBe(true);
    isOutage(result);
    expect((await requests.redeem(code, checks.pkceCodeVerifier)).status).toBe(200);
  }
});
