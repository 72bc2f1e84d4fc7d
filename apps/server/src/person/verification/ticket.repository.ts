import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows, type Match } from '../../ground/db/expiring-rows.ts';
import type { SpentTicketRow } from './spent-ticket.table.ts';
import { ticketColumns } from './ticket.table.ts';

/** Proofs of codes. */
export const ticketRows = expiringRows({
  table: 'ticket',
  columns: ticketColumns,
  owner: 'identifier',
  endsAt: 'expires_at',
  seconds: 600,
});

/** What spent tickets opened. They come by `spendInto`, and end with their ticket. */
export const spentTicketRows = expiringRows({
  table: 'spent_ticket',
  columns: ['id_hash', 'account_id', 'epoch'],
  owner: 'identifier',
  endsAt: 'expires_at',
});

/** Takes a ticket and notes what it opens, in one statement. True for one caller alone. */
export const spendInto = async (
  db: Kysely<Database>,
  match: Match<'ticket'>,
  { interaction_hash, account_id, epoch }: Pick<SpentTicketRow, 'interaction_hash' | 'account_id' | 'epoch'>,
  now: Date,
): Promise<boolean> => {
  const { rows } = await sql`
    with spent as (${ticketRows.taking(match, now)})
    insert into spent_ticket
      (id_hash, interaction_hash, identifier, device_hash, account_id, epoch, expires_at)
    select id_hash, ${interaction_hash}::text, identifier, device_hash, ${account_id}::text, ${epoch}::integer,
      expires_at
    from spent returning id_hash`.execute(db);
  return rows.length > 0;
};
