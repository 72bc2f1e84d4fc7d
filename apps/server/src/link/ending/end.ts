import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { lockAccount, updateSessionEpoch } from '../../person/account/account.repository.ts';
import { endWaits } from '../../person/recovery-wait/ended-waits.ts';
import { deleteRememberedAccountsOf } from '../../person/remembered-account/remembered-account.repository.ts';
import {
  lockSessions,
  type SessionChoice,
  sessionsByBrand,
} from '../../person/session/session.repository.ts';
import type { SessionKey } from '../../person/session/session-key.ts';
import { signalsOfSessions } from '../../person/signal/signal.repository.ts';
import { tell } from '../../person/signal/tell.ts';
import type { Told } from '../../person/signal/told.ts';
import { byProvider } from '../../person/step-up/proof.ts';
import { trustedBrowserRows } from '../../person/trusted-browser/trusted-browser.repository.ts';
import { voidProofs } from '../../person/verification/ticket.service.ts';
import type { EndedGrant } from '../grant/ended-grant.ts';
import { deleteBoundGrants, deleteGrant, deleteGrants } from '../grant/grant.repository.ts';
import { deleteRememberedConsent, deleteRememberedConsents } from '../grant/remembered-consent.repository.ts';
import { noteEndedLinks } from './ended-links.ts';
import { sessionEnding } from './session-ending.ts';
import type { Ending } from './what-ends-what.ts';

interface Subject {
  accountId: string;
  /** The session that `one` ends and `others` spares. */
  sessionUid?: string;
  /** The way in by which the sessions of `door` came. */
  identityId?: string;
  /** The grant that `one` ends. */
  grantId?: string;
  /** The digest of the pre-session cookie that `others` spares; undefined for a browser without the cookie. */
  browserHash?: string | undefined;
  /** The canonical values of all identifiers of the account. */
  identifiers?: readonly string[];
}

type Named<E extends Ending> =
  | (E extends { sessions: 'one' | 'others' } ? 'sessionUid' : never)
  | (E extends { sessions: 'door' } ? 'identityId' : never)
  | (E extends { grants: 'one' } ? 'grantId' : never)
  | (E extends { browsers: 'others' } ? 'browserHash' : never)
  | (E extends { proofs: 'all' } ? 'identifiers' : never);

/** The account, with everything that the row refers to. */
type SubjectOf<E extends Ending> = Subject & Required<Pick<Subject, Named<E>>>;

export interface Ended {
  sessions: readonly SessionKey[];
  /** Grants that were withdrawn; those that ended with their sessions are left out. */
  grants: readonly EndedGrant[];
}

const choiceOf = (
  which: NonNullable<Ending['sessions']>,
  { sessionUid: uid = '', identityId = '' }: Subject,
): SessionChoice => {
  if (which === 'all') return {};
  if (which === 'door') return { provenBy: byProvider(identityId) };
  return which === 'one' ? { uid } : { except: uid };
};

/** A withdrawal takes the remembered consents along, or the next sign-in would make the grant again without asking. */
const withdraw = {
  one: async (trx: Kysely<Database>, { accountId, grantId = '' }: Subject): Promise<EndedGrant[]> => {
    const grant = await deleteGrant(trx, accountId, grantId);
    if (!grant) return [];
    await deleteRememberedConsent(trx, { brand: grant.brand, accountId, clientId: grant.client_id });
    return [grant];
  },
  all: async (trx: Kysely<Database>, { accountId }: Subject): Promise<EndedGrant[]> => {
    const grants = await deleteGrants(trx, accountId);
    await deleteRememberedConsents(trx, accountId);
    return grants;
  },
  bound: (trx: Kysely<Database>, { accountId }: Subject): Promise<EndedGrant[]> =>
    deleteBoundGrants(trx, accountId),
};

/** What is told of the account, besides each session and each link. */
const toldOf = ({ sessions, tells = [] }: Ending, ended: readonly SessionKey[]): readonly Told[] =>
  sessions === 'all' && ended.length > 0 ? [{ event: 'sessions-revoked', members: {} }, ...tells] : tells;

/**
 * Carries out a row of `ends` in the transaction of the caller, and answers what was there to end.
 *
 * This is the order of locks for the whole server. A transaction that takes them in another order may wait for one
 * that waits for it.
 *
 * 1. The account. A sign-in holds the row for share until its session is made, and an approval without a browser until
 *    its grant is made; raising the epoch, and ending all grants, waits for them.
 *    Then its second factor, recovery codes, trusted browsers, and recoveries that wait.
 * 2. The identifiers of the account by value (`lockIdentifierValues`), then their codes and tickets.
 * 3. The sessions of the account by brand and uid. A request that makes a grant in a session holds the session; its
 *    grant is there in step 4.
 * 4. Grants by brand and id. A request that spends a token locks the grant of the token first.
 * 5. The tokens of a grant. The database deletes them with the grant.
 * 6. Signals that wait. Whoever delivers them holds them for one statement, and locks nothing else.
 *
 * A change of an identifier takes 3 before 2 (`lockOwnAccount`): no other transaction gets past 1 meanwhile, and a
 * transaction of another account that holds the identifier wants none of these sessions.
 * A client is locked before 4 (`client-ending.ts`). Where all grants of an account end, its sessions are locked before
 * them, although they stay.
 * A stream that is told is locked for key share at whichever step tells. Only the deletion of the stream waits for that,
 * and takes no lock of this list afterwards.
 */
export const end = async <E extends Ending>(
  trx: Kysely<Database>,
  ending: E,
  subject: SubjectOf<E>,
): Promise<Ended> => {
  const { signIns, sessions, grants, browsers, trust, proofs, waits, reason, by = 'user' }: Ending = ending;
  const { accountId, browserHash, identifiers = [] }: Subject = subject;
  if (signIns) await updateSessionEpoch(trx, accountId);
  else if (grants === 'all') await lockAccount(trx, accountId);
  const own = trust === 'all' || browserHash === undefined ? undefined : { device_hash: browserHash };
  if (trust) await trustedBrowserRows.endOf(trx, accountId, {}, own);
  if (waits) await endWaits(trx, accountId);
  if (proofs) await voidProofs(trx, identifiers);
  if (browsers)
    await deleteRememberedAccountsOf(trx, accountId, browsers === 'all' ? undefined : browserHash);
  if (grants === 'all') await lockSessions(trx, accountId, {});
  const ended = sessions ? await lockSessions(trx, accountId, choiceOf(sessions, subject)) : [];
  const brands = sessionsByBrand(ended).map((ofBrand) => ({ ...ofBrand, by }));
  // Who hears of it is read from the grants, which end next.
  for (const ofBrand of brands) await signalsOfSessions(trx, ofBrand).execute();
  await tell(trx, accountId, toldOf(ending, ended), by);
  const withdrawn = grants ? await withdraw[grants](trx, subject) : [];
  if (reason) await noteEndedLinks(trx, withdrawn, reason);
  for (const statement of Object.values(sessionEnding))
    for (const ofBrand of brands) await statement(trx, ofBrand).execute();
  return { sessions: ended, grants: withdrawn };
};
