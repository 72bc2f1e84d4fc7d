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

/** The names that stand in texts of names, each once, but for those in `without`. */
const namesOf = (texts: RawBuilder<unknown>[], without = sql`''`) => sql<string>`coalesce((
  select string_agg(distinct name, ' ')
  from unnest(string_to_array(concat_ws(' ', ${sql.join(texts)}), ' ')) as name
  where name <> '' and name <> all (string_to_array(${without}, ' '))
), '')`;

/**
 * A column of the answer that the row holds; nothing where the app has another name or host since: an answer to another
 * app says nothing of this one.
 */
const before = (column: 'scope' | 'declined') => sql`case
  when coalesce(remembered_consent.client_fingerprint, excluded.client_fingerprint) = excluded.client_fingerprint
  then ${sql.ref(`remembered_consent.${column}`)} end`;

const approvedNames = [before('scope'), sql`excluded.scope`];
const declinedNames = [before('declined'), sql`excluded.declined`];

/** Joins the answer to the one in the row, which another request may have written or withdrawn since it was read. */
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
