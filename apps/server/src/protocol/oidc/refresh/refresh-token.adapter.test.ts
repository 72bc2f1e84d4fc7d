import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { describeOnDatabases } from '../../../../testing/describe-on-databases.ts';
import { startEngine, type TokenAnswer } from '../../../../testing/engine.ts';
import { createProbe, insertAccount } from '../../../../testing/protocol-store.ts';
import { measureClock } from '../../../ground/db/clock.ts';
import type { Database } from '../../../ground/db/database.ts';
import { hashToken } from '../../../ground/opaque-token.ts';

type Engine = Awaited<ReturnType<typeof startEngine>>;

const DAY = 86_400;
const refused = { status: 400, body: expect.objectContaining({ error: 'invalid_grant' }) };
const postponed = { status: 503, retryAfter: 30 };
const issued = ({ status, body }: TokenAnswer): string => {
  expect(status, JSON.stringify(body)).toBe(200);
  return body.refresh_token ?? '';
};

describeOnDatabases('refresh tokens', (connection) => {
  let db: Kysely<Database>;
  let engine: Engine;
  beforeAll(async () => {
    db = connection.db;
    await insertAccount(db);
    engine = await startEngine(db);
  });
  afterAll(async () => {
    await engine.close();
  });

  let first: string;
  let grantId: string;
  const link = async (at: Engine) => {
    const { code, grantId: id } = await at.issueCode();
    grantId = id;
    first = issued(await at.redeem(code));
  };
  beforeEach(() => link(engine));

  /** Makes all rows of the link `seconds` older. */
  const pass = async (seconds: number) => {
    await sql`update refresh_token set
        created_at = created_at - make_interval(secs => ${seconds}),
        first_used_at = first_used_at - make_interval(secs => ${seconds}),
        expires_at = expires_at - make_interval(secs => ${seconds})
      where grant_id = ${grantId}`.execute(db);
  };
  const rows = () => db.selectFrom('refresh_token').selectAll().where('grant_id', '=', grantId).execute();
  const isAlive = async () =>
    (await db.selectFrom('authorization_grant').select('id').where('id', '=', grantId).execute()).length ===
    1;

  test('a refresh rotates the token, and only the predecessor’s value opens the successor’s', async () => {
    const second = issued(await engine.refresh(first));
    expect(second).not.toBe(first);
    const all = await rows();
    expect(all).toHaveLength(2);
    const successor = all.find((row) => row.id_hash === hashToken(second));
    expect(successor).toMatchObject({ predecessor_hash: hashToken(first), first_used_at: null });
    expect(successor?.sealed_value).not.toContain(second);
    expect(JSON.stringify(all)).not.toContain(first);
  });

  test('until the successor is used, its predecessor returns the same successor, at any time and any number of times', async () => {
    const second = issued(await engine.refresh(first));
    for (const days of [0, 1, 58]) {
      await pass(days * DAY);
      const again = await engine.refresh(first);
      expect(issued(again)).toBe(second);
      expect((await engine.introspect(again.body.access_token ?? '')).body.active).toBe(true);
    }
    expect(await rows()).toHaveLength(2);
  });

  test('parallel refreshes all return one successor', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => engine.refresh(first)));
    expect(new Set(answers.map(issued)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => body.access_token)).size).toBe(20);
    expect(await rows()).toHaveLength(2);
  });

  test('a confidential client’s predecessor is theft 60 days after its successor came', async () => {
    const second = issued(await engine.refresh(first));
    await pass(60 * DAY + 20);
    expect(await engine.refresh(first)).toMatchObject(refused);
    expect(await isAlive()).toBe(false);
    expect(await engine.refresh(second)).toMatchObject(refused);
  });

  test('a public client’s predecessor is theft after 10 minutes', async () => {
    const open = await startEngine(db, { client: { token_endpoint_auth_method: 'none' } });
    try {
      await link(open);
      const second = issued(await open.refresh(first));
      await pass(580);
      expect(issued(await open.refresh(first))).toBe(second);
      await pass(40);
      expect(await open.refresh(first)).toMatchObject(refused);
      expect(await isAlive()).toBe(false);
      expect(await open.refresh(second)).toMatchObject(refused);
    } finally {
      await open.close();
      await startEngine(db).then((confidential) => confidential.close());
    }
  });

  test('a predecessor within 60 s of its successor’s first use is refused, and the family stays valid', async () => {
    const second = issued(await engine.refresh(first));
    const third = issued(await engine.refresh(second));
    await pass(50);
    expect(await engine.refresh(first)).toMatchObject(refused);
    expect(issued(await engine.refresh(second))).toBe(third);
    issued(await engine.refresh(third));
  });

  test('a predecessor used later than that is theft: the whole family ends', async () => {
    const second = issued(await engine.refresh(first));
    const answer = await engine.refresh(second);
    await pass(70);
    expect(await engine.refresh(first)).toMatchObject(refused);
    expect(await isAlive()).toBe(false);
    expect(await rows()).toEqual([]);
    expect(await engine.refresh(issued(answer))).toMatchObject(refused);
    expect((await engine.introspect(answer.body.access_token ?? '')).body).toEqual({ active: false });
  });

  // The embedded database reads the clock of its own process.
  test.skipIf(connection.kind === 'pglite')(
    'DR7: a process whose clock is two minutes off takes no late duplicate for theft, and leaves theft to the others',
    async () => {
      await measureClock(db);
      const withClock = async <T>(ahead: number, work: () => Promise<T>): Promise<T> => {
        vi.useFakeTimers({ now: Date.now() + ahead * 1000, toFake: ['Date'] });
        return work().finally(() => vi.useRealTimers());
      };
      const second = issued(await engine.refresh(first));
      issued(await engine.refresh(second));
      await pass(10);
      expect(await withClock(120, () => engine.refresh(first))).toMatchObject(refused);
      expect(await isAlive()).toBe(true);
      await pass(80);
      expect(await withClock(-120, () => engine.refresh(first))).toMatchObject(postponed);
      expect(await isAlive()).toBe(true);
      expect(await engine.refresh(first)).toMatchObject(refused);
      expect(await isAlive()).toBe(false);

      await link(engine);
      const unused = issued(await engine.refresh(first));
      await pass(60 * DAY - 20);
      expect(issued(await withClock(120, () => engine.refresh(first)))).toBe(unused);
      await pass(40);
      expect(await withClock(-120, () => engine.refresh(first))).toMatchObject(postponed);
      expect(await engine.refresh(first)).toMatchObject(refused);
    },
  );

  test('theft is detected generations later', async () => {
    let token = first;
    for (let generation = 0; generation < 4; generation += 1) token = issued(await engine.refresh(token));
    await pass(3600);
    expect(await engine.refresh(first)).toMatchObject(refused);
    expect(await engine.refresh(token)).toMatchObject(refused);
  });

  test('the time of the first use stays, however often the token is presented again', async () => {
    const second = issued(await engine.refresh(first));
    issued(await engine.refresh(second));
    await pass(30);
    issued(await engine.refresh(second));
    const used = (await rows()).find((row) => row.id_hash === hashToken(second))?.first_used_at;
    expect(Math.round((Date.now() - (used?.getTime() ?? 0)) / 10_000)).toBe(3);
  });

  test('a failing refresh marks no use and issues nothing', async () => {
    const second = issued(await engine.refresh(first));
    const wider = await engine.post('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: second,
      scope: 'openid email',
    });
    expect(wider).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    expect(await rows()).toHaveLength(2);
    await pass(70);
    expect(issued(await engine.refresh(first))).toBe(second);
  });

  test('a link lasts as long as its refresh token, and each refresh extends both', async () => {
    await sql`update authorization_grant set expires_at = now() + interval '1 day' where id = ${grantId}`.execute(
      db,
    );
    issued(await engine.refresh(first));
    const grant = await db
      .selectFrom('authorization_grant')
      .select(['expires_at', 'has_refresh_token'])
      .where('id', '=', grantId)
      .executeTakeFirstOrThrow();
    const newest = Math.max(...(await rows()).map((row) => row.expires_at.getTime()));
    expect(grant.has_refresh_token).toBe(true);
    expect(grant.expires_at.getTime()).toBeGreaterThanOrEqual(newest);
    expect(newest - Date.now()).toBeGreaterThan(399 * DAY * 1000);
  });

  test('revoking the refresh token or its predecessor ends the link; revoking an access token ends only that token', async () => {
    const answer = await engine.refresh(first);
    const second = issued(answer);
    await engine.revoke(answer.body.access_token ?? '');
    expect((await engine.introspect(answer.body.access_token ?? '')).body).toEqual({ active: false });
    issued(await engine.refresh(second));
    await engine.revoke(first);
    expect(await isAlive()).toBe(false);
    expect(await engine.refresh(second)).toMatchObject(refused);
  });

  test('a refresh in flight while its grant is withdrawn leaves nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      await link(engine);
      const refreshes = Array.from({ length: 5 }, () => engine.refresh(first));
      const withdrawn = db.deleteFrom('authorization_grant').where('id', '=', grantId).execute();
      const answers = await Promise.all(refreshes);
      await withdrawn;
      expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
      expect(await rows()).toEqual([]);
      expect(
        await db.selectFrom('access_token').select('id_hash').where('grant_id', '=', grantId).execute(),
      ).toEqual([]);
      expect(await isAlive()).toBe(false);
    }
  });

  test.each(['overlap', 'rotate', 'static'])(
    'a refresh in mode %s is one read and one write',
    async (refresh_mode) => {
      const { probe, db: counted } = createProbe(db);
      const own = await startEngine(counted, { client: { refresh_mode, refresh_family_ttl: DAY } });
      await link(own);
      const second = issued(await own.refresh(first));
      probe.statements = 0;
      const third = issued(await own.refresh(second));
      expect(probe.statements).toBe(2);
      issued(await own.refresh(third, { scope: 'openid offline_access nonsense' }));
      expect(probe.statements, 'a scope that was dropped before').toBe(4);
      await own.close();
    },
  );
});
