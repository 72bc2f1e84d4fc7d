import { type Expression, type Kysely, type QueryCreator, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { EndedLinkRow, LinkEndReason } from './signal.table.ts';

/**
 * The statement that keeps what is known of links that ended.
 * @param links what stands behind FROM: the columns of grants that were deleted, of a relation named `link`
 */
export const endedLinksOf = (
  db: QueryCreator<Database>,
  { links, reason }: { links: RawBuilder<unknown>; reason: string | Expression<string> },
) =>
  db
    .insertInto('ended_link')
    .columns(['brand', 'id', 'account_id', 'client_id', 'scope', 'label', 'reason', 'since'])
    .expression(
      sql`
        select link.brand, link.id, link.account_id, link.client_id, link.scope, link.label,
          cast(${reason} as text), link.created_at
        from ${links}`,
    )
    .onConflict((conflict) => conflict.doNothing());

/** A link that is no more: the columns of its grant. */
export type GoneLink = Pick<EndedLinkRow, 'brand' | 'id' | 'account_id' | 'client_id' | 'scope' | 'label'> & {
  created_at: Date;
};

/** Keeps what is known of links whose grants the transaction has deleted. */
export const insertEndedLinks = async (
  trx: Kysely<Database>,
  gone: readonly GoneLink[],
  reason: LinkEndReason,
): Promise<void> => {
  const links = sql`jsonb_to_recordset(cast(${JSON.stringify(gone)} as jsonb)) as link(
    brand text, id text, account_id text, client_id text, scope text, label text, created_at timestamptz)`;
  await endedLinksOf(trx, { links, reason }).execute();
};
