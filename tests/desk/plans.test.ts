import { leftToBegin } from '@candela/server/db/waiting-time';
import { openTestDatabase, testDatabaseUrl } from '@candela/server/testing/databases';
import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { type AtDesk, customer, hireStaff } from './staff.ts';

/** Tables of a few rows, of which a scan is the quickest way. */
const SMALL = ['staff', 'staff_record_head', 'agreement_edition'];

/** The server sends signals and messages in the background, whose statements may come between. */
const isOfRequest = (): boolean => Number.isFinite(leftToBegin());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** An expression without the parentheses, which a plan writes otherwise than a definition. */
const bare = (text: string) => text.replaceAll(/[()]/g, '');

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/**
 * What reads a table or an index from end to end, where the planner is told that a scan of a table costs more than
 * anything else. An index serves where its first column is compared.
 */
const scansOf = (plan: Plan, leading: ReadonlyMap<string, string>): string[] =>
  nodesOf(plan).flatMap((node) => {
    const table = node['Relation Name'] ?? '';
    if (node['Node Type'] === 'Seq Scan') return SMALL.includes(table) ? [] : [table];
    const index = node['Index Name'];
    if (index === undefined) return [];
    const column = bare(leading.get(index) ?? index);
    return bare(node['Index Cond'] ?? '').includes(column)
      ? []
      : [`${index}: ${node['Index Cond'] ?? 'all of it'}`];
  });

/** Many others, of which the planner knows: it reads from end to end what it takes for empty. */
const crowd = async ({ db }: World): Promise<void> => {
  const others = sql`generate_series(1, 3000) as n`;
  for (const statement of [
    sql`insert into account (id, nickname, locale, status, created_at, updated_at)
      select 'other' || n, 'other', 'en', 'active', now(), now() from ${others}`,
    sql`insert into account_identifier (account_id, kind, value, display, verified_at)
      select 'other' || n, 'email', n || '@example.com', '', now() from ${others}`,
    sql`insert into session (brand, uid, id_hash, account_id, payload, user_agent, address, locale, expires_at)
      select 'aurelia', 'other' || n, 'other' || n, 'other' || n, '{}', '', '', 'en', now() + interval '1 day'
      from ${others}`,
    sql`insert into activity (id, account_id, kind) select 'other' || n, 'other' || n, 'sign_in' from ${others}`,
    sql`insert into activity_count (activity_id, count) select 'other' || n, 2 from ${others}`,
    sql`insert into activity_dispute (activity_id) select 'other' || n from ${others}`,
    sql`insert into client (id, metadata) select 'other' || n, '{}' from ${others}`,
    sql`insert into authorization_grant
        (brand, id, account_id, client_id, session_uid, scope, payload, user_agent, address, locale, expires_at)
      select 'aurelia', 'other' || n, 'other' || n, 'other' || n % 20, 'other' || n, 'openid', '{}', '', '', 'en',
        now() + interval '1 day'
      from ${others}`,
    sql`insert into sent_message (id, recipient_hash, channel, purpose, state, given_up_at)
      select 'other' || n, 'other' || n, 'email', 'login', 'taken', now() from ${others}`,
    sql`insert into rate_limit (key, hits, expires_at)
      select 'other ' || n, 1, now() + interval '1 day' from ${others}`,
    sql`analyze`,
  ])
    await statement.execute(db);
};

describe.skipIf(!testDatabaseUrl)('the statements of the desk', () => {
  let world: World;
  let support: AtDesk;
  let id: string;
  const nodes: RootOperationNode[] = [];
  const watching: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (isOfRequest()) nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };

  beforeAll(async () => {
    const connection = await openTestDatabase();
    world = await createWorld({ connection: { ...connection, db: connection.db.withPlugin(watching) } });
    support = await hireStaff(world, 'operator');
    id = (await customer(world)).id;
    await crowd(world);
  });
  afterAll(() => world.close());

  /** The scans of each statement since the last call. */
  const scans = async (): Promise<{ text: string; found: string[] }[]> => {
    const { db } = world;
    const seen = nodes.splice(0);
    const compiled = seen.map((node) => db.getExecutor().compileQuery(node, { queryId: 'plan' } as never));
    const { rows: indexes } = await sql<{ name: string; leading: string }>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid, 1, true) as leading
      from pg_index`.execute(db);
    const leading = new Map(indexes.map(({ name, leading: column }) => [name, column]));
    return db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      const found: { text: string; found: string[] }[] = [];
      for (const { sql: text, parameters } of compiled) {
        if (!/^\s*(?:select|insert|update|delete|with)\b/i.test(text)) continue;
        const explained = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]);
        const { rows } = await trx.executeQuery<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained);
        for (const row of rows) found.push({ text, found: scansOf(row['QUERY PLAN'][0].Plan, leading) });
      }
      return found;
    });
  };

  test.each([
    ['a search by e-mail', () => '/api/desk/search?q=ada%40example.com'],
    ['a search by name or reference', () => '/api/desk/search?q=sunrise-alarm-clock'],
    ['the page of an account', () => `/api/desk/accounts/${id}`],
    ['its activity', () => `/api/desk/accounts/${id}/activity?kind=apps`],
    ['its messages', () => `/api/desk/accounts/${id}/messages`],
    ['the record about an account', () => `/api/desk/record?account=${id}`],
    ['the record of a member of staff', () => `/api/desk/record?staff=${support.id}`],
    ['the record of one kind', () => '/api/desk/record?action=search'],
  ])('%s reads no table from end to end', async (_name, pathOf) => {
    nodes.length = 0;
    const answered = await support.agent.get(pathOf());
    expect(answered.status, answered.body).toBe(200);
    const statements = await scans();
    expect(statements.length).toBeGreaterThan(3);
    expect(statements.filter(({ found }) => found.length > 0)).toEqual([]);
  });
});
