import { type RawBuilder, sql } from 'kysely';
import { insertWhere, text } from '../storage/columns.ts';
import { defineWrite } from '../storage/write.ts';

interface ConsentValues {
  brand: string;
  accountId: string;
  clientId: string;
  scope: string;
  declined: string;
  fingerprint: string;
}

/** Joins texts of space-separated names: each name once, without the names of `without`. */
const namesOf = (texts: RawBuilder<unknown>[], without = sql`''`) => sql<string>`coalesce((
  select string_agg(distinct name, ' ')
  from unnest(string_to_array(concat_ws(' ', ${sql.join(texts)}), ' ')) as name
  where name <> '' and name <> all (string_to_array(${without}, ' '))
), '')`;

/**
 * A column of the answer in the row. It counts as empty if the app has changed its name or host since: the person
 * answered another app.
 */
const before = (column: 'scope' | 'declined') => sql`case
  when coalesce(remembered_consent.client_fingerprint, excluded.client_fingerprint) = excluded.client_fingerprint
  then ${sql.ref(`remembered_consent.${column}`)} end`;

const approvedNames = [before('scope'), sql`excluded.scope`];
const declinedNames = [before('declined'), sql`excluded.declined`];

/** Joins the answer to the answer in the row: another request may have changed or deleted the row since it was read. */
export const rememberConsent = defineWrite<ConsentValues>((db, param, guard) =>
  insertWhere(
    db,
    'remembered_consent',
    {
      brand: text(param('brand')),
      account_id: text(param('accountId')),
      client_id: text(param('clientId')),
      scope: text(param('scope')),
      declined: text(param('declined')),
      client_fingerprint: text(param('fingerprint')),
    },
    guard,
  ).onConflict((conflict) =>
    conflict.columns(['brand', 'account_id', 'client_id']).doUpdateSet({
      scope: namesOf(approvedNames),
      declined: namesOf(declinedNames, sql`concat_ws(' ', ${sql.join(approvedNames)})`),
      client_fingerprint: sql`excluded.client_fingerprint`,
      updated_at: sql`now()`,
    }),
  ),
);
