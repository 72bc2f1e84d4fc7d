import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { Identifier } from '../../ground/identifier/identifier.ts';
import {
  type AccountRecord,
  findAccountByIdentifier,
  listAccounts,
} from '../../person/account/account.repository.ts';
import type { AccountIdentifierRow } from '../../person/account/account.table.ts';
import { boundSince } from '../../person/account/bound-since.ts';
import { ticketInvalid } from '../../person/verification/ticket.service.ts';

/** An identifier that a ticket stands for, and since when. */
export interface RecoveryProof {
  identifier: Identifier;
  provenAt: Date;
  /** What was proven beside it, as a ticket holds it. */
  factor: string | null;
}

/** The account that a proof recovers. */
export interface ProvenOwner extends AccountRecord {
  /** The identifier that was proven. */
  proven: AccountIdentifierRow;
}

/**
 * The account whose identifier was proven.
 * @throws AppError ticket_invalid when the identifier belongs to no account, or to another one since; account_disabled
 */
export const requireOwner = async (
  db: Kysely<Database>,
  { identifier, provenAt }: Omit<RecoveryProof, 'factor'>,
): Promise<ProvenOwner> => {
  const account = await findAccountByIdentifier(db, identifier);
  const [owner] = await listAccounts(db, account ? [account.id] : []);
  const proven = owner?.identifiers.find(
    ({ kind, value }) => kind === identifier.kind && value === identifier.value,
  );
  if (!owner || !proven || proven.verified_at > provenAt) throw ticketInvalid();
  if (owner.account.status === 'disabled') throw new AppError('account_disabled');
  return { ...owner, proven };
};

/** Whether an identifier outranks the proven one: it was bound before, and goes only after 72 hours. */
export const outranks = (other: AccountIdentifierRow, proven: AccountIdentifierRow): boolean =>
  boundSince(proven) > boundSince(other);

/** The identifiers of the account beside the proven one, newest first. */
export const othersThan = (
  proven: AccountIdentifierRow,
  identifiers: readonly AccountIdentifierRow[],
): AccountIdentifierRow[] =>
  identifiers
    .filter((row) => row !== proven)
    .sort((a, b) => boundSince(b).getTime() - boundSince(a).getTime());

/** What a recovery removes with the old password, and who is told. */
export interface Dropping {
  /** What the person does not know. */
  ids: readonly string[];
  contacts: readonly AccountIdentifierRow[];
  brand: Brand;
  /** Whether the person may remove what was added then. */
  mayRemove(added: Date): boolean;
}
