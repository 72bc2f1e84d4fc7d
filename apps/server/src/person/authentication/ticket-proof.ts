import type { Kysely } from 'kysely';
import type { Caller } from '../../ground/browser/caller.ts';
import type { Database } from '../../ground/db/database.ts';
import { isOutage } from '../../ground/db/outage.ts';
import { AppError } from '../../ground/errors.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import {
  findOpened,
  isTicketGood,
  keepingTicket,
  type TicketUse,
  ticketInvalid,
} from '../verification/ticket.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';

export interface TicketProofOptions {
  db: Kysely<Database>;
  verification: Pick<VerificationService, 'verifyCode'>;
  now: () => Date;
}

/** Exactly one of code and ticket. */
export interface TicketProofInput extends Caller {
  /** As typed. */
  identifier: string;
  /** As typed. */
  code?: string | undefined;
  ticket?: string | undefined;
  /** The interaction that this is to finish. In it, a spent ticket that is sent again opens what it opened before. */
  interaction?: string | undefined;
}

/** The account that a person proved to own. */
export interface Authenticated {
  accountId: string;
  /** The account's session epoch before the proof was checked. Where it is another by now, no session is made. */
  epoch: number;
  /** The ticket that stands for the proof until the interaction is finished; absent for a password. */
  ticket?: string;
  /** Whether the second factor was on when the epoch was read; absent where that was not read. */
  hasFactor?: boolean;
}

export interface TicketProof {
  use: TicketUse;
  /** What the ticket has opened before, by the same way and in the same interaction. */
  opened?: Authenticated;
}

/**
 * Exchanges a code for a ticket, or checks the ticket that was sent. The ticket is not spent.
 * @throws AppError ticket_invalid, what `verifyCode` throws, and unavailable with the ticket
 */
export const proveByTicket = async (
  { db, verification, now }: TicketProofOptions,
  input: TicketProofInput,
  { purpose, identifier }: { purpose: 'login' | 'register'; identifier: Identifier },
): Promise<TicketProof> => {
  const { code, browserId, address, interaction } = input;
  const toUse = (ticket: string): TicketUse => ({
    ticket,
    purposes: ['login', 'register'],
    identifier,
    browserId,
  });
  if (input.ticket !== undefined) {
    const use = toUse(input.ticket);
    return keepingTicket(use.ticket, async () => {
      if (await isTicketGood(db, use, now())) return { use };
      const opened = await findOpened(db, use, { way: purpose, interaction }, now());
      if (!opened) throw ticketInvalid();
      return { use, opened };
    });
  }
  if (code === undefined) throw new AppError('invalid_request');
  const { ticket } = await verification.verifyCode({
    identifier: input.identifier,
    code,
    purpose,
    browserId,
    address,
  });
  return { use: toUse(ticket) };
};

/** Does some work with a ticket; a refusal carries the ticket where it is still good. */
export const handingBack = async <T>(
  { db, now }: Pick<TicketProofOptions, 'db' | 'now'>,
  use: TicketUse,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await keepingTicket(use.ticket, work);
  } catch (error) {
    if (!(error instanceof AppError) || error.details.ticket !== undefined) throw error;
    // Where the database does not answer, the ticket is handed back as well: a spent one opens nothing.
    if (!(await isTicketGood(db, use, now()).catch(isOutage))) throw error;
    throw new AppError(error.code, { ...error.details, ticket: use.ticket, cause: error });
  }
};
