import { setTimeout } from 'node:timers/promises';
import { ACTIVITY_DAYS } from '@candela/contract/rules/activity-kinds';
import type { Kysely } from 'kysely';
import { SETTING_UP_SECONDS } from '../care/settings/totp.service.ts';
import { approvalRows } from '../desk/act/approval.repository.ts';
import { callerCheckRows } from '../desk/caller/caller-check.repository.ts';
import { shownContactRows } from '../desk/contact/shown-contact.repository.ts';
import { deskSessionRows } from '../desk/desk-session/desk-session.repository.ts';
import { developerRequestRows } from '../desk/developer-request/developer-request.repository.ts';
import { deleteOldHours, moveMinutesToHours } from '../desk/service/service-count.repository.ts';
import { providerArrivalRows } from '../federation/arrival/provider-arrival.repository.ts';
import { providerAttemptRows } from '../federation/attempt/provider-attempt.repository.ts';
import { providerEventRows } from '../federation/told/provider-event.repository.ts';
import { isClockRight } from '../ground/db/clock.ts';
import type { Database } from '../ground/db/database.ts';
import { deleteExpired, type ExpiredRows } from '../ground/db/delete-expired.ts';
import { databaseTime, type SqlTime } from '../ground/db/sql-time.ts';
import { createLease } from '../ground/lease/lease.ts';
import type { Logger } from '../ground/logger.ts';
import { endRestOfDeletedClients } from '../link/ending/client-ending.ts';
import { endLinks } from '../link/ending/ended-links.ts';
import { deleteExpiredGrants } from '../link/grant/grant.repository.ts';
import { emptyInteractions } from '../link/oidc-model/interaction.repository.ts';
import { signInNoticeRows } from '../person/activity/sign-in-notice.repository.ts';
import { additionRows } from '../person/addition/addition.repository.ts';
import { identifierChangeRows } from '../person/identifier-change/identifier-change.repository.ts';
import { passkeyChallengeRows } from '../person/passkey/passkey-challenge.repository.ts';
import { recoveryWaitRows } from '../person/recovery-wait/recovery-wait.repository.ts';
import { sweepRememberedAccounts } from '../person/remembered-account/sweep.ts';
import { deleteStaleStarts } from '../person/second-factor/totp.repository.ts';
import { stepUpRows } from '../person/step-up/step-up.repository.ts';
import { trustedBrowserRows } from '../person/trusted-browser/trusted-browser.repository.ts';
import { spentTicketRows, ticketRows } from '../person/verification/ticket.repository.ts';
import { verificationCodeRows } from '../person/verification/verification-code.repository.ts';
import { pendingSignInRows } from '../protocol/interaction/pending-sign-in.repository.ts';
import { CODE_KEPT_SECONDS } from '../protocol/oidc/token/code-reuse.repository.ts';
import { deleteUnusedDocuments } from '../registration/client-document/client-document.repository.ts';
import { removeLeftStandIns } from '../registration/link-check/stand-in.service.ts';

/** An interaction keeps its contents for so long after its end: the engine's clock may be behind the database's. */
const INTERACTION_LATE_SECONDS = 120;
/** For a day after its end an interaction still leads late visitors back to their app. */
const INTERACTION_KEPT_SECONDS = 86_400;
/** How long a batch may take: a request that waits behind it hardly notices. */
const BATCH_MS = 10;
/** The first batch has the fewest rows. Batches double up to the most while they are full and quick. */
const FEWEST_ROWS = 20;
const MOST_ROWS = 2_560;
/** The share of the time for which a sweep beside live requests is busy. */
const SHARE = 0.1;
/** After so long another process takes over the sweep of one that died. */
const LEASE_SECONDS = 60;

/** For how long a developer sees a refused request, and how their client fared. */
const CLIENT_ERROR_KEPT_SECONDS = 7 * 86_400;
const CLIENT_DAY_KEPT_SECONDS = 400 * 86_400;
/** For how long it is known who changed a registration. */
const CLIENT_CHANGE_KEPT_SECONDS = 400 * 86_400;

/** For so long a signal waits for its receiver, and can be sent again. */
const SIGNAL_KEPT_SECONDS = 30 * 86_400;
/** For how long staff see what became of a message. */
const SENT_MESSAGE_KEPT_SECONDS = 30 * 86_400;
/** For how long a person and the developers of a client see why a link ended. */
const ENDED_LINK_KEPT_SECONDS = 90 * 86_400;

/** Deletes at most `limit` rows of a table, and answers how many. */
type DeleteBatch = (db: Kysely<Database>, now: SqlTime, limit: number) => Promise<number>;

/** All that `expiringRows` declares. */
const declared = [
  verificationCodeRows,
  ticketRows,
  spentTicketRows,
  pendingSignInRows,
  trustedBrowserRows,
  recoveryWaitRows,
  additionRows,
  identifierChangeRows,
  passkeyChallengeRows,
  stepUpRows,
  signInNoticeRows,
  deskSessionRows,
  callerCheckRows,
  shownContactRows,
  approvalRows,
  developerRequestRows,
  providerAttemptRows,
  providerArrivalRows,
  providerEventRows,
];

const expired =
  (rows: Omit<ExpiredRows, 'now' | 'limit'>): DeleteBatch =>
  (db, now, limit) =>
    deleteExpired(db, { ...rows, now, limit });

const batches: readonly DeleteBatch[] = [
  ...declared.map(({ sweep }) => sweep),
  expired({ table: 'rate_limit' }),
  expired({ table: 'account_export' }),
  (db, now, limit) => deleteStaleStarts(db, { now, keptSeconds: SETTING_UP_SECONDS, limit }),
  sweepRememberedAccounts,
  (db, now, limit) => emptyInteractions(db, { now, keptSeconds: INTERACTION_LATE_SECONDS, limit }),
  expired({ table: 'interaction', keptSeconds: INTERACTION_KEPT_SECONDS }),
  // A code that is presented again is known by its row.
  expired({ table: 'authorization_code', keptSeconds: CODE_KEPT_SECONDS }),
  // Tokens go before their grant, as step-ups before their session, so that deleting that one cascades to no other rows.
  expired({ table: 'access_token' }),
  // A used predecessor is kept until its own end: by its row a stolen token is known from an unknown one.
  expired({ table: 'refresh_token' }),
  expired({ table: 'oidc_model' }),
  (db, now, limit) => endLinks(db, 'expired', (trx) => deleteExpiredGrants(trx, { now, limit })),
  expired({ table: 'session' }),
  expired({ table: 'client_error', column: 'created_at', keptSeconds: CLIENT_ERROR_KEPT_SECONDS }),
  expired({ table: 'client_change', column: 'at', keptSeconds: CLIENT_CHANGE_KEPT_SECONDS }),
  expired({ table: 'signal', column: 'created_at', keptSeconds: SIGNAL_KEPT_SECONDS }),
  expired({ table: 'sent_message', column: 'created_at', keptSeconds: SENT_MESSAGE_KEPT_SECONDS }),
  expired({ table: 'activity', column: 'created_at', keptSeconds: ACTIVITY_DAYS * 86_400 }),
  removeLeftStandIns,
  (db, _now, limit) => endRestOfDeletedClients(db, limit),
  expired({ table: 'ended_link', column: 'ended_at', keptSeconds: ENDED_LINK_KEPT_SECONDS }),
  expired({ table: 'client_day', column: 'day', keptSeconds: CLIENT_DAY_KEPT_SECONDS }),
  moveMinutesToHours,
  deleteOldHours,
  // After the grants, which keep their clients.
  deleteUnusedDocuments,
];

/** The limit of the next batch, by how many rows the last one deleted and how long it took. */
const nextLimit = (limit: number, gone: number, milliseconds: number): number => {
  if (milliseconds > BATCH_MS) return Math.max(FEWEST_ROWS, limit / 2);
  return gone === limit && milliseconds < BATCH_MS / 2 ? Math.min(MOST_ROWS, limit * 2) : limit;
};

export interface SweepPace {
  /** The share of the time for which the sweep is busy; it rests after each batch. 1, without rests, by default. */
  share?: number;
  /** Is asked before each batch; the sweep ends when the answer is no. */
  mayGoOn?: () => Promise<boolean> | boolean;
  /** Ends a rest, and the sweep. */
  signal?: AbortSignal;
  /** Milliseconds of a clock that never goes back, by which batches are quick or slow. */
  clock?: () => number;
}

/** Deletes what has expired, batch after batch, until nothing is left or `pace` ends it. Answers the number of rows. */
export const sweep = async (
  db: Kysely<Database>,
  now: SqlTime = databaseTime,
  { share = 1, mayGoOn = () => true, signal, clock = () => performance.now() }: SweepPace = {},
): Promise<number> => {
  let total = 0;
  for (const deleteBatch of batches) {
    for (let limit = FEWEST_ROWS; ; ) {
      if (signal?.aborted || !(await mayGoOn())) return total;
      const started = clock();
      const gone = await deleteBatch(db, now, limit);
      if (gone === 0) break;
      total += gone;
      // A busy database or process makes batches slow: then rests are longer and the next batch is smaller.
      const took = clock() - started;
      limit = nextLimit(limit, gone, took);
      const rest = took * (1 / share - 1);
      if (rest > 0) await setTimeout(rest, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
  return total;
};

/** The sweeps of this process since its start. */
export interface SweepCounts {
  sweeps: number;
  /** Rows that they deleted. */
  rows: number;
}

export interface SweepTurn {
  (signal: AbortSignal): Promise<void>;
  counts(): SweepCounts;
}

/**
 * Makes the work of sweeping a little at a time beside live requests; of several processes one at a time does it. It
 * rests while the clock of this process and that of the database differ.
 */
export const createSweepTurn = (db: Kysely<Database>, logger: Logger): SweepTurn => {
  const lease = createLease(db, { name: 'sweep', seconds: LEASE_SECONDS });
  const counts: SweepCounts = { sweeps: 0, rows: 0 };
  const turn = async (signal: AbortSignal): Promise<void> => {
    // It is no sweep, and leaves the lease to a process whose clock is right.
    if (!isClockRight()) return;
    const rows = await lease.hold((isHeld) =>
      sweep(db, databaseTime, { share: SHARE, mayGoOn: () => isClockRight() && isHeld(), signal }),
    );
    if (rows === undefined) return;
    counts.sweeps += 1;
    counts.rows += rows;
    if (rows > 0) logger.debug({ rows }, 'expired rows deleted');
  };
  return Object.assign(turn, { counts: () => ({ ...counts }) });
};
