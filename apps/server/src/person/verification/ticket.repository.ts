import type { CodePurpose } from '@candela/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { SpentTicketRow } from './spent-ticket.table.ts';
import { type TicketRow, ticketColumns } from './ticket.table.ts';

/** All that a ticket is bound to. */
export interface TicketBinding {
  idHash: string;
  purposes: readonly CodePurpose[];
  identifier: string;
  browserHash: string;
}

export const insertTicket = async (db: Kysely<Database>, row: Omit<TicketRow, 'factor'>): Promise<void> => {
  await db.insertInto('ticket').values(row).execute();
};

/** Finds a ticket without its identifier: the ticket says which identifier was proven. */
export const findTicketOfDevice = async (
  db: Kysely<Database>,
  { idHash, purpose, browserHash }: { idHash: string; purpose: CodePurpose; browserHash: string },
  now: Date,
): Promise<TicketRow | undefined> =>
  db
    .selectFrom('ticket')
    .select(ticketColumns)
    .where('id_hash', '=', idHash)
    .where('purpose', '=', purpose)
    .where('device_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();

export const findTicket = async (
  db: Kysely<Database>,
  { idHash, purposes, identifier, browserHash }: TicketBinding,
  now: Date,
): Promise<TicketRow | undefined> =>
  db
    .selectFrom('ticket')
    .select(ticketColumns)
    .where('id_hash', '=', idHash)
    .where('purpose', 'in', purposes)
    .where('identifier', '=', identifier)
    .where('device_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Notes what was proven beside the identifier. False where the ticket is good no more. */
export const updateTicketFactor = async (
  db: Kysely<Database>,
  { idHash, purpose, browserHash }: { idHash: string; purpose: CodePurpose; browserHash: string },
  { factor, now }: { factor: string; now: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('ticket')
    .set({ factor })
    .where('id_hash', '=', idHash)
    .where('purpose', '=', purpose)
    .where('device_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
};

/** What a ticket opens, and where. */
export interface TicketOpened {
  interactionHash: string;
  accountId: string;
  epoch: number;
}

/** True for the one caller that spends the ticket; the same statement notes what it opens. */
export const deleteTicket = async (
  db: Kysely<Database>,
  { idHash, purposes, identifier, browserHash }: TicketBinding,
  now: Date,
  opened?: TicketOpened,
): Promise<boolean> => {
  const spend = db
    .deleteFrom('ticket')
    .where('id_hash', '=', idHash)
    .where('purpose', 'in', purposes)
    .where('identifier', '=', identifier)
    .where('device_hash', '=', browserHash)
    .where('expires_at', '>', now)
    .returning(ticketColumns);
  if (!opened) return (await spend.executeTakeFirst()) !== undefined;
  const { interactionHash, accountId, epoch } = opened;
  const noted = await db
    .with('spent', () => spend)
    .insertInto('spent_ticket')
    .columns([
      'id_hash',
      'interaction_hash',
      'identifier',
      'device_hash',
      'account_id',
      'epoch',
      'expires_at',
    ])
    .expression((query) =>
      query
        .selectFrom('spent')
        .select([
          'id_hash',
          sql<string>`${interactionHash}::text`.as('interaction_hash'),
          'identifier',
          'device_hash',
          sql<string>`${accountId}::text`.as('account_id'),
          sql<number>`${epoch}::integer`.as('epoch'),
          'expires_at',
        ]),
    )
    .returning('id_hash')
    .executeTakeFirst();
  return noted !== undefined;
};

/** What a ticket has opened in this interaction, on this browser. */
export const findSpentTicket = async (
  db: Kysely<Database>,
  key: Pick<SpentTicketRow, 'id_hash' | 'interaction_hash' | 'identifier' | 'device_hash'>,
  now: Date,
): Promise<Pick<SpentTicketRow, 'account_id' | 'epoch'> | undefined> =>
  db
    .selectFrom('spent_ticket')
    .select(['account_id', 'epoch'])
    .where('id_hash', '=', key.id_hash)
    .where('interaction_hash', '=', key.interaction_hash)
    .where('identifier', '=', key.identifier)
    .where('device_hash', '=', key.device_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst();

export const deleteTicketsOf = async (
  db: Kysely<Database>,
  identifiers: readonly string[],
): Promise<void> => {
  await db.deleteFrom('ticket').where('identifier', 'in', identifiers).execute();
  await db.deleteFrom('spent_ticket').where('identifier', 'in', identifiers).execute();
};
