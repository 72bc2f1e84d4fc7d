import { randomUUID } from 'node:crypto';
import type { Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import { type Identifier, parseIdentifier } from '../../ground/identifier/identifier.ts';
import { addressLimits } from '../../ground/rate-limit/address-limits.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import {
  findAccountByIdentifier,
  insertAccount,
  insertIdentifier,
} from '../../person/account/account.repository.ts';
import { createNickname } from '../../person/account/account.service.ts';
import { createAccountId } from '../../person/account/account.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { type AcceptedAgreement, recordAgreements } from '../../person/agreement/agreement.service.ts';
import { handingBack, proveByTicket } from '../../person/authentication/ticket-proof.ts';
import {
  findFederatedIdentity,
  insertFederatedIdentity,
} from '../../person/federated-identity/federated-identity.repository.ts';
import { spendTicket, type TicketUse } from '../../person/verification/ticket.service.ts';
import {
  type ArrivalOptions,
  type ArrivalPlace,
  requireArrival,
  sealKeptToken,
  toArrivalKey,
} from './arrival.ts';
import { providerArrivalRows } from './provider-arrival.repository.ts';
import type { ProviderArrivalRow } from './provider-arrival.table.ts';
import type { KnownPerson } from './receiving.ts';

export interface RegisterArrival extends ArrivalPlace {
  agreements: readonly AcceptedAgreement[];
  /** A contact, as typed, with exactly one of code and ticket. */
  identifier?: string | undefined;
  code?: string | undefined;
  ticket?: string | undefined;
  /** The IP address. */
  address: string;
  locale: Locale;
  clientId: string;
  facts: RequestFacts;
}

/** Who registered, or was quicker in another browser. `ticket` stands for the code until the interaction is finished. */
export interface RegisteredPerson extends KnownPerson {
  isNew: boolean;
  ticket?: string;
}

const FIRST_EPOCH = 0;
const HOUR = 3600;

interface Making {
  arrival: ProviderArrivalRow;
  contact: Identifier | undefined;
  use: TicketUse | undefined;
  agreements: AcceptedAgreement[];
}

/** The way in belongs to an account already: another browser of the same person was quicker. */
const TAKEN_MEANWHILE = Symbol('taken meanwhile');

/** @throws AppError identifier_taken; answers TAKEN_MEANWHILE by throwing it, so that nothing is made */
const makeAccount = async (
  trx: Kysely<Database>,
  options: ArrivalOptions,
  input: RegisterArrival,
  { arrival, contact, use, agreements }: Making,
): Promise<RegisteredPerson> => {
  const { locale, brand, clientId, facts, interaction } = input;
  const [id, at] = [createAccountId(), options.now()];
  const nickname = arrival.name ?? createNickname(locale, id);
  await insertAccount(trx, { id, nickname, locale, status: 'active', created_at: at, updated_at: at });
  const identity = {
    id: randomUUID(),
    brand: brand.id,
    provider: arrival.provider,
    subject: arrival.subject,
    account_id: id,
    email: arrival.email,
    linked_at: at,
    last_used_at: at,
    closed_at: null,
    refresh_token_sealed: sealKeptToken(options.secretKeys, input, arrival),
  };
  // Waits for another registration of the same subject to end; one of the two finds it taken.
  if (!(await insertFederatedIdentity(trx, identity))) throw TAKEN_MEANWHILE;
  if (contact) {
    const { kind, value, display } = contact;
    const row = { kind, value, display, account_id: id, verified_at: at };
    if (!(await insertIdentifier(trx, row))) throw new AppError('identifier_taken');
  }
  await recordAgreements(trx, { accountId: id, agreements, locale, brand: brand.id, now: at });
  await noteActivity(trx, { accountId: id, kind: 'registered', brand: brand.id, clientId, facts });
  if (use)
    await spendTicket(trx, use, at, { accountId: id, epoch: FIRST_EPOCH, way: 'register', interaction });
  return { accountId: id, epoch: FIRST_EPOCH, identityId: identity.id, isNew: true };
};

/** The account that the subject opens by now. @throws AppError provider_expired where there is none any more */
const findQuicker = async (
  { db }: ArrivalOptions,
  { brand, provider, subject }: ProviderArrivalRow,
): Promise<RegisteredPerson> => {
  const found = await findFederatedIdentity(db, { brand, provider, subject });
  if (!found || found.closed_at) throw new AppError('provider_expired');
  if (found.status === 'disabled') throw new AppError('account_disabled');
  return { accountId: found.account_id, epoch: found.epoch, identityId: found.id, isNew: false };
};

/** Notes that the contact which was proven leads to an account: its person has to prove that one. */
const pointToOwner = async (
  { db, now }: ArrivalOptions,
  place: ArrivalPlace,
  contact: Identifier,
): Promise<void> => {
  const owner = await findAccountByIdentifier(db, contact);
  if (!owner) return;
  const proven = contact.kind === 'email' && { email_by_code: contact.display };
  await providerArrivalRows.change(db, toArrivalKey(place), { account_id: owner.id, ...proven }, now());
};

/**
 * An account by a provider costs no code, and a provider lets one person have many accounts there: an address makes as
 * many as it gets codes. @throws AppError rate_limited
 */
const requireRoom = async (
  trx: Kysely<Database>,
  { limits: { perAddressPerHour: limit }, events, now }: ArrivalOptions,
  { address }: RegisterArrival,
): Promise<void> => {
  if (limit === 0) return;
  const hour = addressLimits('provider.register', address, { limit, windowSeconds: HOUR });
  await requireRateLimits(trx, hour, now(), events);
};

const make = async (
  options: ArrivalOptions,
  input: RegisterArrival,
  making: Making,
): Promise<RegisteredPerson> => {
  try {
    return await transact(options.db, async (trx) => {
      const made = await makeAccount(trx, options, input, making);
      await requireRoom(trx, options, input);
      return made;
    });
  } catch (error) {
    if (error === TAKEN_MEANWHILE) return findQuicker(options, making.arrival);
    if (error instanceof AppError && error.code === 'identifier_taken' && making.contact)
      await pointToOwner(options, input, making.contact);
    throw error;
  }
};

/** The contact that the new account gets: what the provider proved, else what a code proves. */
const contactOf = async (
  options: ArrivalOptions,
  input: RegisterArrival,
  { email, email_proven: isProven }: ProviderArrivalRow,
): Promise<{ contact: Identifier | undefined; use: TicketUse | undefined }> => {
  if (isProven && email !== null) {
    if (input.identifier !== undefined)
      throw new AppError('invalid_request', { fields: { identifier: 'invalid_request' } });
    return { contact: parseIdentifier(email), use: undefined };
  }
  if (input.identifier === undefined) return { contact: undefined, use: undefined };
  const contact = parseIdentifier(input.identifier);
  const proof = { ...input, identifier: input.identifier };
  const { use } = await proveByTicket(options, proof, { purpose: 'register', identifier: contact });
  return { contact, use };
};

/**
 * Makes the account of who came from a provider, or finds the one that they got in another browser meanwhile.
 * @throws AppError provider_expired, agreements_required, invalid_request for a contact beside a proven address, identifier_taken (with the ticket where a code was proven: its
 *   account is to be proven), account_disabled, ticket_invalid, rate_limited, and what `verifyCode` throws
 */
export const registerArrival = async (
  options: ArrivalOptions,
  input: RegisterArrival,
): Promise<RegisteredPerson> => {
  const arrival = await requireArrival(options.db, input, options.now());
  if (arrival.account_id !== null) throw new AppError('identifier_taken');
  const agreements = options.agreements.require(input.agreements, input.brand satisfies Brand);
  const { contact, use } = await contactOf(options, input, arrival);
  const making = { arrival, contact, use, agreements };
  if (!use) return make(options, input, making);
  const made = await handingBack(options, use, () => make(options, input, making));
  return { ...made, ticket: use.ticket };
};
