import { randomBytes } from 'node:crypto';
import { isPasskeyTransport, type PasskeyCreationOptions, type PasskeyRegistration } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Caller } from '../../ground/browser/caller.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { createOpaqueToken } from '../../ground/opaque-token.ts';
import { type AccountRecord, listAccounts } from '../account/account.repository.ts';
import { parseNickname } from '../account/nickname.ts';
import type { CurrentSession } from '../session/session.service.ts';
import {
  algorithms,
  type NewCredential,
  readClientData,
  verifyRegistration,
} from './authenticator-answer.ts';
import { findUserHandle, insertPasskey, insertUserHandle, listPasskeys } from './passkey.repository.ts';
import type { PasskeyRow } from './passkey.table.ts';
import { toDescriptor } from './passkey.ts';
import { CHALLENGE_SECONDS } from './passkey-challenge.repository.ts';
import { issueChallenge, useChallenge } from './passkey-challenge.ts';
import { changePasskeys, type PasskeyChangeOptions, requireName } from './passkey-change.ts';
import { PasskeyRefusal, toAppError } from './passkey-refusal.ts';
import { providerOf } from './providers.ts';

/** What an account may keep. Options name all of them. */
const MOST_PASSKEYS = 50;
/** Web Authentication section 14.6.1 recommends 64 random bytes. */
const HANDLE_BYTES = 64;

export interface PasskeyAsker extends Caller {
  brand: Brand;
  /** `conditional`: the browser makes the passkey without asking anybody. */
  mediation: 'conditional' | undefined;
}

export interface NewPasskey extends PasskeyAsker {
  response: PasskeyRegistration;
  /** Default: who keeps it, else `madeIn`. */
  name: string | undefined;
  /** The browser and its system, for people to read. */
  madeIn: string;
}

const requireRoom = (own: readonly PasskeyRow[]): void => {
  if (own.length >= MOST_PASSKEYS) throw new AppError('passkeys_exhausted');
};

const handleOf = async (db: Kysely<Database>, accountId: string): Promise<string> => {
  const known = await findUserHandle(db, accountId);
  if (known) return known;
  await insertUserHandle(db, accountId, randomBytes(HANDLE_BYTES).toString('base64url'));
  const handle = await findUserHandle(db, accountId);
  if (!handle) throw new AppError('not_signed_in');
  return handle;
};

/** What the person's authenticator shows of the account: how they sign in, and their nickname. */
const namesOf = ({ account, identifiers: [identifier] }: AccountRecord) => ({
  name: identifier?.display ?? account.nickname,
  displayName: account.nickname,
});

const toRow = (
  { credential, aaguid, credentialDeviceType, credentialBackedUp }: NewCredential,
  { response, name, madeIn, brand }: NewPasskey,
  accountId: string,
  at: Date,
): PasskeyRow => ({
  id: createOpaqueToken(),
  account_id: accountId,
  rp_id: brand.rpId,
  credential_id: credential.id,
  public_key: Buffer.from(credential.publicKey).toString('base64url'),
  counter: credential.counter,
  transports: (response.response.transports ?? []).filter(isPasskeyTransport).join(' '),
  aaguid,
  backup_eligible: credentialDeviceType === 'multiDevice',
  backed_up: credentialBackedUp,
  name: name ?? providerOf(aaguid) ?? parseNickname(madeIn) ?? brand.name,
  created_at: at,
  last_used_at: null,
  warned_at: null,
});

/** What a challenge is bound to: one for a creation that asks nobody opens none that does, and the other way round. */
const boundTo = ({ uid }: CurrentSession, mediation: PasskeyAsker['mediation']): string =>
  mediation ? `${uid} ${mediation}` : uid;

/** The credential, where its challenge was made for this session. */
const verifyNew = async (
  options: PasskeyChangeOptions,
  current: CurrentSession,
  input: NewPasskey,
): Promise<NewCredential> => {
  const { brand, browserId, response, mediation } = input;
  try {
    const clientData = await readClientData(response);
    const use = { brand, purpose: 'register' as const, boundTo: boundTo(current, mediation), browserId };
    await useChallenge(options, clientData.challenge, use);
    return await verifyRegistration(response, clientData, brand, { asksNobody: mediation !== undefined });
  } catch (error) {
    if (!(error instanceof PasskeyRefusal)) throw error;
    const { accountId } = current;
    options.events.emit('passkey.refused', {
      accountId,
      purpose: 'register',
      brand: brand.id,
      reason: error.fault,
    });
    throw toAppError(error);
  }
};

/** What the browser needs to make a passkey; see `PasskeyService`. */
export const optionsOfCreation = async (
  options: PasskeyChangeOptions,
  current: CurrentSession,
  { brand, mediation, ...caller }: PasskeyAsker,
): Promise<PasskeyCreationOptions> => {
  const { db } = options;
  const { accountId } = current;
  const [record] = await listAccounts(db, [accountId]);
  if (!record) throw new AppError('not_signed_in');
  const own = await listPasskeys(db, accountId);
  requireRoom(own);
  const purpose = 'register' as const;
  const use = { ...caller, brand, purpose, boundTo: boundTo(current, mediation), accountId };
  return {
    challenge: await issueChallenge(options, use),
    rp: { id: brand.rpId, name: brand.name },
    user: { id: await handleOf(db, accountId), ...namesOf(record) },
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_SECONDS * 1000,
    excludeCredentials: own.filter(({ rp_id }) => rp_id === brand.rpId).map(toDescriptor),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      // Who is asked nothing cannot be verified.
      userVerification: mediation ? 'preferred' : 'required',
    },
    attestation: 'none',
  };
};

/** Keeps a passkey; see `PasskeyService`. */
export const addPasskey = async (
  options: PasskeyChangeOptions,
  current: CurrentSession,
  input: NewPasskey,
): Promise<PasskeyRow> => {
  const { accountId } = current;
  const { brand } = input;
  const name = input.name === undefined ? undefined : requireName(input.name);
  const credential = await verifyNew(options, current, input);
  const notice = 'passkey_added';
  const row = await changePasskeys(options, current, { notice, brand }, async (trx, _record, at) => {
    requireRoom(await listPasskeys(trx, accountId));
    const made = toRow(credential, { ...input, name }, accountId, at);
    if (!(await insertPasskey(trx, made))) throw new AppError('passkey_exists');
    return made;
  });
  options.events.emit('passkey.added', { accountId, brand: brand.id });
  return row;
};
