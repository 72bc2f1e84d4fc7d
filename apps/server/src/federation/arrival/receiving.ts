import { AppError } from '../../ground/errors.ts';
import { findAccountByIdentifier } from '../../person/account/account.repository.ts';
import { parseNickname } from '../../person/account/nickname.ts';
import {
  findFederatedIdentity,
  type OpeningIdentity,
  updateFederatedIdentityUse,
} from '../../person/federated-identity/federated-identity.repository.ts';
import { sealRefreshToken } from '../../person/federated-identity/refresh-token-sealing.ts';
import { emailOf, requireSubject } from '../identity-provider/proven-identity.ts';
import type { ProvenIdentity } from '../identity-provider/provider-kind.ts';
import { type ArrivalOptions, type ArrivalPlace, keepToken, toArrivalKey } from './arrival.ts';
import { providerArrivalRows } from './provider-arrival.repository.ts';

/** Whom a provider proved, where their account is known. */
export interface KnownPerson {
  accountId: string;
  /** The account's session epoch. */
  epoch: number;
  identityId: string;
}

/**
 * Opens the account that a way in leads to.
 * @throws AppError account_disabled
 */
const openBy = async (
  { db, secretKeys, now }: ArrivalOptions,
  found: OpeningIdentity,
  identity: ProvenIdentity,
): Promise<KnownPerson | undefined> => {
  const { id, account_id: accountId, epoch, status } = found;
  if (status === 'disabled') throw new AppError('account_disabled');
  const email = identity.untold ? undefined : (emailOf(identity)?.display ?? null);
  const refresh_token_sealed = sealRefreshToken(secretKeys, identity.refreshToken);
  const isOpen = await updateFederatedIdentityUse(db, { id, email, refresh_token_sealed }, now());
  return isOpen ? { accountId, epoch, identityId: id } : undefined;
};

/**
 * Who came from a provider: the person of an account that this way opens, by provider and subject alone. Anybody else
 * waits as an arrival; an e-mail address of which the provider is the authority says which account they have to prove.
 * @throws AppError account_disabled, provider_failed; provider_unavailable where an address was not told
 */
export const receive = async (
  options: ArrivalOptions,
  place: ArrivalPlace,
  provider: string,
  identity: ProvenIdentity,
): Promise<KnownPerson | undefined> => {
  const { db, now } = options;
  const at = { brand: place.brand.id, provider, subject: requireSubject(identity) };
  const found = await findFederatedIdentity(db, at);
  const known = found && found.closed_at === null ? await openBy(options, found, identity) : undefined;
  if (known) return known;
  // By the address they may have an account, and would get a second one.
  if (identity.untold) throw identity.untold;
  const email = emailOf(identity);
  const isProven = identity.emailProven && email !== undefined;
  const matched = isProven
    ? await findAccountByIdentifier(db, { kind: 'email', value: email.value })
    : undefined;
  await providerArrivalRows.put(
    db,
    {
      ...toArrivalKey(place),
      provider,
      subject: at.subject,
      email: email?.display ?? null,
      email_proven: isProven,
      email_by_code: null,
      name: (identity.name !== undefined && parseNickname(identity.name)) || null,
      account_id: found?.account_id ?? matched?.id ?? null,
      kept_token: keepToken(place, identity.refreshToken),
    },
    now(),
  );
  return undefined;
};
