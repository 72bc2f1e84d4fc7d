import { hostname } from 'node:os';
import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { createEvents } from '../../ground/event/events.ts';
import { createLogger } from '../../ground/logger.ts';
import { every } from '../../ground/loop/every.ts';
import { ensureSealedSalt } from '../../link/pairwise-salt/pairwise-salt.service.ts';
import { admitCookieKeys, loadKeptKeys } from './kept-key.service.ts';
import { createSealing } from './seal-secrets.ts';
import { countSealedByKey, requireSecretKey, sealSecretsAnew } from './secret-key.service.ts';
import { listProcesses, requireKnownFirstKey, startPresence } from './serving-process.service.ts';

const GOOD = 'the good secret key that is long enough';
const NEXT = 'the next secret key that is long enough';
const TYPO = 'the mistyped secret key, long enough too';
const logger = createLogger('silent');

describeOnDatabases('processes that serve', (connection) => {
  beforeEach(async () => {
    for (const table of ['serving_process', 'kept_key', 'pairwise_salt', 'signing_key'] as const)
      await connection.db.deleteFrom(table).execute();
    await ensureSealedSalt({ db: connection.db, secretKeys: [GOOD] });
  });

  const serve = (...secretKeys: string[]) =>
    startPresence({ db: connection.db, secretKeys, logger, version: '1.2.3' });
  const ask = (secretKeys: string[], confirmed = false) =>
    requireKnownFirstKey({ db: connection.db, secretKeys, confirmed });
  const admit = (cookieKeys: string[], secretKeys = [GOOD]) =>
    admitCookieKeys({ db: connection.db, secretKeys, cookieKeys });

  test('nothing is sealed under a key that a serving process does not know, even with --yes', async () => {
    const processes = [await serve(GOOD), await serve(GOOD, NEXT)];
    await expect(ask([TYPO, GOOD], true)).rejects.toThrow(
      /^nothing was sealed anew: the first SECRET_KEY is unknown to 2 of 2 processes/,
    );
    await expect(ask([NEXT, GOOD])).rejects.toThrow('unknown to 1 of 2 processes');
    await processes[0]?.stop();
    await expect(ask([NEXT, GOOD])).resolves.toBeUndefined();
    await processes[1]?.stop();
  });

  test('without a serving process sealing needs a confirmation; with one key it needs none', async () => {
    await expect(ask([NEXT, GOOD])).rejects.toThrow('add --yes');
    await expect(ask([NEXT, GOOD], true)).resolves.toBeUndefined();
    await expect(ask([GOOD])).resolves.toBeUndefined();
  });

  test('a process without a sign of life for minutes counts as dead', async () => {
    const killed = await serve(GOOD);
    await connection.db
      .updateTable('serving_process')
      .set({ seen_at: sql<Date>`now() - interval '4 minutes'` })
      .execute();
    await expect(ask([NEXT, GOOD])).rejects.toThrow('unknown to 1 of 1');
    await connection.db
      .updateTable('serving_process')
      .set({ seen_at: sql<Date>`now() - interval '6 minutes'` })
      .execute();
    const other = await serve(NEXT, GOOD);
    await expect(ask([NEXT, GOOD])).resolves.toBeUndefined();
    expect(await connection.db.selectFrom('serving_process').select('id').execute()).toHaveLength(1);
    await Promise.all([killed.stop(), other.stop()]);
  });

  test('staff see each process with its release and its host, until it is silent for minutes', async () => {
    const serving = await serve(GOOD);
    const [process, ...others] = await listProcesses(connection.db);
    expect(others).toEqual([]);
    expect(process).toMatchObject({ version: '1.2.3', host: hostname(), startedAt: process?.seenAt });
    await serving.stop();
    expect(await listProcesses(connection.db)).toEqual([]);
  });

  test('the hourly work waits for a process that does not know the key, and logs this once', async () => {
    const { db } = connection;
    const secretKeys = [TYPO, GOOD];
    const [healthy, odd] = [await serve(GOOD), await serve(...secretKeys)];
    const told: unknown[] = [];
    let rounds = 0;
    const warn = vi.fn((...line: unknown[]) => told.push(line));
    const events = createEvents(logger);
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        rounds += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const sealing = createSealing({
      db: counted,
      secretKeys,
      logger: { ...logger, warn } as unknown as typeof logger,
      events,
    });
    const work = every(0.01, sealing, { onFailure: (error) => told.push(error) });
    await vi.waitFor(() => expect(rounds).toBeGreaterThan(10), 10_000);
    expect(told).toEqual([[{ alive: 2, unaware: 1 }, expect.stringContaining('nothing is sealed anew')]]);
    await expect(requireSecretKey({ db, secretKeys: [GOOD] })).resolves.toBeUndefined();
    await healthy.stop();
    await vi.waitFor(
      async () => expect((await countSealedByKey({ db, secretKeys })).slice(1)).toEqual([0, 0]),
      10_000,
    );
    await work.stop();
    await odd.stop();
  });

  test('COOKIE_KEYS that share no key with those known are refused by name, and a list with an appended key is accepted', async () => {
    await admit(['a']);
    await expect(admit(['x', 'y'])).rejects.toThrow(/^COOKIE_KEYS holds no key/);
    await admit(['a', 'b']);
    await admit(['b', 'a']);
    await admit(['b']);
    await expect(admit(['x'])).rejects.toThrow(/^COOKIE_KEYS /);
    expect(await loadKeptKeys({ db: connection.db, secretKeys: [GOOD] }, 'cookie keys')).toHaveLength(2);
  });

  test('of two first processes with different COOKIE_KEYS one is refused', async () => {
    const outcomes = await Promise.allSettled([admit(['a']), admit(['x'])]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('a row written with an unknown SECRET_KEY in front locks no process out', async () => {
    await admit(['a'], [TYPO, GOOD]);
    await admit(['a', 'b'], [TYPO, GOOD]);
    await (await serve(TYPO, GOOD)).stop();
    await expect(requireSecretKey({ db: connection.db, secretKeys: [GOOD] })).resolves.toBeUndefined();
    await admit(['b']);
  });

  test('COOKIE_KEYS stay known after the SECRET_KEY is retired', async () => {
    await admit(['a']);
    await sealSecretsAnew({ db: connection.db, secretKeys: [NEXT, GOOD] });
    await admit(['a'], [NEXT]);
    await expect(admit(['x'], [NEXT])).rejects.toThrow(/^COOKIE_KEYS /);
  });
});
