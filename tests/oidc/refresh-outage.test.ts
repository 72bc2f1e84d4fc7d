import { openPglite } from '@candela/server/testing/databases';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Break, createBreakable } from '../support/breakable.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { type RegisteredApp, start } from './authorization.ts';
import { createFamily } from './refresh-family.ts';
import { type Link, linkApp } from './refresh-link.ts';
import { createPlay, isInvalidGrant, isOutage, type Operation } from './refresh-play.ts';

const RUNS = process.env.FULL ? 400 : 12;
const TIMEOUT = 15 * 60_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

let world: World;
let agent: UserAgent;
let breakable: ReturnType<typeof createBreakable>;
const apps = new Map<string, RegisteredApp>();
const modes = ['overlap', 'rotate', 'static'] as const;
beforeAll(async () => {
  breakable = createBreakable(await openPglite());
  world = await createWorld({ connection: breakable.connection, env: { LOG_LEVEL: 'silent' } });
  ({ agent } = await world.signUp());
  for (const mode of modes) apps.set(mode, await world.registerApp({ refresh_mode: mode }));
});
afterAll(() => world.close());

const begin = async (metadata: Record<string, unknown> = {}): Promise<Link> => {
  const { agent } = await world.signUp();
  return linkApp(world, agent, await world.registerApp(metadata));
};

describe('a refresh that loses the database is 503 with Retry-After, and the same token works afterwards', () => {
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
    '$when statement $statement, of a token that is not rotated',
    async ({ rows: _rows, ...place }) => {
      const link = await begin({ refresh_mode: 'static' });
      const { result, broke } = await breakable.during(place, () => link.requests.refresh(link.first));
      expect(broke).toBe(true);
      isOutage(result);
      expect((await link.requests.refresh(link.first)).json().refresh_token).toBe(link.first);
    },
  );
});

test('an outage during the response to a theft does not undo the detection', async () => {
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

test('a redemption that loses the database is 503, and the same code works afterwards', async () => {
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

describe('an approval that is resumed, and of which nothing is written,', () => {
  /** An approval whose redirect is not followed yet. */
  const approved = async () => {
    const { agent } = await world.signUp();
    const { uid, checks, app } = await start(world, { agent });
    const { returnTo } = (await agent.post(`/interaction/${uid}/consent`, {})).json();
    const cookies = () => agent.jar.serializeSync()?.cookies.map(({ key, value }) => `${key}=${value}`);
    return { agent, app, checks, returnTo, cookies };
  };
  const taken = { statement: 1, when: 'before', of: /insert into "authorization_code"/ } as const;

  test('because the database is lost, is 503: the person stays signed in, and the same address works afterwards', async () => {
    const { agent, app, checks, returnTo, cookies } = await approved();
    const before = cookies();
    const { result, broke } = await breakable.during(taken, () => agent.get(returnTo));
    expect(broke).toBe(true);
    expect([result.status, result.headers.location]).toEqual([503, undefined]);
    expect(cookies()).toEqual(before);
    expect((await agent.get('/api/account')).status).toBe(200);
    const { url } = await agent.navigate(returnTo);
    expect(await app.rp.exchange(url, checks)).toMatchObject({ id_token: expect.any(String) });
  });

  test('because it was withdrawn meanwhile, gets the page of an ended interaction: the person stays signed in', async () => {
    const { agent, app, returnTo, cookies } = await approved();
    const before = cookies();
    const withdraw = () =>
      world.db.deleteFrom('authorization_grant').where('client_id', '=', app.clientId).execute();
    const { result, broke } = await breakable.during({ ...taken, meanwhile: withdraw }, () =>
      agent.navigate(returnTo),
    );
    expect(broke).toBe(true);
    expect([result.url.origin, result.answer?.status]).toEqual([world.origin, 410]);
    expect(cookies()).toEqual(before);
    expect((await agent.get('/api/account')).status).toBe(200);
  });
});

const behind = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.nat(4) },
);
const place = fc.option(
  fc.record({ statement: fc.constantFrom(1, 2), when: fc.constantFrom('before', 'after') }),
  { nil: undefined, freq: 3 },
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('honest'), lost: fc.boolean(), place }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refresh'), behind, place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('parallel'),
      behind: fc.array(behind, { minLength: 2, maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('pass'),
      seconds: fc.constantFrom(5, 20, 45, 90, HOUR, 20 * DAY, 50 * DAY),
    }),
  },
);
const history = fc.array(operation, { minLength: 1, maxLength: 30, size: 'max' });

describe('any history of refreshes', () => {
  const appOf = (mode: string): RegisteredApp => {
    const app = apps.get(mode);
    if (!app) throw new Error(`no app for ${mode}`);
    return app;
  };

  test.each(modes)(
    'in mode %s gets the responses and leaves the rows of the model',
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(history, async (steps) => {
          const link = await linkApp(world, agent, appOf(mode));
          const play = createPlay(link, createFamily(mode, Date.now() / 1000), breakable);
          for (const step of steps) await play.play(step);
          await play.end();
        }),
        { numRuns: mode === 'overlap' ? RUNS : RUNS / 2 },
      );
    },
    TIMEOUT,
  );

  /** A history without a thief: old tokens come again only while their successor is unused, or within the grace. */
  test(
    'in mode overlap lost responses, outages, duplicates and pauses end no honest link',
    async () => {
      // The pauses together are shorter than the overlap, even one after another.
      const step = fc.record({
        lost: fc.nat(3),
        place,
        copies: fc.integer({ min: 1, max: 4 }),
        lateCopies: fc.nat(2),
        pause: fc.constantFrom(0, 1, HOUR, 15 * DAY),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }), async (steps) => {
          const link = await linkApp(world, agent, appOf('overlap'));
          let held = link.first;
          const answered = async (): Promise<string> => {
            const answer = await link.requests.refresh(held);
            expect(answer.status, answer.body).toBe(200);
            return answer.json().refresh_token;
          };
          for (const { lost, place: at, copies, lateCopies, pause } of steps) {
            if (at) isOutage((await breakable.during(at, () => link.requests.refresh(held))).result);
            for (let answers = 0; answers < lost; answers += 1) {
              await answered();
              await link.pass(pause);
            }
            const successors = new Set(await Promise.all(Array.from({ length: copies }, answered)));
            expect(successors.size).toBe(1);
            const [next = ''] = successors;
            const late = Array.from({ length: lateCopies }, () => link.requests.refresh(held));
            const previous = held;
            held = next;
            const after = await answered();
            for (const copy of await Promise.all(late)) expect([200, 400]).toContain(copy.status);
            isInvalidGrant(await link.requests.refresh(previous));
            held = after;
            await link.pass(pause);
          }
          expect(await link.isAlive()).toBe(true);
          await answered();
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );
});
