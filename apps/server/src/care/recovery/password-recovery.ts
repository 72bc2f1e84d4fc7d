import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Caller } from '../../ground/browser/caller.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { neighbourhoodOf } from '../../ground/rate-limit/address-key.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import { insertWithdrawals } from '../../link/ending/withdrawals.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import { contactDetail } from '../../person/activity/contact-detail.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { PasswordLimits } from '../../person/authentication/password-limits.ts';
import { upsertPassword } from '../../person/credential/password.repository.ts';
import type { PasswordHasher } from '../../person/credential/password-hasher.ts';
import type { PasswordPolicy } from '../../person/credential/password-policy.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import { identifierChanged } from '../../person/signal/told.ts';
import { readTicket, spendTicket } from '../../person/verification/ticket.service.ts';
import { countRecovery } from '../settings/change-limits.ts';
import { type DropOptions, dropIdentifiers } from './identifier-dropping.ts';
import { dropIdentities, type IdentityDropOptions } from './identity-dropping.ts';
import { dropPasskeys } from './passkey-dropping.ts';
import { type RecoveryProof, requireOwner } from './proven-owner.ts';
import {
  countRecoveryFactor,
  noteWrongFactor,
  type RecoveryFactor,
  type RecoveryFactorOptions,
  type SentFactor,
  spendRecoveryFactor,
} from './recovery-factor.ts';

export interface PasswordRecoveryOptions extends DropOptions, IdentityDropOptions, RecoveryFactorOptions {
  db: Kysely<Database>;
  hasher: PasswordHasher;
  passwordLimits: PasswordLimits;
  passwordPolicy: PasswordPolicy;
  events: EventSink;
}

export interface RecoverPasswordInput extends Caller {
  ticket: string;
  password: string;
  withdrawAuthorizations: boolean;
  /** Kinds of the identifiers that no longer belong to the account. */
  dropIdentifiers: readonly IdentifierKind[];
  /** Ids of the passkeys that do not belong to the person. */
  dropPasskeys: readonly string[];
  /** Ids of the ways in through identity providers that do not belong to the person. */
  dropProviders: readonly string[];
  /** The second factor, where the account has one, the ticket holds none and no wait is due. */
  factor: SentFactor;
  brand: Brand;
  facts?: RequestFacts | undefined;
}

/** Spends the ticket, sets the password, and ends what the old one may have opened. */
const setInTransaction = async (
  trx: Kysely<Database>,
  options: PasswordRecoveryOptions,
  input: RecoverPasswordInput,
  { proof, factor, hash, at }: { proof: RecoveryProof; factor: RecoveryFactor; hash: string; at: Date },
) => {
  const { passwordPolicy, messages, events } = options;
  const { ticket, password, browserId, brand, facts, withdrawAuthorizations, dropIdentifiers: kinds } = input;
  // The account first, in the order of locks of `end`; then its factor and its tickets.
  await lockAccount(trx, (await requireOwner(trx, proof)).account.id);
  const recovered = await requireOwner(trx, proof);
  const passed = await spendRecoveryFactor(trx, options, { owner: recovered, factor, brand });
  await spendTicket(trx, { ticket, purposes: ['recover'], identifier: proof.identifier, browserId }, at);
  // Once more: the hash took its time, and the identifier may have gone elsewhere.
  const owner = await requireOwner(trx, proof);
  const { account, identifiers } = owner;
  passwordPolicy.check(password, identifiers);
  await countRecovery(trx, account.id, { now: at, events });
  const dropped = await dropIdentifiers(trx, options, owner, { kinds, brand });
  const by = { accountId: account.id, brand: brand.id, facts };
  if (passed.ends) await noteActivity(trx, { ...by, kind: 'totp_removed' });
  await noteActivity(trx, { ...by, kind: 'password_recovered' });
  for (const row of dropped.gone)
    await noteActivity(trx, {
      ...by,
      kind: 'identifier_removed',
      detail: contactDetail(row),
      tells: [identifierChanged({ kind: row.kind })],
    });
  for (const row of dropped.waiting)
    await noteActivity(trx, { ...by, kind: 'identifier_change_waits', detail: contactDetail(row) });
  await upsertPassword(trx, { account_id: account.id, hash, changed_at: at });
  const row = { ...ends.passwordRecovered, ...(withdrawAuthorizations && ends.allGrantsWithdrawn) };
  const { sessions, grants } = await end(trx, row, {
    accountId: account.id,
    browserHash: hashToken(browserId),
    identifiers: identifiers.map(({ value }) => value),
  });
  await insertWithdrawals(trx, by, grants);
  const contacts = identifiers.filter((one) => !dropped.gone.includes(one));
  const dropping = { contacts, brand, mayRemove: passed.mayRemove };
  const passkeys = await dropPasskeys(trx, options, owner, { ids: input.dropPasskeys, ...dropping });
  const identities = await dropIdentities(trx, options, owner, { ids: input.dropProviders, ...dropping });
  const told = { at, locale: account.locale, brand };
  const notices = await addNotices(trx, messages, contacts, { notice: 'password_changed', ...told });
  if (passed.ends)
    notices.push(...(await addNotices(trx, messages, contacts, { notice: 'totp_removed', ...told })));
  return {
    accountId: account.id,
    passed,
    ended: sessions.length,
    gone: dropped.gone,
    passkeys: passkeys.dropped,
    providers: identities.dropped,
    waiting: contacts.filter((one) => dropped.waiting.includes(one)),
    notices: [...passed.stopped, ...dropped.notices, ...passkeys.notices, ...identities.notices, ...notices],
  };
};

/**
 * Sets the password of the account that a ticket names; see `RecoveryService.setPassword`.
 * @throws AppError ticket_invalid, account_disabled, password_*, second_factor_required, totp_incorrect,
 *   recovery_code_incorrect, busy, rate_limited, invalid_request
 */
export const recoverPassword = async (
  options: PasswordRecoveryOptions,
  input: RecoverPasswordInput,
): Promise<void> => {
  const { db, hasher, passwordLimits, passwordPolicy, events, now } = options;
  const { ticket, password, browserId, address } = input;
  const proof = await readTicket(db, { ticket, purpose: 'recover', browserId }, now());
  const { kind, value: identifier } = proof.identifier;
  if (input.dropIdentifiers.includes(kind))
    throw new AppError('invalid_request', { fields: { dropIdentifiers: 'invalid_request' } });
  const owner = await requireOwner(db, proof);
  passwordPolicy.check(password, owner.identifiers);
  const factor = await countRecoveryFactor(options, owner, input.factor, {
    browserId,
    address,
    brand: input.brand,
    factor: proof.factor,
  });
  const hash = await hasher.hash(password, neighbourhoodOf(address));

  const at = now();
  const { accountId, passed, ended, gone, passkeys, providers, waiting, notices } = await transact(
    db,
    (trx) => setInTransaction(trx, options, input, { proof, factor, hash, at }),
  ).catch((error) => {
    noteWrongFactor(options, input, proof, error);
    throw error;
  });

  events.emit('password.recovered', { accountId });
  if (passed.ends) events.emit('second_factor.removed', { accountId });
  if (passed.spent) await options.secondFactors.settle(passed.spent);
  for (let one = 0; one < passkeys; one += 1)
    events.emit('passkey.removed', { accountId, brand: input.brand.id });
  for (const provider of providers)
    events.emit('provider.unlinked', { accountId, brand: input.brand.id, provider });
  for (const one of gone) events.emit('identifier.removed', { accountId, kind: one.kind });
  for (const one of waiting) events.emit('identifier.change_waits', { accountId, kind: one.kind });
  if (ended > 0) events.emit('sessions.ended', { accountId, count: ended });
  await passwordLimits.clear({ identifier, accountId, browserId, address });
  await Promise.all(notices.map((notice) => notice.start()));
};
