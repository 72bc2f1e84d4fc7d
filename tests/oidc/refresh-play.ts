import { expect } from 'vitest';
import type { Break, createBreakable } from '../support/breakable.ts';
import type { Answer } from '../support/user-agent.ts';
import type { Expected, Family } from './refresh-family.ts';
import type { Link } from './refresh-link.ts';

/** A token is identified by its number of generations behind the newest. */
export type Operation =
  | { kind: 'refresh'; behind: number; place?: Break | undefined }
  | { kind: 'parallel'; behind: number[] }
  /** The app refreshes with the newest token that it received; the response may be lost. */
  | { kind: 'honest'; lost: boolean; place?: Break | undefined }
  | { kind: 'pass'; seconds: number };

export const isInvalidGrant = (answer: Answer) =>
  expect([answer.status, answer.json().error], answer.body).toEqual([400, 'invalid_grant']);

/** A refresh that the server could not answer, and that is repeated. */
export const isOutage = (answer: Answer) => {
  expect(answer.status, answer.body).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(answer.json()).toEqual({ error: 'temporarily_unavailable' });
};

/** Plays a history against the server and the model at once; every response and every row must agree. */
export const createPlay = (link: Link, family: Family, breakable: ReturnType<typeof createBreakable>) => {
  /** Tokens by their index in the family; undefined while no response contained the token. */
  const tokens: (string | undefined)[] = [link.first];
  let held = 0;
  let offset = 0;
  const now = () => Date.now() / 1000 + offset;

  const pass = async (seconds: number) => {
    await link.pass(seconds);
    offset += seconds;
  };

  /** A token that no response contained cannot be presented. */
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
      isOutage(result);
      if (at?.statement === 2 && at.when === 'after') family.present(index, now());
      return 'lost';
    }
    const expected = family.present(index, now());
    verify(result, expected);
    return expected;
  };

  /** In whichever order they are handled, some order of the requests must explain all responses. */
  const refreshInParallel = async (indexes: number[]) => {
    const before = indexes.map((index) => family.expected(index, now()));
    const answers = await Promise.all(indexes.map((index) => link.requests.refresh(tokens[index] ?? '')));
    // A first use of the successor beside it makes a theft a late duplicate, where it is handled first.
    const isTheftFirst = !(await link.isAlive());
    for (const isTurnOfThefts of [isTheftFirst, !isTheftFirst])
      for (const [at, index] of indexes.entries())
        if ((before[at]?.kind === 'theft') === isTurnOfThefts) family.present(index, now());
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

    /** The app repeats until it gets a response: tokens, unless its link was stolen or the token expired. */
    end: async () => {
      await settle();
      const expected = family.expected(held, now());
      verify(await link.requests.refresh(tokens[held] ?? ''), expected);
      family.present(held, now());
      await check();
    },
  };
};
