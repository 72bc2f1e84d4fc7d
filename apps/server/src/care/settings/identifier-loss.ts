import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { databaseTime } from '../../ground/db/sql-time.ts';
import { AppError } from '../../ground/errors.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { deleteIdentifier } from '../../person/account/account.repository.ts';
import type { AccountIdentifierRow } from '../../person/account/account.table.ts';
import { boundSince } from '../../person/account/bound-since.ts';
import { identifierChangeRows } from '../../person/identifier-change/identifier-change.repository.ts';
import type { IdentifierChangeRow } from '../../person/identifier-change/identifier-change.table.ts';
import { endWaits } from '../../person/recovery-wait/ended-waits.ts';
import { voidProofs } from '../../person/verification/ticket.service.ts';

/** Takes an identifier from its account, with its codes and tickets, and what waits for it. */
export const loseIdentifier = async (trx: Kysely<Database>, old: AccountIdentifierRow): Promise<void> => {
  // Before the row: a request that proves this identifier holds its code or ticket, and wants the row next.
  await voidProofs(trx, [old.value]);
  await deleteIdentifier(trx, old);
  await identifierChangeRows.endOf(trx, old.account_id, { kind: old.kind, done_at: null });
  await endWaits(trx, old.account_id, { only: { kind: old.kind } });
};

/**
 * The times of an identifier that comes back: those that it had. Its age alone is no time of its proof: it may be
 * inherited from an identifier that was imported.
 */
export const timesBefore = (
  { verified_at, bound_at }: Pick<IdentifierChangeRow, 'verified_at' | 'bound_at'>,
  at: Date,
): Pick<AccountIdentifierRow, 'verified_at' | 'bound_since'> => {
  const verified = verified_at ?? at;
  return { verified_at: verified, bound_since: bound_at < verified ? bound_at : null };
};

interface UndoableChange {
  /** The identifier at stake. */
  old: AccountIdentifierRow;
  /** What comes in its place. */
  next?: Pick<Identifier, 'value' | 'display'> | undefined;
  /** The change happens after 72 hours. */
  waits: boolean;
  /** The uid of the session that asked for it. */
  sessionUid?: string;
  /** The id of the brand that sends the notices. */
  brand: string;
  /** The uid of the session that gave the identifier up by a code to it; then nobody gets the link. */
  givenUpIn?: string;
}

/** Who may undo a change, and by what. */
export interface UndoLink {
  /** The value of the identifier at stake: nobody else gets the token. */
  to: string;
  token: string;
}

/** Notes a change that can be undone for 72 hours; answers the parts of the link, of which the hash alone is stored. */
export const noteChange = async (
  trx: Kysely<Database>,
  { old, next, waits, brand, givenUpIn, sessionUid }: UndoableChange,
): Promise<UndoLink> => {
  const token = createOpaqueToken();
  const row = {
    id: randomBytes(16).toString('base64url'),
    account_id: old.account_id,
    kind: old.kind,
    value: old.value,
    display: old.display,
    verified_at: old.verified_at,
    bound_at: boundSince(old),
    new_value: next?.value ?? null,
    new_display: next?.display ?? null,
    brand,
    undo_hash: hashToken(token),
    done_at: waits ? null : databaseTime,
    ...(givenUpIn !== undefined && { given_up_in: givenUpIn }),
    ...(sessionUid !== undefined && { session_uid: sessionUid }),
  };
  await identifierChangeRows.put(trx, row, databaseTime);
  return { to: old.value, token };
};

/** The refusal of a change that the proofs of the session do not open at once. */
export const needsProofOf = ({ kind }: Pick<Identifier, 'kind'>): AppError =>
  new AppError('step_up_required', { fields: { [kind]: 'step_up_required' } });
