import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { parseEmail } from '../../ground/identifier/email.ts';
import { lockAccount } from '../../person/account/account.repository.ts';
import type { Delivery } from '../../person/delivery/message-queue.ts';
import {
  findFederatedIdentity,
  insertFederatedIdentity,
  openFederatedIdentity,
} from '../../person/federated-identity/federated-identity.repository.ts';
import { readHoldings } from '../../person/step-up/holdings.ts';
import { type Proof, splitProofs } from '../../person/step-up/proof.ts';
import { ofFactor, stillDue } from '../../person/step-up/seniority.ts';
import { noteLinked } from '../noting/note-linked.ts';
import { type ArrivalOptions, type ArrivalPlace, sealKeptToken, toArrivalKey } from './arrival.ts';
import { providerArrivalRows } from './provider-arrival.repository.ts';
import type { ProviderArrivalRow } from './provider-arrival.table.ts';

/** A whole sign-in, as the interaction is to be answered by it. */
export interface ProvenSignIn {
  accountId: string;
  epoch: number;
  /** The proofs, joined. */
  provenBy: string;
}

/** The address that a code, or the provider, proved. */
const provenEmail = ({ email, email_proven, email_by_code }: ProviderArrivalRow): Proof[] => {
  const proven = email_by_code ?? (email_proven ? email : null);
  const parsed = proven === null ? undefined : parseEmail(proven);
  return parsed ? [parsed.value] : [];
};

/**
 * Whether the person proved enough to add a way in: as for a passkey, the factor that is on, else what is as old as the
 * account. A password that somebody found out opens the account, and adds nothing to it.
 */
const mayAdd = async (
  trx: Kysely<Database>,
  { accountId, provenBy }: ProvenSignIn,
  { vouched, at }: { vouched: readonly Proof[]; at: Date },
): Promise<boolean> => {
  const proofs = [...splitProofs(provenBy), ...vouched];
  const holdings = await readHoldings(trx, accountId, at);
  return stillDue(proofs, holdings, ofFactor(holdings)).length === 0;
};

/**
 * Adds the way in, or opens again the one that was closed. Undefined where the subject, or the account, has one, and
 * where the proofs are not enough.
 */
const add = async (
  trx: Kysely<Database>,
  signIn: ProvenSignIn,
  arrival: ProviderArrivalRow,
  { token, at }: { token: string | null; at: Date },
): Promise<string | undefined> => {
  const { brand, provider, subject, email } = arrival;
  const { accountId: account_id } = signIn;
  const found = await findFederatedIdentity(trx, { brand, provider, subject });
  // The provider warned of whoever comes by a way in that is closed: its word for an address counts for nothing there.
  const vouched = found ? [] : provenEmail(arrival);
  if (!(await mayAdd(trx, signIn, { vouched, at }))) return undefined;
  if (found)
    return (await openFederatedIdentity(
      trx,
      { id: found.id, account_id },
      { email: null, refresh_token_sealed: token },
      at,
    ))
      ? found.id
      : undefined;
  const id = randomUUID();
  const since = { linked_at: at, last_used_at: null, closed_at: null };
  const row = { id, brand, provider, subject, account_id, email, ...since };
  return (await insertFederatedIdentity(trx, { ...row, refresh_token_sealed: token })) ? id : undefined;
};

/**
 * Adds the way in of who waits in the interaction to the account that was proven in it, where it is the one that they
 * had to prove. Anybody else who signs in there gets nothing of it. All contacts are told.
 */
export const joinArrival = async (
  options: ArrivalOptions,
  place: ArrivalPlace,
  signIn: ProvenSignIn,
): Promise<void> => {
  const { db, secretKeys, directory, events, now } = options;
  const at = now();
  const arrival = await providerArrivalRows.find(db, toArrivalKey(place), at);
  if (!arrival || arrival.account_id !== signIn.accountId) return;
  const token = sealKeptToken(secretKeys, place, arrival);
  const notices = await transact(db, async (trx): Promise<Delivery[] | undefined> => {
    const record = await lockAccount(trx, signIn.accountId);
    if (record?.account.session_epoch !== signIn.epoch || record.account.status === 'disabled')
      return undefined;
    const identityId = await add(trx, signIn, arrival, { token, at });
    if (identityId === undefined) return undefined;
    const name = directory.nameOf(place.brand, arrival.provider, record.account.locale);
    return noteLinked(trx, options, record, { identityId, name, at, brand: place.brand });
  });
  if (!notices) return;
  events.emit('provider.linked', {
    accountId: signIn.accountId,
    brand: place.brand.id,
    provider: arrival.provider,
  });
  await Promise.all(notices.map((notice) => notice.start()));
};
