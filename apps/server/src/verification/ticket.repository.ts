import type { CodePurpose } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { type TicketRow, ticketColumns } from './ticket.table.ts';

/** All that a ticket is bound to. */
export interface TicketBinding {
  idHash: string;
  purposes: readonly CodePurpose[];
  identifier: string;
  deviceHash: string;
}

export const insertTicket = async (db: Kysely<Database>, row: TicketRow): Promise<void> => {
  await db.insertInto('ticket').values(row).execute();
};

/** By all but the identifier: the ticket says which one was proven. */
export const findTicketOfDevice = async (
  db: Kysely<Database>,
  { idHash, purpose, deviceHash }: { idHash: string; purpose: CodePurpose; deviceHash: string },
  now: Date,
): Promise<TicketRow | undefined> =>
  db
    .selectFrom('ticket')
    .select(ticketColumns)
    .where('id_hash', '=', idHash)
    .where('purpose', '=', purpose)
    .where('device_hash', '=', deviceHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();

export const findTicket = async (
  db: Kysely<Database>,
  { idHash, purposes, identifier, deviceHash }: TicketBinding,
  now: Date,
): Promise<TicketRow | undefined> =>
  db
    .selectFrom('ticket')
    .select(ticketColumns)
    .where('id_hash', '=', idHash)
    .where('purpose', 'in', purposes)
    .where('identifier', '=', identifier)
    .where('device_hash', '=', deviceHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** True for the one caller that spends it. */
export const deleteTicket = async (
  db: Kysely<Database>,
  { idHash, purposes, identifier, deviceHash }: TicketBinding,
  now: Date,
): Promise<boolean> => {
  const deleted = await db
    .deleteFrom('ticket')
    .where('id_hash', '=', idHash)
    .where('purpose', 'in', purposes)
    .where('identifier', '=', identifier)
    .where('device_hash', '=', deviceHash)
    .where('expires_at', '>', now)
    .returning('id_hash')
    .executeTakeFirst();
  return deleted !== undefined;
};

export const deleteTicketsOf = async (
  db: Kysely<Database>,
  identifiers: readonly string[],
): Promise<void> => {
  await db.deleteFrom('ticket').where('identifier', 'in', identifiers).execute();
};
