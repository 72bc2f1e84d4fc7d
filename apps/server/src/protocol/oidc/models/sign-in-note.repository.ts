import { type Expression, type SqlBool, sql } from 'kysely';
import type { Param } from '../../../ground/db/statement.ts';
import { insertWhere, json, text, time } from '../storage/columns.ts';
import { defineWrite } from '../storage/write.ts';

interface SignInKey {
  accountId: string;
  brand: string;
  uid: string;
  /** The digest of the pre-session cookie. */
  deviceHash: string;
}

/** Whether the account has had a session in that browser, and the browser has not been made to forget it since. */
const isKnown = (param: Param<Pick<SignInKey, 'accountId' | 'deviceHash'>>): Expression<SqlBool> =>
  sql<SqlBool>`exists (select 1 from device_account
    where device_hash = ${text(param('deviceHash'))} and account_id = ${text(param('accountId'))} and has_signed_in)`;

interface NotedSignIn extends SignInKey {
  id: string;
  /** It is the account's first, right after its registration. */
  isFirst: boolean;
  userAgent: string;
  clientHints: string | null;
  timeZone: string | null;
  detail: string;
}

export const insertSignIn = defineWrite<NotedSignIn>((db, param, guard) =>
  insertWhere(
    db,
    'activity',
    {
      id: text(param('id')),
      account_id: text(param('accountId')),
      kind: sql`case when cast(${param('isFirst')} as boolean) or ${isKnown(param)}
        then 'sign_in' else 'new_browser' end`,
      brand: text(param('brand')),
      session_uid: text(param('uid')),
      device_hash: sql`nullif(${text(param('deviceHash'))}, '')`,
      user_agent: text(param('userAgent')),
      client_hints: json(param('clientHints')),
      time_zone: text(param('timeZone')),
      detail: json(param('detail')),
    },
    guard,
  ),
);

/** Promises a notice where the browser is not known: all parts of the statement see the rows as they were before it. */
export const insertSignInNotice = defineWrite<SignInKey & { id: string; expiresAt: number }>(
  (db, param, guard) =>
    insertWhere(
      db,
      'sign_in_notice',
      {
        activity_id: text(param('id')),
        account_id: text(param('accountId')),
        brand: text(param('brand')),
        session_uid: text(param('uid')),
        device_hash: text(param('deviceHash')),
        expires_at: time(param('expiresAt')),
      },
      sql<SqlBool>`${guard} and not ${isKnown(param)}`,
    ),
);

/** From the session on the browser is known. A sign-in that was begun and left makes no browser known. */
export const rememberBrowser = defineWrite<Pick<SignInKey, 'accountId' | 'deviceHash'>>((db, param, guard) =>
  insertWhere(
    db,
    'device_account',
    {
      device_hash: text(param('deviceHash')),
      account_id: text(param('accountId')),
      last_used_at: sql`now()`,
      has_signed_in: sql`true`,
    },
    guard,
  ).onConflict((conflict) =>
    conflict.columns(['device_hash', 'account_id']).doUpdateSet({ has_signed_in: true }),
  ),
);

interface NotedSignOut extends Omit<SignInKey, 'accountId' | 'deviceHash'> {
  id: string;
  userAgent: string;
  clientHints: string | null;
}

/** Notes the end of a session that the engine ends, in the statement that deletes it; nothing where it is gone. */
export const insertSignOut = defineWrite<NotedSignOut>((db, param) =>
  db
    .insertInto('activity')
    .columns(['id', 'account_id', 'kind', 'brand', 'session_uid', 'user_agent', 'client_hints'])
    .expression(
      sql`select ${text(param('id'))}, account_id, 'session_ended', brand, uid, ${text(param('userAgent'))},
          ${json(param('clientHints'))}
        from session
        where brand = ${param('brand')} and uid = ${param('uid')} and account_id is not null`,
    ),
);
