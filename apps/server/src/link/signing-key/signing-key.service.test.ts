import { type Kysely, sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import type { Database } from '../../ground/db/database.ts';
import { OutageError } from '../../ground/db/outage.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { createLogger } from '../../ground/logger.ts';
import { createBrandProviders } from '../../protocol/oidc/brand-providers.ts';
import { lockSigningKeys } from './signing-key.repository.ts';
import { loadSigningKeys, revokeSigningKey, rotateSigningKeys } from './signing-key.service.ts';

const secret = (name: string) => `${name} secret key that is long enough for it`;

describeOnDatabases('signing keys', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
  });

  const statusOf = async () => {
    const rows = await db.selectFrom('signing_key').select(['kid', 'status']).execute();
    return new Map(rows.map(({ kid, status }) => [kid, status]));
  };
  const kids = (keys: readonly { kid: string }[]) => keys.map(({ kid }) => kid);

  test('parallel first starts make a current and a next key of each algorithm, and all processes load the same keys', async () => {
    const secretKeys = [secret('first')];
    const starts = await Promise.all(Array.from({ length: 8 }, () => loadSigningKeys({ db, secretKeys })));
    const [keys = []] = starts;
    expect(keys.map((key) => [key.alg, key.kty, key.use])).toEqual([
      ['RS256', 'RSA', 'sig'],
      ['ES256', 'EC', 'sig'],
      ['RS256', 'RSA', 'sig'],
      ['ES256', 'EC', 'sig'],
    ]);
    for (const start of starts) expect(kids(start).slice(0, 2)).toEqual(kids(keys).slice(0, 2));
    expect(await loadSigningKeys({ db, secretKeys })).toEqual(keys);
    const rows = await db.selectFrom('signing_key').selectAll().execute();
    expect(rows.map(({ status }) => status).toSorted()).toEqual(['current', 'current', 'next', 'next']);
    for (const key of keys) expect(JSON.stringify(rows)).not.toContain(String(key.d));
  });

  test('another SECRET_KEY does not open them, and a list that has the old key does', async () => {
    const other = secret('another');
    await expect(loadSigningKeys({ db, secretKeys: [other] })).rejects.toThrow(
      /SECRET_KEY does not open the signing key [\w-]+ that is in the database/,
    );
    const keys = await loadSigningKeys({ db, secretKeys: [other, secret('first')] });
    expect(keys).toEqual(await loadSigningKeys({ db, secretKeys: [secret('first')] }));
    await expect(loadSigningKeys({ db, secretKeys: [] })).rejects.toThrow('SECRET_KEY is empty');
  });

  test('rotation: the next keys sign, the current keys stay published behind them, and new next keys follow', async () => {
    const options = { db, secretKeys: [secret('first')] };
    const before = kids(await loadSigningKeys(options));
    expect(await rotateSigningKeys({ ...options, now: new Date() })).toBe(true);
    const after = kids(await loadSigningKeys(options));
    expect(after.slice(0, 2)).toEqual(before.slice(2, 4));
    expect(after.slice(4)).toEqual(before.slice(0, 2));
    expect(before).not.toContain(after[2]);
    const statuses = await statusOf();
    expect(after.map((kid) => statuses.get(kid))).toEqual([
      'current',
      'current',
      'next',
      'next',
      'previous',
      'previous',
    ]);
  });

  test('processes that rotate at once rotate once, and no process rotates before the keys reach the given age', async () => {
    const options = { db, secretKeys: [secret('first')], olderThanMs: 1000 };
    const later = new Date(Date.now() + 60_000);
    const rotations = await Promise.all(
      Array.from({ length: 6 }, () => rotateSigningKeys({ ...options, now: later })),
    );
    expect(rotations.filter(Boolean)).toHaveLength(1);
    expect(await rotateSigningKeys({ ...options, now: later })).toBe(false);
  });

  test('a key stays published after its last signature for as long as a session may last', async () => {
    const options = { db, secretKeys: [secret('first')] };
    const start = Date.now() + 120_000;
    const days = (count: number) => new Date(start + count * 86_400_000);
    const [retiring] = kids(await loadSigningKeys(options));
    await rotateSigningKeys({ ...options, now: days(0) });
    await rotateSigningKeys({ ...options, now: days(89) });
    expect(kids(await loadSigningKeys(options))).toContain(retiring);
    await rotateSigningKeys({ ...options, now: days(91) });
    expect(kids(await loadSigningKeys(options))).not.toContain(retiring);
  });

  test('a key that does not sign is revoked at once, and a signing key is not', async () => {
    const options = { db, secretKeys: [secret('first')] };
    const [current = '', , next = '', , previous = ''] = kids(await loadSigningKeys(options));
    expect(await revokeSigningKey(options, current)).toBe(false);
    expect(await revokeSigningKey(options, next)).toBe(true);
    expect(await revokeSigningKey(options, previous)).toBe(true);
    expect(await revokeSigningKey(options, previous)).toBe(false);
    const left = kids(await loadSigningKeys(options));
    expect(left).toContain(current);
    expect(left).not.toContain(next);
    expect(left).not.toContain(previous);
    expect([...(await statusOf()).values()].filter((status) => status === 'next')).toHaveLength(2);
  });

  test.skipIf(connection.kind === 'pglite')('a key is revoked before a rotation or after it', async () => {
    const options = { db, secretKeys: [secret('first')] };
    const [, , next = ''] = kids(await loadSigningKeys(options));
    const revoking = await inTransaction(db, async (trx) => {
      await lockSigningKeys(trx);
      const revoked = revokeSigningKey(options, next);
      const waiting = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await vi.waitUntil(async () => (await waiting.execute(db)).rows.length > 0, { timeout: 10_000 });
      expect((await statusOf()).get(next)).toBe('next');
      return { revoked };
    });
    expect(await revoking.revoked).toBe(true);
  });

  test('rotation and revocation seal under the key in use, even behind an unknown key', async () => {
    const known = { db, secretKeys: [secret('first')] };
    const mistaken = { db, secretKeys: [secret('unknown'), secret('first')] };
    const now = new Date(Date.now() + 200 * 86_400_000);
    expect(await rotateSigningKeys({ ...mistaken, now })).toBe(true);
    const rotated = await loadSigningKeys(known);
    expect(await revokeSigningKey(mistaken, rotated[2]?.kid ?? '')).toBe(true);
    const left = await loadSigningKeys(known);
    expect(kids(left)).not.toContain(rotated[2]?.kid);
  });

  test('a process without a change feed signs with keys that are at most a second old', async () => {
    const options = { db, secretKeys: [secret('first')] };
    const { providers, close } = await createBrandProviders({
      ...options,
      brands: [{ id: 'aurelia' }] as never,
      changes: { on: () => undefined, isLive: () => false },
      logger: createLogger('silent'),
      createProvider: (_brand, keys) => ({ signsWith: kids(keys)[0] }) as never,
    });
    const before = providers.get('aurelia');
    const now = new Date(Date.now() + 365 * 86_400_000);
    expect(await rotateSigningKeys({ ...options, now })).toBe(true);
    const [current] = kids(await loadSigningKeys(options));
    await vi.waitUntil(() => providers.get('aurelia') !== before, { timeout: 60_000 });
    expect(providers.get('aurelia')).toEqual({ signsWith: current });
    await close();
  });

  test('an outage is told once, as one that passes by itself, and again only after the keys were read', async () => {
    const told: string[] = [];
    const note = (level: string) => (_: object, text: string) => void told.push(`${level}: ${text}`);
    let isAway = false;
    let tries = 0;
    const broken = new Proxy(db, {
      get: (target, name) => {
        if (name === 'selectFrom' && isAway) {
          tries += 1;
          throw new OutageError('the database is away');
        }
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    let reload = (): void => undefined;
    let made = 0;
    const secretKeys = [secret('first')];
    const { close } = await createBrandProviders({
      db: broken,
      secretKeys,
      brands: [{ id: 'aurelia' }] as never,
      changes: {
        on: (_, listener) => {
          reload = () => listener(undefined);
        },
        isLive: () => true,
      },
      logger: { warn: note('warn'), error: note('error') } as never,
      createProvider: () => {
        made += 1;
        return {} as never;
      },
    });
    for (const outage of [1, 2]) {
      const [triesBefore, madeBefore] = [tries, made];
      isAway = true;
      reload();
      await vi.waitUntil(() => tries > triesBefore + 1, { timeout: 10_000 });
      expect(told).toHaveLength(outage);
      await rotateSigningKeys({ db, secretKeys, now: new Date(Date.now() + (500 + outage) * 86_400_000) });
      isAway = false;
      await vi.waitUntil(() => made > madeBefore, { timeout: 10_000 });
    }
    expect(told).toEqual(
      Array(2).fill('warn: the signing keys are not read anew while the database is away'),
    );
    await close();
  });
});
