import type { LinkToReview, OtherIdentifier } from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import {
  type AccountRecord,
  findAccountByIdentifier,
  listAccounts,
  lockAccount,
} from '../account/account.repository.ts';
import type { AccountIdentifierRow } from '../account/account.table.ts';
import type { PasswordLimits } from '../authentication/password-limits.ts';
import { upsertPassword } from '../credential/password.repository.ts';
import type { PasswordHasher } from '../credential/password-hasher.ts';
import type { PasswordPolicy } from '../credential/password-policy.ts';
import type { Database } from '../db/database.ts';
import { transact } from '../db/transact.ts';
import type { MessageBrand } from '../delivery/code-message.ts';
import type { Delivery, MessageQueue } from '../delivery/message-queue.ts';
import type { Notice } from '../delivery/notice-message.ts';
import { addNotices } from '../delivery/notices.ts';
import { end } from '../ending/end.ts';
import { ends } from '../ending/what-ends-what.ts';
import { AppError } from '../errors.ts';
import type { EventSink } from '../event/events.ts';
import type { GrantService } from '../grant/grant.service.ts';
import { type Identifier, type IdentifierKind, parseIdentifier } from '../identifier/identifier.ts';
import {
  deleteWaitingChanges,
  deleteYoungerLosses,
} from '../identifier-change/identifier-change.repository.ts';
import { hashToken } from '../opaque-token.ts';
import { neighbourhoodOf } from '../rate-limit/address-key.ts';
import { countRecovery } from '../settings/change-limits.ts';
import { loseIdentifier, noteChange } from '../settings/identifier-loss.ts';
import { boundSince } from '../settings/identifier-seniority.ts';
import {
  keepingTicket,
  readTicket,
  spendTicket,
  type Ticket,
  ticketInvalid,
} from '../verification/ticket.service.ts';
import type { VerificationService } from '../verification/verification.service.ts';

export interface RecoveryOptions {
  db: Kysely<Database>;
  verification: VerificationService;
  grants: Pick<GrantService, 'listLinks'>;
  hasher: PasswordHasher;
  passwordLimits: PasswordLimits;
  passwordPolicy: PasswordPolicy;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

interface Caller {
  /** The value of the pre-session cookie. */
  device: string;
  /** The caller's IP address. */
  address: string;
}

interface VerifyRecoveryInput extends Caller {
  /** As typed. */
  identifier: string;
  /** As typed. */
  code: string;
}

interface RecoverPasswordInput extends Caller {
  ticket: string;
  password: string;
  withdrawAuthorizations: boolean;
  /** Kinds of the identifiers that no longer belong to the account. */
  dropIdentifiers: readonly IdentifierKind[];
  brand: MessageBrand & { id: string };
}

/** A new password for who proves to own an identifier of the account. */
export interface RecoveryService {
  /**
   * Exchanges a right code for a ticket, and tells what will stay connected and what else signs in.
   * @throws AppError code_incorrect (also where there is no account), code_expired, code_exhausted,
   *   account_disabled, rate_limited, and those of the identifier
   */
  verify(
    input: VerifyRecoveryInput,
  ): Promise<Ticket & { authorizations: LinkToReview[]; identifiers: OtherIdentifier[] }>;
  /**
   * Sets the password of the account that the ticket names, ends all of its sessions and tells its contacts;
   * other browsers forget it. Identifiers that are dropped go with it, or after 72 hours where they were bound
   * before the one proven; changes that waited are void. The ticket is spent on success only.
   * @throws AppError ticket_invalid, account_disabled, password_*, busy, rate_limited; invalid_request where the identifier
   *   proven is to be dropped
   */
  setPassword(input: RecoverPasswordInput): Promise<void>;
}

interface Proof {
  identifier: Identifier;
  provenAt: Date;
}

/**
 * The account whose identifier was proven.
 * @throws AppError ticket_invalid when the identifier belongs to none, or to another since; account_disabled
 */
const requireOwner = async (
  db: Kysely<Database>,
  { identifier, provenAt }: Proof,
): Promise<AccountRecord> => {
  const account = await findAccountByIdentifier(db, identifier);
  const [owner] = await listAccounts(db, account ? [account.id] : []);
  const proven = owner?.identifiers.find(
    ({ kind, value }) => kind === identifier.kind && value === identifier.value,
  );
  if (!owner || !proven || proven.verified_at > provenAt) throw ticketInvalid();
  if (owner.account.status === 'disabled') throw new AppError('account_disabled');
  return owner;
};

const isYounger = (one: AccountIdentifierRow, than: AccountIdentifierRow) =>
  boundSince(one) > boundSince(than);

/** Newest first. */
const othersThan = (proven: AccountIdentifierRow, identifiers: readonly AccountIdentifierRow[]) =>
  identifiers
    .filter((row) => row !== proven)
    .sort((a, b) => boundSince(b).getTime() - boundSince(a).getTime());

const describeOthers = (
  { value }: Identifier,
  identifiers: readonly AccountIdentifierRow[],
): OtherIdentifier[] => {
  const proven = identifiers.find((row) => row.value === value);
  if (!proven) return [];
  return othersThan(proven, identifiers).map((row) => ({
    kind: row.kind,
    masked: maskIdentifier(row.value),
    boundAt: row.verified_at.toISOString(),
    ...(isYounger(proven, row) && { waits: true }),
  }));
};

export const createRecoveryService = (options: RecoveryOptions): RecoveryService => {
  const { db, verification, grants, hasher, passwordLimits, passwordPolicy, messages, events, now } = options;

  /** Tells a refusal, and passes it on. */
  const refuse = (error: unknown): never => {
    if (error instanceof AppError) events.emit('recovery.refused', { reason: error.code });
    throw error;
  };

  const verify: RecoveryService['verify'] = async (input) => {
    const ticket = await verification.verifyCode({ ...input, purpose: 'recover' });
    return keepingTicket(ticket.ticket, () => describeOwner(input, ticket));
  };

  const describeOwner = async (input: VerifyRecoveryInput, ticket: Ticket) => {
    const identifier = parseIdentifier(input.identifier);
    const account = await findAccountByIdentifier(db, identifier);
    if (account?.status === 'disabled') throw new AppError('account_disabled');
    const [owner] = await listAccounts(db, account ? [account.id] : []);
    if (!owner) return { ...ticket, authorizations: [], identifiers: [] };
    const accountId = owner.account.id;
    const authorizations = await grants.listLinks(accountId);
    events.emit('recovery.started', { accountId, kind: identifier.kind });
    return { ...ticket, authorizations, identifiers: describeOthers(identifier, owner.identifiers) };
  };

  /**
   * Takes from the account what is dropped, and what somebody who came later had ready: changes that wait, and
   * links that bring younger identifiers back.
   */
  const drop = async (
    trx: Kysely<Database>,
    { account, identifiers }: AccountRecord,
    {
      proven,
      kinds,
      brand,
    }: {
      proven: AccountIdentifierRow;
      kinds: readonly IdentifierKind[];
      brand: RecoverPasswordInput['brand'];
    },
  ): Promise<{ dropped: AccountIdentifierRow[]; notices: Delivery[] }> => {
    await deleteWaitingChanges(trx, account.id);
    await deleteYoungerLosses(trx, account.id, boundSince(proven));
    const chosen = othersThan(proven, identifiers).filter(({ kind }) => kinds.includes(kind));
    const notices: Delivery[] = [];
    for (const row of chosen) {
      const waits = isYounger(proven, row);
      if (!waits) await loseIdentifier(trx, row);
      const undo = waits && (await noteChange(trx, { old: row, waits, brand: brand.id }));
      const notice: Notice = {
        notice: waits ? `${row.kind}_unbind_waits` : `${row.kind}_unbound`,
        contact: row,
        ...(undo && { undo }),
        at: now(),
        locale: account.locale,
        brand,
      };
      notices.push(...(await addNotices(trx, messages, identifiers, notice)));
    }
    return { dropped: chosen.filter((row) => !isYounger(proven, row)), notices };
  };

  const setPassword: RecoveryService['setPassword'] = async ({ ticket, password, brand, ...input }) => {
    const { device, address, withdrawAuthorizations, dropIdentifiers: kinds } = input;
    const proof = await readTicket(db, { ticket, purpose: 'recover', device }, now());
    const { identifier } = proof;
    if (kinds.includes(identifier.kind))
      throw new AppError('invalid_request', { fields: { dropIdentifiers: 'invalid_request' } });
    passwordPolicy.check(password, (await requireOwner(db, proof)).identifiers);
    const hash = await hasher.hash(password, neighbourhoodOf(address));

    const at = now();
    const { accountId, ended, dropped, waiting, notices } = await transact(db, async (trx) => {
      // First of all, as whatever else changes the account and voids its tickets.
      await lockAccount(trx, (await requireOwner(trx, proof)).account.id);
      await spendTicket(trx, { ticket, purposes: ['recover'], identifier, device }, at);
      // Once more: the hash took its time, and the identifier may have gone elsewhere.
      const owner = await requireOwner(trx, proof);
      const { account, identifiers } = owner;
      passwordPolicy.check(password, identifiers);
      const proven = identifiers.find(({ value }) => value === identifier.value);
      if (!proven) throw ticketInvalid();
      await countRecovery(trx, account.id, { now: at, events });
      const gone = await drop(trx, owner, { proven, kinds, brand });
      await upsertPassword(trx, { account_id: account.id, hash, changed_at: at });
      const row = { ...ends.passwordRecovered, ...(withdrawAuthorizations && ends.allGrantsWithdrawn) };
      const { sessions } = await end(trx, row, {
        accountId: account.id,
        deviceHash: hashToken(device),
        identifiers: identifiers.map(({ value }) => value),
      });
      const contacts = identifiers.filter((row) => !gone.dropped.includes(row));
      const notice = { notice: 'password_changed' as const, at, locale: account.locale, brand };
      return {
        accountId: account.id,
        ended: sessions.length,
        dropped: gone.dropped,
        waiting: contacts.filter((row) => row !== proven && kinds.includes(row.kind)),
        notices: [...gone.notices, ...(await addNotices(trx, messages, contacts, notice))],
      };
    });

    events.emit('password.recovered', { accountId });
    for (const { kind } of dropped) events.emit('identifier.removed', { accountId, kind });
    for (const { kind } of waiting) events.emit('identifier.change_waits', { accountId, kind });
    if (ended > 0) events.emit('sessions.ended', { accountId, count: ended });
    await passwordLimits.clear({ identifier: proof.identifier.value, accountId, device, address });
    await Promise.all(notices.map((notice) => notice.start()));
  };

  return {
    verify: (input) => verify(input).catch(refuse),
    setPassword: (input) => setPassword(input).catch(refuse),
  };
};
