import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import { type Bound, boundSince } from '../account/bound-since.ts';
import { ADDED_HOURS } from '../addition/addition.repository.ts';
import type { PasswordRow } from '../credential/password.table.ts';
import type { FederatedIdentityRow } from '../federated-identity/federated-identity.table.ts';
import type { PasskeyRow } from '../passkey/passkey.table.ts';
import {
  BY_PASSKEY,
  BY_PASSWORD,
  byProvider,
  type Proof,
  passkeyOf,
  provesFactor,
  provesTyped,
} from './proof.ts';

type HeldPasskey = Pick<PasskeyRow, 'id' | 'created_at'>;

type HeldIdentity = Pick<FederatedIdentityRow, 'id' | 'linked_at'>;

/** What proves an account by now: what left it proves nothing. */
export interface Holdings {
  identifiers: readonly (Bound & { kind: IdentifierKind })[];
  passkeys: readonly HeldPasskey[];
  /** Ways in through identity providers that are open. */
  identities: readonly HeldIdentity[];
  /** Since when the authenticator app is on. */
  factorSince: Date | undefined;
  at: Date;
}

/** What a proof may be asked of: a factor, a code to the identifier of a kind, a passkey, or a sign-in by a provider. */
export type DueProof = 'totp' | IdentifierKind | 'passkey' | 'provider';

const earliest = (dates: readonly Date[]): Date | undefined =>
  dates.reduce<Date | undefined>((first, date) => (first && first <= date ? first : date), undefined);

type Rooted = Pick<Holdings, 'identifiers' | 'identities' | 'at'>;

const isYoung = (added: Date, at: Date): boolean => added.getTime() + ADDED_HOURS * 3_600_000 > at.getTime();

/**
 * The age of the account: that of its oldest identifier. For 72 hours a first identifier does not outrank the way in
 * through a provider that was there before it: nobody else would hear of it.
 */
export const oldestSince = ({ identifiers, identities, at }: Rooted): Date => {
  const contact = earliest(identifiers.map(boundSince));
  if (contact && !isYoung(contact, at)) return contact;
  const roots = identities.map(({ linked_at }) => linked_at);
  return earliest(contact ? [contact, ...roots] : roots) ?? at;
};

/**
 * Since when a passkey, a way in through a provider or an authenticator app counts. Only who proves the oldest of an
 * account adds one. Nobody took it back for 72 hours: then it is as old as what added it.
 */
const keptSince = (added: Date, holdings: Rooted): Date =>
  isYoung(added, holdings.at) ? added : (earliest([added, oldestSince(holdings)]) ?? added);

/** The proofs without those by a passkey that left the account. */
const standing = (proofs: readonly Proof[], { passkeys }: Pick<Holdings, 'passkeys'>): readonly Proof[] => {
  const isGone = proofs.some((proof) => {
    const id = passkeyOf(proof);
    return id !== undefined && !passkeys.some((own) => own.id === id);
  });
  return isGone ? proofs.filter((proof) => proof !== BY_PASSKEY) : proofs;
};

/**
 * The age of the oldest of what was proven; undefined where nothing of it has one. A password has none: it is what an
 * intruder finds out.
 */
const provenSince = (proofs: readonly Proof[], holdings: Holdings): Date | undefined => {
  const { identifiers, passkeys, identities, factorSince } = holdings;
  const keys = proofs.map(passkeyOf);
  return earliest([
    ...identifiers.filter(({ value }) => proofs.includes(value)).map(boundSince),
    ...passkeys.filter(({ id }) => keys.includes(id)).map((own) => keptSince(own.created_at, holdings)),
    ...identities
      .filter(({ id }) => proofs.includes(byProvider(id)))
      .map((own) => keptSince(own.linked_at, holdings)),
    ...(factorSince && provesTyped(proofs) ? [keptSince(factorSince, holdings)] : []),
  ]);
};

/** What a change takes: a proof of the factor, where one is on; a proof of what counts since then, or longer. */
export interface Demand {
  factor?: boolean;
  since?: Date | undefined;
  /** When the ages are compared; absent: now. */
  at?: Date;
}

/** Who may keep others out of the account: whoever proves the factor, where one is on, and the oldest of the account. */
export const ofOwner = (holdings: Holdings): Demand => ({ factor: true, since: oldestSince(holdings) });

export const ofFactor = (holdings: Holdings): Demand =>
  holdings.factorSince ? { factor: true } : { since: oldestSince(holdings) };

export const ofPasskey =
  (id: string) =>
  (holdings: Holdings): Demand => {
    const own = holdings.passkeys.find((passkey) => passkey.id === id);
    return { factor: true, since: own && keptSince(own.created_at, holdings) };
  };

/**
 * For the removal of a way in through an identity provider: what is younger does not remove it.
 * @param linkedAt undefined: nobody comes through it any more
 */
export const ofIdentity =
  (linkedAt: Date | undefined) =>
  (holdings: Holdings): Demand => ({ factor: true, since: linkedAt && keptSince(linkedAt, holdings) });

/**
 * Whether the proofs remove a passkey, or a way in through a provider, that was added then: what is younger does not. The
 * factor is not asked for.
 */
export const mayRemove =
  (proofs: readonly Proof[], holdings: Holdings) =>
  (added: Date): boolean =>
    stillDue(proofs, holdings, { since: keptSince(added, holdings) }).length === 0;

/** Whether no proof among them is by a passkey that left the account. */
export const areHeld = (proofs: readonly Proof[], holdings: Holdings): boolean =>
  standing(proofs, holdings).length === proofs.length;

/**
 * What is younger cannot keep out what is older: which proofs a change still takes, one of them; none where the proofs
 * are enough. The factor is asked for first.
 */
export const stillDue = (
  proofs: readonly Proof[],
  held: Holdings,
  { factor, since, at = held.at }: Demand,
): DueProof[] => {
  const holdings = { ...held, at };
  if (factor && holdings.factorSince && !provesFactor(standing(proofs, holdings))) return ['totp'];
  const proven = provenSince(proofs, holdings);
  if (since === undefined || (proven && proven <= since)) return [];
  const kinds = holdings.identifiers.filter((own) => boundSince(own) <= since).map(({ kind }) => kind);
  const isOld = (added: Date) => keptSince(added, holdings) <= since;
  const passkey = holdings.passkeys.some((own) => isOld(own.created_at));
  const provider = holdings.identities.some((own) => isOld(own.linked_at));
  return [...kinds, ...(passkey ? ['passkey' as const] : []), ...(provider ? ['provider' as const] : [])];
};

/**
 * Whether the proofs stop the recovery that a contact of the account asked for: they were no younger than it when it
 * asked. What is kept while it waits is no older for it.
 */
export const stopsWaitOf =
  (proofs: readonly Proof[], holdings: Holdings) =>
  (contact: Bound, askedAt: Date): boolean => {
    const proven = provenSince(proofs, { ...holdings, at: askedAt });
    return proven !== undefined && proven <= boundSince(contact);
  };

/**
 * What lets an identifier be removed or replaced at once:
 * - `code`: a code to it, or to an older identifier;
 * - `twin`: a proof of something that counts since the same time;
 * - `password`: a password that was set no later, and is not doubted.
 *
 * An intruder comes after the owner, with a phone of their own or a new password: they cannot take an identifier that
 * the owner had bound before.
 */
export const opensChange = (
  proofs: readonly Proof[],
  target: Bound,
  {
    password,
    ...holdings
  }: Holdings & { password: Pick<PasswordRow, 'changed_at' | 'doubted_at'> | undefined },
): 'code' | 'twin' | 'password' | undefined => {
  const since = boundSince(target);
  const proven = holdings.identifiers.filter(({ value }) => proofs.includes(value));
  if (proven.some((one) => one.value === target.value || boundSince(one) < since)) return 'code';
  const oldest = provenSince(proofs, holdings);
  if (oldest && oldest <= since) return 'twin';
  if (!password || !proofs.includes(BY_PASSWORD)) return undefined;
  const passwordSince = Math.max(password.changed_at.getTime(), password.doubted_at?.getTime() ?? 0);
  return passwordSince <= since.getTime() ? 'password' : undefined;
};
