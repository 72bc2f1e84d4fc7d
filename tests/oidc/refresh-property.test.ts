import { openPglite } from '@candela/server/db/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Break, createBreakable } from '../support/breakable.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';
import { createFamily, type Expected, type Family } from './refresh-family.ts';
import { type Link, linkApp } from './refresh-link.ts';

const RUNS = process.env.FULL ? 400 : 20;
const TIMEOUT = 15 * 60_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** A token is named by how many generations it is behind the newest. */
type Operation =
  | { kind: 'refresh'; behind: number; place?: Break | undefined }
  | { kind: 'parallel'; behind: number[] }
  /** The app refreshes with the newest token of which it got an answer; the answer may be lost. */
  | { kind: 'honest'; lost: boolean; place?: Break | undefined }
  | { kind: 'pass'; seconds: number };

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

const isInvalidGrant = (answer: Answer) =>
  expect([answer.status, answer.json().error], answer.body).toEqual([400, 'invalid_grant']);

const isUnavailable = (answer: Answer) => {
  expect(answer.status, answer.body).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
};

/** Plays a history against the server and the model at once; every answer and every row has to agree. */
const createPlay = (link: Link, family: Family, breakable: ReturnType<typeof createBreakable>) => {
  /** By their place in the family; undefined while no answer told. */
  const tokens: (string | undefined)[] = [link.first];
  let held = 0;
  let offset = 0;
  const now = () => Date.now() / 1000 + offset;

  const pass = async (seconds: number) => {
    await link.pass(seconds);
    offset += seconds;
  };

  /** A token that nobody was told of cannot be presented. */
  const indexOf = (generations: number): number => {
    let index = Math.max(0, family.length - 1 - generations);
    while (tokens[index] === undefined) index -= 1;
    return index;
  };

  const verify = (answer: Answer, expected: Expected) => {
    if (expected.kind !== 'issued') return isInvalidGrant(answer);
    expect(answer.status, answer.body).toBe(200);
    const { refresh_token: token } = answer.json();
    tokens[expected.successor] ??= token;
    expect(token).toBe(tokens[expected.successor]);
    expect(tokens.indexOf(token)).toBe(expected.successor);
  };

  const refresh = async (index: number, at: Break | undefined): Promise<Expected | 'lost'> => {
    const ask = () => link.requests.refresh(tokens[index] ?? '');
    const { result, broke } = at ? await breakable.during(at, ask) : { result: await ask(), broke: false };
    if (broke) {
      isUnavailable(result);
      if (at?.statement === 2 && at.when === 'after') family.present(index, now());
      return 'lost';
    }
    const expected = family.present(index, now());
    verify(result, expected);
    return expected;
  };

  /** Whichever comes first, each answer has to be one that some order of the requests explains. */
  const refreshInParallel = async (indexes: number[]) => {
    const before = indexes.map((index) => family.expected(index, now()));
    const answers = await Promise.all(indexes.map((index) => link.requests.refresh(tokens[index] ?? '')));
    for (const [at, index] of indexes.entries())
      if (before[at]?.kind !== 'theft') family.present(index, now());
    for (const [at, index] of indexes.entries())
      if (before[at]?.kind === 'theft') family.present(index, now());
    for (const [at, answer] of answers.entries()) {
      const first = before[at];
      const last = family.expected(indexes[at] ?? 0, now());
      if (answer.status === 200 && first) verify(answer, first);
      else {
        isInvalidGrant(answer);
        expect([first?.kind, last.kind]).not.toEqual(['issued', 'issued']);
      }
    }
  };

  const settle = async () => {
    while (family.isUnsure(now())) await pass(25);
  };

  const check = async () => {
    const rows = await link.rows();
    expect(await link.isAlive()).toBe(family.isAlive);
    expect(rows).toHaveLength(family.isAlive ? family.length : 0);
    expect(new Set(rows.map((row) => row.predecessor_hash)).size).toBe(rows.length);
  };

  return {
    play: async (step: Operation) => {
      await settle();
      if (step.kind === 'pass') await pass(step.seconds);
      else if (step.kind === 'refresh') await refresh(indexOf(step.behind), step.place);
      else if (step.kind === 'parallel') await refreshInParallel(step.behind.map(indexOf));
      else {
        const outcome = await refresh(held, step.place);
        if (outcome !== 'lost' && outcome.kind === 'issued' && !step.lost) held = outcome.successor;
      }
      await check();
    },

    /** The app asks until it is answered; it gets tokens unless its link was stolen or it waited too long. */
    end: async () => {
      await settle();
      const expected = family.expected(held, now());
      verify(await link.requests.refresh(tokens[held] ?? ''), expected);
      family.present(held, now());
      await check();
    },
  };
};

describe('any history of refreshes', () => {
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

  const appOf = (mode: string): RegisteredApp => {
    const app = apps.get(mode);
    if (!app) throw new Error(`no app for ${mode}`);
    return app;
  };

  test.each(modes)(
    'in mode %s answers as the design says, and leaves the rows that it says',
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

  /** No thief: old tokens come again only while their successor is unused, or within the grace. */
  test(
    'in mode overlap no honest link dies of lost answers, outages, duplicates and pauses',
    async () => {
      // Together shorter than the overlap, even if they all come after one another.
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
            if (at) isUnavailable((await breakable.during(at, () => link.requests.refresh(held))).result);
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
