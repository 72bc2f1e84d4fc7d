import { testDatabaseUrl } from '@candela/server/testing/databases';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Link, linkApp } from '../oidc/refresh-link.ts';
import type { Cluster } from '../support/cluster.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { holdWrites } from './held-writes.ts';
import { MEETINGS, RACE_TIMEOUT, skipped } from './rounds.ts';

const HOMES = 3;
const OVERLAP_SECONDS = 60 * 24 * 3600;

/** The actions of one home in a step, parallel to the other homes. */
interface Move {
  /** The number of parallel refreshes, over all processes. */
  copies: number;
  /** Which of the responses arrive; if none arrives, the home asks again. */
  arrives: boolean[];
  /** Duplicates of older requests that arrive only now, `age` generations late. */
  late: number[];
}

/** A process ends while the refresh of one home is between its look-up and its write. */
interface Crash {
  home: number;
  victim: number;
  /** Whether the database still executes the statements that the process had sent. */
  written: boolean;
}

/** A process loses its connection at that point, and continues. */
interface Cut {
  home: number;
}

type Step = { kind: 'moves'; moves: Move[] } | ({ kind: 'crash' } & Crash) | ({ kind: 'cut' } & Cut);

const move: fc.Arbitrary<Move> = fc.record({
  copies: fc.integer({ min: 1, max: 8 }),
  arrives: fc.array(fc.boolean(), { maxLength: 8 }),
  late: fc.array(fc.nat(3), { maxLength: 3 }),
});
const moves = fc.record({
  kind: fc.constant('moves' as const),
  moves: fc.array(move, { minLength: HOMES, maxLength: HOMES }),
});
const cut = fc.record({ kind: fc.constant('cut' as const), home: fc.nat(HOMES - 1) });
const crash = fc.record({
  kind: fc.constant('crash' as const),
  home: fc.nat(HOMES - 1),
  victim: fc.nat(3),
  written: fc.boolean(),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 4, arbitrary: moves }, { weight: 1, arbitrary: cut }),
  { minLength: 1, maxLength: 8, size: 'max' },
);
/** One crash a round, since a process takes a while to start. */
const round: fc.Arbitrary<Step[]> = fc
  .tuple(steps, crash, steps)
  .map(([before, between, after]) => [...before, between, ...after]);

const unless200 = (answer: Answer) => (answer.status === 200 ? undefined : answer);

describe.skipIf(!testDatabaseUrl)(`any interleaving of refreshes at four processes${skipped}`, () => {
  let cluster: Cluster;
  let agent: UserAgent;
  let app: Awaited<ReturnType<Cluster['registerApp']>>;
  beforeAll(async () => {
    cluster = await fourProcesses();
    ({ agent } = await cluster.signUp());
    app = await cluster.registerApp();
  });

  /** An app of one home that keeps the newest refresh token that it received. */
  const createHome = (link: Link) => {
    const known = [link.first];
    /** Successors of the held token that were made but not received, or not stored. */
    let hasSuccessor = false;
    const held = () => known.at(-1) ?? '';

    const countRows = async () =>
      expect(await link.rows()).toHaveLength(known.length + (hasSuccessor ? 1 : 0));

    /** Repeats until it gets a response, which must contain tokens. */
    const refresh = async (): Promise<string> => {
      for (;;) {
        const answer = await link.requests.refresh(held()).catch(() => undefined);
        if (!answer || answer.status === 503) continue;
        expect(unless200(answer)?.body).toBeUndefined();
        hasSuccessor = true;
        return answer.json().refresh_token;
      }
    };

    return {
      link,
      known,
      held,
      refresh,

      /** Records that a refresh was written and its response lost. */
      noteWritten: () => {
        hasSuccessor = true;
      },
      countRows,

      make: async ({ copies, arrives, late }: Move) => {
        // A duplicate of the earlier token, or of an ended one, may be refused within the grace.
        const duplicates = late.map(async (age) => {
          const old = known.at(-2 - age) ?? held();
          const answer = await link.requests.refresh(old);
          // The next user of a cut connection discovers it.
          if (answer.status === 400) expect(answer.json().error).toBe('invalid_grant');
          else expect([200, 503]).toContain(answer.status);
        });
        const answers = await Promise.all(Array.from({ length: copies }, refresh));
        await Promise.all(duplicates);
        const successors = new Set(answers);
        expect(successors.size).toBe(1);
        await countRows();
        if (answers.every((_, index) => !arrives[index])) return;
        known.push(...successors);
        hasSuccessor = false;
      },
    };
  };
  type Home = ReturnType<typeof createHome>;

  const crashDuringRefresh = async (homes: readonly Home[], { home: at, victim, written }: Crash) => {
    const home = homes[at];
    const running = cluster.processes[victim];
    if (!home || !running) throw new Error('no such home or process');
    const held = await holdWrites(cluster.db);
    const { asked, backend } = await held.catchWrite(() =>
      home.link.requests.refresh(home.held(), running.port),
    );
    await running.kill();
    await expect(asked).rejects.toThrow();
    if (!written) await sql`select pg_terminate_backend(${backend})`.execute(cluster.db);
    await held.release(backend);
    if (written) home.noteWritten();
    await home.countRows();
    await home.refresh();
    await home.countRows();
    await cluster.restart(victim);
  };

  const cutDuringRefresh = async (homes: readonly Home[], { home: at }: Cut) => {
    const home = homes[at];
    if (!home) throw new Error('no such home');
    const held = await holdWrites(cluster.db);
    const { asked, backend } = await held.catchWrite(() => home.link.requests.refresh(home.held()));
    await sql`select pg_terminate_backend(${backend})`.execute(cluster.db);
    const answer = await asked;
    expect(answer.status, answer.body).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    await held.release(backend);
    await home.countRows();
  };

  /** After the grace presenting a predecessor is theft; within the grace it is not. */
  const presentAfterUse = async ({ link, known, held, refresh }: Home, isLate: boolean) => {
    known.push(await refresh());
    const newest = await refresh();
    const stolen = known.at(-2) ?? '';
    if (isLate) await link.pass(65);
    expect((await link.requests.refresh(stolen)).json().error).toBe('invalid_grant');
    expect(await link.isAlive()).toBe(!isLate);
    const after = await Promise.all([held(), newest].map((token) => link.requests.refresh(token)));
    // Using the newest token ends the one before, so in parallel they may be refused or answered.
    if (isLate) for (const answer of after) expect(answer.json().error).toBe('invalid_grant');
    else expect(after.at(1)?.status).toBe(200);
  };

  /** A successor that nobody used is the thief's, where its predecessor comes after the overlap. */
  const presentAfterOverlap = async ({ link, held, refresh }: Home) => {
    const kept = await refresh();
    await link.pass(OVERLAP_SECONDS + 5);
    expect((await link.requests.refresh(held())).json().error).toBe('invalid_grant');
    expect(await link.isAlive()).toBe(false);
    expect((await link.requests.refresh(kept)).json().error).toBe('invalid_grant');
  };

  const endings: ((home: Home) => Promise<void>)[] = [
    (home) => presentAfterUse(home, true),
    (home) => presentAfterUse(home, false),
    presentAfterOverlap,
  ];

  test(
    'no honest link ends, each token has one successor, and theft ends the family',
    async () => {
      await fc.assert(
        fc.asyncProperty(round, fc.nat(HOMES - 1), async (steps, first) => {
          const homes: Home[] = [];
          while (homes.length < HOMES) homes.push(createHome(await linkApp(cluster, agent, app)));
          for (const step of steps) {
            if (step.kind === 'crash') await crashDuringRefresh(homes, step);
            else if (step.kind === 'cut') await cutDuringRefresh(homes, step);
            else await Promise.all(homes.map((home, index) => home.make(step.moves[index] as Move)));
          }
          for (const home of homes) await home.refresh();
          for (const [index, home] of homes.entries()) await endings[(index + first) % HOMES]?.(home);
        }),
        // Each round restarts a process, so a counterexample is reported without shrinking.
        { numRuns: MEETINGS, endOnFailure: true },
      );
    },
    RACE_TIMEOUT,
  );
});
