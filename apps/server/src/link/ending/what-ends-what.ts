import type { LinkEndReason } from '../../person/signal/signal.table.ts';
import type { InitiatingEntity, Told } from '../../person/signal/told.ts';

/**
 * What one event ends of an account, and what that tells. A column that is left out stays. Each session that ends tells
 * `session-revoked`, and all at once `sessions-revoked` besides; each link that ends tells `link-ended`. What tells
 * something and ends nothing stands in `person/activity/activity-signals.ts`.
 */
export interface Ending {
  /** Sign-ins that were proven and have made no session yet: they make none any more. */
  signIns?: 'all';
  /**
   * Sessions: `one`, all `others`, `all`, or those that came through one `door`. A session takes along the grants made in it that have no refresh token
   * ("bound grants"), and its clients get a back-channel logout.
   */
  sessions?: 'one' | 'others' | 'all' | 'door';
  /**
   * Grants with their tokens: `bound` are all without a refresh token, in whichever session; their consents stay
   * remembered. `one` and `all` go with and without a refresh token, and with the consents that are remembered.
   */
  grants?: 'one' | 'all' | 'bound';
  /** Why links end, where `grants` is `one` or `all`. */
  reason?: LinkEndReason;
  /** Browsers that remember the account and forget it: all `others` than the browser of the request, or `all`. */
  browsers?: 'others' | 'all';
  /** Browsers that are not asked for the second factor, and are from then on. */
  trust?: 'others' | 'all';
  /** Verification codes and tickets for the identifiers of the account. */
  proofs?: 'all';
  /** Recoveries that wait; `stopWaits` ends those that a proof is old enough for. */
  waits?: 'all';
  /** What is told of the account. */
  tells?: readonly Told[];
  /** Who is behind it; the person, where it is left out. */
  by?: InitiatingEntity;
}

/**
 * What ends what, of one account: `end` carries a row out. Grants with a refresh token ("links") outlive every
 * session; only a withdrawal ends them.
 *
 * These end less than a row, or more than one account has:
 * - A client is disabled or deleted: `client-ending.ts` ends its grants, remembered consents, codes and tokens of all accounts.
 * - An app signs a person out, or another person signs in: `session.adapter.ts` ends the session of the browser in
 *   the engine's unit of work, by the statements of `sessionEnding`.
 * - A token family ends, by theft, by a code presented again or by a revocation: `grant.adapter.ts` and
 *   `code-reuse.repository.ts` end its grant. The consent stays remembered.
 * - An identifier leaves its account: `identifier-loss.ts` ends the codes and tickets for that identifier.
 */
export const ends = {
  /** Sign-out, or one session ended in the list of sessions. */
  sessionEnded: { sessions: 'one' },
  otherSessionsEnded: { signIns: 'all', sessions: 'others', browsers: 'others', trust: 'others' },
  allSessionsEnded: { signIns: 'all', sessions: 'all', browsers: 'others', trust: 'all' },
  grantWithdrawn: { grants: 'one', reason: 'withdrawn' },
  allGrantsWithdrawn: { grants: 'all', reason: 'withdrawn' },
  passwordChanged: { signIns: 'all', sessions: 'others', browsers: 'others', trust: 'all', proofs: 'all' },
  /** The authenticator app was switched on: who was signed in without it is no longer. */
  factorSwitchedOn: { signIns: 'all', sessions: 'others', browsers: 'others', trust: 'all', proofs: 'all' },
  passwordRecovered: { signIns: 'all', sessions: 'all', browsers: 'others', trust: 'all', proofs: 'all' },
  /** An operator disabled the account. Its links are suspended: they answer nothing, and live on once it is enabled. */
  accountDisabled: {
    signIns: 'all',
    sessions: 'all',
    grants: 'bound',
    trust: 'all',
    proofs: 'all',
    waits: 'all',
    by: 'admin',
  },
  accountDisabledWithLinks: {
    signIns: 'all',
    sessions: 'all',
    grants: 'all',
    reason: 'account_disabled',
    trust: 'all',
    proofs: 'all',
    waits: 'all',
    by: 'admin',
  },
  /** The person leaves, and can keep the account for a while: as if it were disabled. */
  accountLeaves: {
    signIns: 'all',
    sessions: 'all',
    grants: 'bound',
    trust: 'all',
    proofs: 'all',
    waits: 'all',
  },
  accountDeleted: {
    signIns: 'all',
    sessions: 'all',
    grants: 'all',
    reason: 'account_deleted',
    browsers: 'all',
    trust: 'all',
    proofs: 'all',
    waits: 'all',
    tells: [{ event: 'account-purged', members: {} }],
  },
  /** An identity provider said that who came from it may be somebody else. */
  providerWarned: { signIns: 'all', sessions: 'door', by: 'system' },
  /** The link in a notice undid a change of an identifier. */
  changeUndone: { signIns: 'all', sessions: 'all', browsers: 'all', trust: 'all', proofs: 'all' },
} as const satisfies Record<string, Ending>;
