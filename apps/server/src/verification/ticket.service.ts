import type { CodePurpose } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../db/database.ts';
import { hashDeviceId } from '../device/device-id.ts';
import { AppError } from '../errors.ts';
import { type Identifier, parseIdentifier } from '../identifier/identifier.ts';
import { createTicket, hashTicket } from './secrets.ts';
import {
  deleteTicket,
  deleteTicketsOf,
  findTicket,
  findTicketOfDevice,
  insertTicket,
  type TicketBinding,
} from './ticket.repository.ts';
import { deleteVerificationCodesOf } from './verification-code.repository.ts';

const TICKET_SECONDS = 600;

/** A code already proven. */
export interface Ticket {
  ticket: string;
  expiresAt: Date;
}

/** What a ticket must have been issued for to be good here. */
export interface TicketUse {
  ticket: string;
  /** Any of these. */
  purposes: readonly CodePurpose[];
  identifier: Identifier;
  device: string;
}

/** Issues a ticket for a code that was right, on the browser that asked for it. */
export const issueTicket = async (
  db: Kysely<Database>,
  { purpose, identifier, deviceHash }: { purpose: CodePurpose; identifier: string; deviceHash: string },
  now: Date,
): Promise<Ticket> => {
  const ticket = createTicket();
  const expiresAt = new Date(now.getTime() + TICKET_SECONDS * 1000);
  await insertTicket(db, {
    id_hash: hashTicket(ticket),
    purpose,
    identifier,
    device_hash: deviceHash,
    created_at: now,
    expires_at: expiresAt,
  });
  return { ticket, expiresAt };
};

const toBinding = ({ ticket, purposes, identifier, device }: TicketUse): TicketBinding => ({
  idHash: hashTicket(ticket),
  purposes,
  identifier: identifier.value,
  deviceHash: hashDeviceId(device),
});

/** The refusal of a ticket that opens nothing here. */
export const ticketInvalid = () => new AppError('ticket_invalid', { fields: { ticket: 'ticket_invalid' } });

/** Whether the ticket is good, without spending it. */
export const isTicketGood = async (db: Kysely<Database>, use: TicketUse, now: Date): Promise<boolean> =>
  (await findTicket(db, toBinding(use), now)) !== undefined;

/**
 * What a ticket of this purpose and browser was issued for.
 * @throws AppError ticket_invalid
 */
export const readTicket = async (
  db: Kysely<Database>,
  { ticket, purpose, device }: { ticket: string; purpose: CodePurpose; device: string },
  now: Date,
): Promise<{ identifier: Identifier; provenAt: Date }> => {
  const binding = { idHash: hashTicket(ticket), purpose, deviceHash: hashDeviceId(device) };
  const row = await findTicketOfDevice(db, binding, now);
  if (!row) throw ticketInvalid();
  return { identifier: parseIdentifier(row.identifier), provenAt: row.created_at };
};

/** @throws AppError ticket_invalid */
export const requireTicket = async (db: Kysely<Database>, use: TicketUse, now: Date): Promise<void> => {
  if (!(await isTicketGood(db, use, now))) throw ticketInvalid();
};

/**
 * Spends the ticket, in the transaction of what it opens.
 * @throws AppError ticket_invalid when another request spent it first
 */
export const spendTicket = async (db: Kysely<Database>, use: TicketUse, now: Date): Promise<void> => {
  if (!(await deleteTicket(db, toBinding(use), now))) throw ticketInvalid();
};

/** Voids what was proven or could still be proven of these identifiers, whatever for and wherever. */
export const voidProofs = async (db: Kysely<Database>, identifiers: readonly string[]): Promise<void> => {
  // A code that is being exchanged right now is waited for, and its ticket then found.
  await deleteVerificationCodesOf(db, identifiers);
  await deleteTicketsOf(db, identifiers);
};
