import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { AuthorizationGrantRow } from './grant.table.ts';

/** A link that is to end. */
export type EndingLink = Pick<AuthorizationGrantRow, 'brand' | 'id' | 'account_id' | 'client_id'>;

/** What a person is told of the end of a link. */
type LinkEnd = Pick<AuthorizationGrantRow, 'label' | 'ends_at'>;

/** For how many days before its end a link is told of by now; null: it is early. */
const dueDays = sql<number | null>`case
  when ends_at <= now() + interval '2 days' then 2
  when ends_at <= now() + interval '14 days' then 14 end`;

/** A term that is no longer than that itself began a moment ago: nobody needs to hear of its end. */
const isDue = sql<boolean>`ends_at > now() and ends_at <= now() + interval '14 days' and expires_at > now()
  and has_refresh_token and (end_told_days is null or end_told_days > ${dueDays})
  and ends_at - greatest(authorization_grant.created_at, renewed_at) > make_interval(days => ${dueDays})`;

/**
 * Links of active accounts whose end is near, which their person was not told of, the nearest first and without those
 * of `except`.
 */
export const listEndingLinks = (
  db: Kysely<Database>,
  limit: number,
  except: readonly string[],
): Promise<EndingLink[]> =>
  db
    .selectFrom('authorization_grant')
    .innerJoin('account', 'account.id', 'authorization_grant.account_id')
    .select([
      'authorization_grant.brand',
      'authorization_grant.id',
      'authorization_grant.account_id',
      'authorization_grant.client_id',
    ])
    .where(isDue)
    .where('account.status', '=', 'active')
    .where('account.leaving_at', 'is', null)
    .where(sql<boolean>`authorization_grant.id <> all(cast(${except} as text[]))`)
    .orderBy('ends_at')
    .limit(limit)
    .execute();

/** Takes the link to tell of its end; undefined where another process has, or the link was renewed. */
export const takeEndingLink = (
  trx: Kysely<Database>,
  { brand, id }: EndingLink,
): Promise<LinkEnd | undefined> =>
  trx
    .updateTable('authorization_grant')
    .set({ end_told_days: dueDays })
    .where('brand', '=', brand)
    .where('id', '=', id)
    .where(isDue)
    .returning(['label', 'ends_at'])
    .executeTakeFirst();
