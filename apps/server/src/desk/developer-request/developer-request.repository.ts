import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import type { DeveloperRequestRow } from './developer-request.table.ts';

const columns = ['account_id', 'why', 'state', 'created_at', 'expires_at'] as const;
/** For how long a request waits for an answer. */
const WAITING_DAYS = 90;
const DAY_MS = 86_400_000;

/** Requests that wait, and those that were refused lately: one of an account. */
export const developerRequestRows = expiringRows({
  table: 'developer_request',
  columns,
  owner: 'account_id',
  endsAt: 'expires_at',
});

/**
 * Stores what the account asks, or writes anew what it asks already; undefined where it was refused lately.
 */
export const upsertRequest = async (
  db: Kysely<Database>,
  { accountId, why }: { accountId: string; why: string },
  now: Date,
): Promise<DeveloperRequestRow | undefined> =>
  db
    .insertInto('developer_request')
    .values({
      account_id: accountId,
      why,
      state: 'waiting',
      created_at: now,
      expires_at: new Date(now.getTime() + WAITING_DAYS * DAY_MS),
    })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({
          why,
          state: 'waiting',
          created_at: (eb) =>
            eb
              .case()
              .when('developer_request.state', '=', 'waiting')
              .then(eb.ref('developer_request.created_at'))
              .else(eb.ref('excluded.created_at'))
              .end(),
          expires_at: (eb) => eb.ref('excluded.expires_at'),
        })
        .where((where) =>
          where.or([
            where('developer_request.state', '=', 'waiting'),
            where('developer_request.expires_at', '<=', now),
          ]),
        ),
    )
    .returning(columns)
    .executeTakeFirst();

/** Requests that wait, the oldest first, without those of accounts that may register clients by now. */
export const listWaitingRequests = (
  db: Kysely<Database>,
  now: Date,
  limit: number,
): Promise<DeveloperRequestRow[]> =>
  db
    .selectFrom('developer_request')
    .select(columns)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .where(
      sql<boolean>`not exists (select from developer where developer.account_id = developer_request.account_id)`,
    )
    .orderBy('created_at')
    .orderBy('account_id')
    .limit(limit)
    .execute();
