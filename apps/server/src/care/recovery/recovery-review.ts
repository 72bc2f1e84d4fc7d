import type {
  LinkToReview,
  OtherIdentifier,
  Passkey,
  PasskeyToReview,
  ProviderToReview,
} from '@candela/contract';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { ProviderDirectory } from '../../federation/directory/provider-directory.ts';
import type { Caller } from '../../ground/browser/caller.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { GrantService } from '../../link/grant/grant.service.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import { listFederatedIdentities } from '../../person/federated-identity/federated-identity.repository.ts';
import { listPasskeys } from '../../person/passkey/passkey.repository.ts';
import { toPasskey } from '../../person/passkey/passkey.ts';
import { readHoldings } from '../../person/step-up/holdings.ts';
import { joinProofs, type Proof } from '../../person/step-up/proof.ts';
import { mayRemove } from '../../person/step-up/seniority.ts';
import { noteFactor, readTicket } from '../../person/verification/ticket.service.ts';
import { othersThan, outranks, type ProvenOwner, requireOwner } from './proven-owner.ts';
import {
  countRecoveryFactor,
  noteWrongFactor,
  proofsOf,
  type RecoveryFactorOptions,
  type SentFactor,
} from './recovery-factor.ts';

/** What the person looks at before the new password, and may have removed with it. */
export interface RecoveryReview {
  /** What stays connected. */
  authorizations: LinkToReview[];
  /** What else signs in, newest first. */
  identifiers: OtherIdentifier[];
  /** The passkeys of the account, newest first. */
  passkeys: PasskeyToReview[];
  /** The ways in through identity providers, newest first; absent where there is none. */
  providers?: ProviderToReview[];
}

export const emptyReview: RecoveryReview = { authorizations: [], identifiers: [], passkeys: [] };

export interface RecoveryReviewOptions {
  db: Kysely<Database>;
  grants: Pick<GrantService, 'listLinks'>;
  directory: Pick<ProviderDirectory, 'nameOf' | 'isEmpty'>;
  now: () => Date;
}

const describeOthers = ({ proven, identifiers }: ProvenOwner): OtherIdentifier[] =>
  othersThan(proven, identifiers).map((row) => ({
    kind: row.kind,
    masked: maskIdentifier(row.value),
    boundAt: row.verified_at.toISOString(),
    ...(outranks(row, proven) && { waits: true }),
  }));

const toReview = ({ id, name, provider, createdAt }: Passkey): PasskeyToReview => ({
  id,
  name,
  ...(provider && { provider }),
  createdAt,
});

/**
 * What an account holds beside the proven identifier. Passkeys and providers that are older than what was proven stay, and
 * are not shown.
 * @param beside what was proven beside it; `waited`: nobody stopped a wait that is due, and everything may go
 */
export const reviewOf = async (
  { db, grants, directory, now }: RecoveryReviewOptions,
  owner: ProvenOwner,
  brand: Brand,
  beside: readonly Proof[] | 'waited',
): Promise<RecoveryReview> => {
  const { id } = owner.account;
  const isRemovable =
    beside === 'waited'
      ? () => true
      : mayRemove([owner.proven.value, ...beside], await readHoldings(db, id, now()));
  const known = directory.isEmpty ? [] : await listFederatedIdentities(db, id);
  const identities = known.filter(({ linked_at }) => isRemovable(linked_at));
  const passkeys = (await listPasskeys(db, id)).filter(({ created_at }) => isRemovable(created_at));
  return {
    authorizations: await grants.listLinks(id),
    identifiers: describeOthers(owner),
    passkeys: passkeys.map((row) => toReview(toPasskey(row, brand.rpId))),
    ...(identities.length > 0 && {
      providers: identities.map(({ id: identity, provider, email, linked_at }) => ({
        id: identity,
        name: directory.nameOf(brand, provider, owner.account.locale),
        ...(email !== null && { email }),
        createdAt: linked_at.toISOString(),
      })),
    }),
  };
};

export interface ProveFactorInput extends Caller {
  ticket: string;
  /** Exactly one. */
  factor: SentFactor;
  brand: Brand;
  facts?: RequestFacts | undefined;
}

/** Uses the factor up, and notes in the ticket what it proved; see `RecoveryService.proveFactor`. */
export const proveRecoveryFactor = async (
  options: RecoveryReviewOptions & RecoveryFactorOptions,
  { ticket, browserId, address, brand, facts, factor: sent }: ProveFactorInput,
): Promise<RecoveryReview> => {
  const { db, secondFactors, now } = options;
  const shown = { ticket, purpose: 'recover', browserId } as const;
  const proof = await readTicket(db, shown, now());
  const owner = await requireOwner(db, proof);
  const asker = { browserId, address, brand, factor: proof.factor };
  const factor = await countRecoveryFactor(options, owner, sent, asker);
  if (factor.by === 'none') throw new AppError('not_found');
  const spent = await transact(db, async (trx) => {
    await lockAccount(trx, owner.account.id);
    await requireOwner(trx, proof);
    const used = factor.by === 'typed' ? await secondFactors.spend(trx, factor.counted, brand) : undefined;
    await noteFactor(trx, shown, { factor: joinProofs(...proofsOf(factor)), now: now() });
    return used;
  }).catch((error) => {
    noteWrongFactor(options, { brand, facts }, proof, error);
    throw error;
  });
  if (spent) await secondFactors.settle(spent);
  return reviewOf(options, owner, brand, proofsOf(factor));
};
