import type { Kysely } from 'kysely';
import { updateSessionEpoch } from '../account/account.repository.ts';
import { insertLogouts } from '../backchannel-logout/backchannel-logout.repository.ts';
import type { Database } from '../db/database.ts';
import { deleteDeviceAccountsOf } from '../device/device-account.repository.ts';
import { deleteBoundGrants, deleteGrant, deleteGrants, type GrantOwner } from '../grant/grant.repository.ts';
import { deleteRememberedConsent, deleteRememberedConsents } from '../grant/remembered-consent.repository.ts';
import { deleteSessions, lockSessions, type SessionChoice } from '../session/session.repository.ts';
import type { SessionKey } from '../session/session-key.ts';
import { voidProofs } from '../verification/ticket.service.ts';
import type { Ending } from './what-ends-what.ts';

interface Subject {
  accountId: string;
  /** The session that `one` ends and `others` spares. */
  sessionUid?: string;
  /** The grant that `one` ends. */
  grantId?: string;
  /** The digest of the pre-session cookie that `others` spares; undefined for a browser without the cookie. */
  deviceHash?: string | undefined;
  /** The canonical values of all identifiers of the account. */
  identifiers?: readonly string[];
}

type Named<E extends Ending> =
  | (E extends { sessions: 'one' | 'others' } ? 'sessionUid' : never)
  | (E extends { grants: 'one' } ? 'grantId' : never)
  | (E extends { browsers: 'others' } ? 'deviceHash' : never)
  | (E extends { proofs: 'all' } ? 'identifiers' : never);

/** The account, with whatever the row speaks of. */
type SubjectOf<E extends Ending> = Subject & Required<Pick<Subject, Named<E>>>;

export interface Ended {
  sessions: readonly SessionKey[];
  /** Grants that were withdrawn; those that ended with their sessions are left out. */
  grants: readonly GrantOwner[];
}

const choiceOf = (which: NonNullable<Ending['sessions']>, uid: string): SessionChoice => {
  if (which === 'all') return {};
  return which === 'one' ? { uid } : { except: uid };
};

/** Each takes the remembered consents along, or the next sign-in would make the grant again without asking. */
const withdraw = {
  one: async (trx: Kysely<Database>, { accountId, grantId = '' }: Subject): Promise<GrantOwner[]> => {
    const grant = await deleteGrant(trx, accountId, grantId);
    if (!grant) return [];
    await deleteRememberedConsent(trx, { brand: grant.brand, accountId, clientId: grant.client_id });
    return [grant];
  },
  all: async (trx: Kysely<Database>, { accountId }: Subject): Promise<GrantOwner[]> => {
    const grants = await deleteGrants(trx, accountId);
    await deleteRememberedConsents(trx, accountId);
    return grants;
  },
};

/**
 * Carries out a row of `ends` in the transaction of the caller, and answers what was there to end.
 *
 * It takes locks in the one order that holds for the whole server. Whoever needs several of them takes them in this
 * order, or two transactions wait for each other:
 *
 * 1. the account: the epoch raised here waits for sign-ins, which hold the row for share until they have their session;
 * 2. its identifiers by value (`lockIdentifierValues`), then their codes and tickets;
 * 3. its sessions by brand and uid: a grant that is being made in one of them is waited for here, and found in 4;
 * 4. grants by brand and id: who spends a token locks its grant first;
 * 5. the tokens of a grant, which the database deletes with the grant.
 *
 * A client is locked before 4 (`client-switch.ts`). Sessions are locked before all grants of an account end, although
 * they stay. A session is deleted last: the logouts and the bound grants are found by its row.
 */
export const end = async <E extends Ending>(
  trx: Kysely<Database>,
  ending: E,
  subject: SubjectOf<E>,
): Promise<Ended> => {
  const { signIns, sessions, grants, browsers, proofs }: Ending = ending;
  const { accountId, sessionUid = '', deviceHash, identifiers = [] }: Subject = subject;
  if (signIns) await updateSessionEpoch(trx, accountId);
  if (proofs) await voidProofs(trx, identifiers);
  if (browsers) await deleteDeviceAccountsOf(trx, accountId, browsers === 'all' ? undefined : deviceHash);
  if (grants === 'all') await lockSessions(trx, accountId, {});
  const ended = sessions ? await lockSessions(trx, accountId, choiceOf(sessions, sessionUid)) : [];
  await insertLogouts(trx, ended);
  const withdrawn = grants ? await withdraw[grants](trx, subject) : [];
  await deleteBoundGrants(trx, ended);
  await deleteSessions(trx, ended);
  return { sessions: ended, grants: withdrawn };
};
