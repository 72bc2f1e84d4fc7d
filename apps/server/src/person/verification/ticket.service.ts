import type { CodePurpose } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { isOutage } from '../../ground/db/outage.ts';
import { AppError } from '../../ground/errors.ts';
import { type Identifier, parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { spendInto, spentTicketRows, ticketRows } from './ticket.repository.ts';
import { verificationCodeRows } from './verification-code.repository.ts';

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
  browserId: string;
}

/** Issues a ticket for a code that was right, on the browser that asked for it. */
export const issueTicket = async (
  db: Kysely<Database>,
  { purpose, identifier, browserHash }: { purpose: CodePurpose; identifier: string; browserHash: string },
  now: Date,
  ticket = createOpaqueToken(),
): Promise<Ticket> => {
  const bound = { id_hash: hashToken(ticket), purpose, identifier, device_hash: browserHash };
  const { expires_at: expiresAt } = await ticketRows.put(db, { ...bound, created_at: now }, now);
  return { ticket, expiresAt };
};

const bindingOf = ({ ticket, purposes, identifier, browserId }: TicketUse) => ({
  id_hash: hashToken(ticket),
  purpose: purposes,
  identifier: identifier.value,
  device_hash: hashToken(browserId),
});

/** The refusal of a ticket that opens nothing here. */
export const ticketInvalid = () => new AppError('ticket_invalid', { fields: { ticket: 'ticket_invalid' } });

/** Whether the ticket is good, without spending it. */
export const isTicketGood = async (db: Kysely<Database>, use: TicketUse, now: Date): Promise<boolean> =>
  (await ticketRows.find(db, bindingOf(use), now)) !== undefined;

/** A ticket, and where it is shown: it is good in the browser and for the purpose that it was issued for. */
interface ShownTicket {
  ticket: string;
  purpose: CodePurpose;
  browserId: string;
}

const placeOf = ({ ticket, purpose, browserId }: ShownTicket) => ({
  id_hash: hashToken(ticket),
  purpose,
  device_hash: hashToken(browserId),
});

/**
 * What a ticket of this purpose and browser was issued for, and what was proven with it since, as `noteFactor` noted it.
 * @throws AppError ticket_invalid
 */
export const readTicket = async (
  db: Kysely<Database>,
  shown: ShownTicket,
  now: Date,
): Promise<{ identifier: Identifier; provenAt: Date; factor: string | null }> => {
  const row = await ticketRows.find(db, placeOf(shown), now);
  if (!row) throw ticketInvalid();
  return { identifier: parseIdentifier(row.identifier), provenAt: row.created_at, factor: row.factor };
};

/**
 * Notes what was proven beside the identifier of a ticket, until the ticket is spent.
 * @throws AppError ticket_invalid
 */
export const noteFactor = async (
  db: Kysely<Database>,
  shown: ShownTicket,
  { factor, now }: { factor: string; now: Date },
): Promise<void> => {
  if (!(await ticketRows.change(db, placeOf(shown), { factor }, now))) throw ticketInvalid();
};

/**
 * Where a ticket opens an account, and by which way: one that signed in registers nobody when it is sent again, since a
 * registration is not asked for a second factor.
 */
export interface TicketPlace {
  way: 'login' | 'register';
  /** Undefined outside an interaction: then it is not found again. */
  interaction: string | undefined;
}

const placeHash = (way: TicketPlace['way'], interaction: string): string =>
  hashToken(`${way} ${interaction}`);

/** What a ticket opens. */
interface Opened {
  accountId: string;
  /** The account's session epoch then. */
  epoch: number;
}

/**
 * Spends the ticket, in the transaction of what it opens. Where `opened` names an interaction, `findOpened` finds it
 * from then on.
 * @throws AppError ticket_invalid when another request spent it first
 */
export const spendTicket = async (
  db: Kysely<Database>,
  use: TicketUse,
  now: Date,
  opened?: Opened & TicketPlace,
): Promise<void> => {
  const noted = opened?.interaction && {
    account_id: opened.accountId,
    epoch: opened.epoch,
    interaction_hash: placeHash(opened.way, opened.interaction),
  };
  const match = bindingOf(use);
  const spent = noted ? await spendInto(db, match, noted, now) : await ticketRows.take(db, match, now);
  if (!spent) throw ticketInvalid();
};

/**
 * What a spent ticket opened by this way, in this interaction and on this browser. A browser that sends it again did not get the
 * answer, and goes on; the interaction itself is finished once.
 */
export const findOpened = async (
  db: Kysely<Database>,
  { ticket, identifier, browserId }: TicketUse,
  { way, interaction }: TicketPlace,
  now: Date,
): Promise<Opened | undefined> => {
  if (interaction === undefined) return undefined;
  const key = {
    id_hash: hashToken(ticket),
    interaction_hash: placeHash(way, interaction),
    identifier: identifier.value,
    device_hash: hashToken(browserId),
  };
  const row = await spentTicketRows.find(db, key, now);
  return row && { accountId: row.account_id, epoch: row.epoch };
};

/** Answers an outage after a right code with the ticket that stands for the code, so that it can be tried again. */
export const keepingTicket = async <T>(ticket: string | undefined, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (ticket === undefined || !isOutage(error)) throw error;
    throw new AppError('unavailable', { ticket, retryAfterSeconds: 2, cause: error });
  }
};

/** Deletes all codes and tickets of these identifiers, for every purpose and browser. */
export const voidProofs = async (db: Kysely<Database>, identifiers: readonly string[]): Promise<void> => {
  // Codes first: a code that is being exchanged is waited for, and its ticket is there afterwards.
  await verificationCodeRows.endOf(db, identifiers);
  await ticketRows.endOf(db, identifiers);
  await spentTicketRows.endOf(db, identifiers);
};
