import { randomInt } from 'node:crypto';
import { query } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import { createBenchBrowser } from '../browser.ts';
import { expectStatus } from '../http-connection.ts';
import { inBulk, mintPeopleSql } from '../mint.ts';
import { scaled } from '../options.ts';
import { measure, type Prepare } from '../paired.ts';
import type { Row } from '../result.ts';
import { sessionCookies, tokenValue } from '../setting.ts';

const BATCH = 'called';
/** Each looks at no more accounts within an hour than the desk allows. */
const AGENTS = 2_000;
/** Agents who press at the same moment. */
const AT_ONCE = 4;

/** Roles and open desks for the first people of the batch, and something to read about everybody. */
const deskSql = (agents: number): string => `
  insert into staff (account_id, role)
    select distinct account_id, 'operator' from session where uid in
      (select bench.base64url_hash('SessionUid/${BATCH}/' || n) from generate_series(0, ${agents - 1}) as n);
  insert into desk_session (brand, session_uid, account_id, started_at, expires_at)
    select brand, uid, session.account_id, now(), now() + interval '8 hours'
    from session join staff on staff.account_id = session.account_id;
  insert into sent_message (id, recipient_hash, channel, purpose, state, settled_at, given_up_at)
    select gen_random_uuid()::text, bench.base64url_hash(value), 'email', 'login', 'taken', now(), now()
    from account_identifier;
  insert into activity (id, account_id, kind)
    select gen_random_uuid()::text, id, 'sign_in' from account, generate_series(1, 2);
  analyze staff, desk_session, sent_message, activity;`;

/** A search for somebody, and the page of an account, each of a different person and by a different agent. */
export const runDesk = async (bench: Bench): Promise<Row[]> => {
  const { options } = bench;
  const accounts = options.tokens;
  const agents = Math.min(accounts, scaled(options, AGENTS));
  const subject = await bench.another('desk');
  await query(subject.databaseUrl, inBulk(mintPeopleSql(BATCH, { accounts, perAccount: 1 })));
  await query(subject.databaseUrl, deskSql(agents));
  const few = { ...bench, options: { ...options, concurrency: Math.min(AT_ONCE, options.concurrency) } };

  const prepare =
    (pathOf: (account: string) => string): Prepare =>
    async () =>
    async (send) => {
      const browser = createBenchBrowser(send, sessionCookies(BATCH, randomInt(agents)));
      expectStatus(await browser.get(pathOf(tokenValue('Account', BATCH, randomInt(accounts)))), 200);
    };
  const pages: [name: string, pathOf: (account: string) => string][] = [
    ['GET /api/desk/search', (account) => `/api/desk/search?q=${account}%40example.com`],
    ['GET /api/desk/accounts/:id', (account) => `/api/desk/accounts/${account}`],
  ];
  const rows: Row[] = [];
  for (const [name, pathOf] of pages) {
    const candela = await measure(few, subject, prepare(pathOf));
    rows.push({ name: `${name}, ${accounts} accounts`, candela });
  }
  await subject.close();
  return rows;
};
