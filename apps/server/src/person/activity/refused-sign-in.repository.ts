import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { createActivityId } from './activity-id.ts';

/** Refused sign-ins of one identifier in one hour and slot, or of the account whose id is `value` where `kind` is `account`. */
export interface FoldedRefusal {
  kind: string;
  value: string;
  fold: string;
  brand: string;
  userAgent: string;
  /** As JSON. */
  clientHints: string | null;
  timeZone: string | null;
  /** As JSON. */
  detail: string;
  count: number;
}

/**
 * Adds refusals to the accounts that have these identifiers; those of no account are dropped here, after their
 * answer. Rows are written in one order, so that processes wait for each other in it.
 */
export const insertRefusals = async (
  db: Kysely<Database>,
  refusals: readonly FoldedRefusal[],
): Promise<void> => {
  const rows = JSON.stringify(refusals.map((refusal) => ({ ...refusal, id: createActivityId() })));
  const added = sql`
    (select account.id as account_id, each.* from jsonb_to_recordset(${rows}::jsonb) as each(
      id text, kind text, value text, fold text, brand text, "userAgent" text, "clientHints" text,
      "timeZone" text, detail text, count integer)
    left join account_identifier as bound on bound.kind = each.kind and bound.value = each.value
    join account on account.id = case each.kind when 'account' then each.value else bound.account_id end) as added`;
  await inTransaction(db, async (trx) => {
    await sql`
      insert into activity (
        id, account_id, kind, brand, user_agent, client_hints, time_zone, fold, detail)
      select id, account_id, 'sign_in_refused', nullif(brand, ''), "userAgent", cast("clientHints" as jsonb),
        "timeZone", fold, cast(detail as jsonb)
      from ${added} order by account_id, fold
      on conflict (account_id, fold) where fold is not null do nothing`.execute(trx);
    await sql`
      insert into activity_count (activity_id, count)
      select activity.id, sum(added.count)
      from ${added} join activity on activity.account_id = added.account_id and activity.fold = added.fold
      group by activity.id order by activity.id
      on conflict (activity_id) do update set count = activity_count.count + excluded.count`.execute(trx);
  });
};
