import type { Activity, ActivityGroup, AddedInSession, Disputed } from '@candela/contract';
import { activityGroups } from '@candela/contract/rules/activity-kinds';
import type { Kysely } from 'kysely';
import type { ClientService } from '../../clients/client/client.service.ts';
import type { ProviderDirectory } from '../../federation/directory/provider-directory.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { readCursor, toPage } from '../../ground/paging/page-cursor.ts';
import {
  findActivity,
  type ListedActivity,
  listActivity,
  listActivityOfSession,
} from '../../person/activity/activity.repository.ts';
import type { MessageBrand } from '../../person/delivery/code-message.ts';
import type { MessageQueue } from '../../person/delivery/message-queue.ts';
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import { lockOwnAccount } from '../../person/session/lock-own-account.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import { announceTaken, listAddedIn, nothingTaken, takeBackAddedIn } from '../settings/session-additions.ts';
import { describeActivity, isDisputable, type Reader } from './describe-activity.ts';
import { disown } from './disown.ts';

const PAGE = 20;
/** What one session touched, at most: the whole list has the rest. */
const TOUCHED = 50;

/** What happened to an account, as its person reads it. */
export interface ActivityReviewService {
  /** Newest first, of one group or of all; `after` is the `next` of an earlier page. */
  list(
    current: Pick<CurrentSession, 'accountId' | 'brand' | 'uid'>,
    choice: { after?: string | undefined; kind?: ActivityGroup | undefined },
  ): Promise<{ items: Activity[]; next?: string }>;
  /**
   * Notes that it was somebody else, and ends the session in which it happened; its browser forgets the account and is
   * asked for the second factor again. A recovery that waits is stopped. Answers what happened in the session after its
   * sign-in. Said again, it answers the same.
   * @param by `takeBack`: what the session added is taken back. `requireStopper` throws where what was proven is younger
   *   than the contact that asked for a wait, `requireSince` where it is younger than what is taken back
   * @throws AppError not_found also for what nobody can dispute: what this session did, and what did nothing;
   *   not_signed_in
   */
  dispute(
    current: CurrentSession,
    id: string,
    by: {
      brand: MessageBrand & { id: string };
      takeBack: boolean;
      facts: RequestFacts;
      requireStopper(): Promise<unknown>;
      requireSince(since: Date): Promise<unknown>;
    },
  ): Promise<Disputed>;
  /** What the session in which it happened added. @throws AppError not_found as for `dispute` */
  listAdded(current: CurrentSession, id: string): Promise<{ items: AddedInSession[] }>;
}

export interface ActivityReviewOptions {
  db: Kysely<Database>;
  directory: Pick<ProviderDirectory, 'nameOf'>;
  clients: Pick<ClientService, 'findClient'>;
  recoveryWaits: Pick<RecoveryWaitService, 'findDue' | 'stop'>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

type SessionOfRow = { brand: string; uid: string };

const sessionOf = ({ brand, session_uid: uid }: ListedActivity): SessionOfRow | undefined =>
  brand !== null && uid !== null ? { brand, uid } : undefined;

const requireDisputable = async (
  db: Kysely<Database>,
  current: CurrentSession,
  id: string,
): Promise<ListedActivity> => {
  const row = await findActivity(db, current.accountId, id);
  if (!row || !isDisputable({ ...row, disputed_at: null }, current)) throw new AppError('not_found');
  return row;
};

export const createActivityReviewService = (options: ActivityReviewOptions): ActivityReviewService => {
  const { db, clients, recoveryWaits, events, now } = options;
  const describe = (rows: readonly ListedActivity[], reader: Reader) =>
    Promise.all(rows.map((row) => describeActivity(clients, row, reader)));

  const addedIn = async (current: CurrentSession, id: string) => {
    const { session_uid: uid } = await requireDisputable(db, current, id);
    const { accountId } = current;
    return uid === null
      ? { items: [], since: undefined }
      : listAddedIn(db, { accountId, uid }, { taker: 'session', at: now() });
  };

  return {
    listAdded: async (current, id) => ({ items: (await addedIn(current, id)).items }),

    list: async (current, { after, kind }) => {
      const choice = { limit: PAGE + 1, after: readCursor(after), kinds: kind && activityGroups[kind] };
      const rows = await listActivity(db, current.accountId, choice);
      const { page, ...next } = toPage(rows, PAGE, ({ id }) => id);
      return { items: await describe(page, current), ...next };
    },

    dispute: async (current, id, { brand: at, takeBack, facts, requireStopper, requireSince }) => {
      const { accountId, brand } = current;
      // First: a wait that was stopped can be disputed once more, a disputed one would wait on.
      const disputed = await findActivity(db, accountId, id);
      if (disputed?.kind === 'recovery_wait_started' && (await recoveryWaits.findDue(accountId))) {
        await requireStopper();
        await recoveryWaits.stop(accountId, { brand: at });
      }
      const added = takeBack ? await addedIn(current, id) : undefined;
      if (added?.since) await requireSince(added.since);
      const { ended, isNew, session, back } = await inTransaction(db, async (trx) => {
        await lockOwnAccount(trx, current);
        const row = await requireDisputable(trx, current, id);
        const session = sessionOf(row);
        const own = session && { accountId, uid: session.uid };
        const by = { at: now(), brand: at, facts };
        const back =
          own && added?.since
            ? await takeBackAddedIn(trx, options, own, { ...by, taker: { provenSince: added.since } })
            : nothingTaken;
        return { ...(await disown(trx, row, { session: current })), session, back };
      });
      if (isNew) events.emit('activity.disputed', { accountId, brand });
      if (ended) events.emit('session.ended', { accountId, brand: session?.brand });
      await announceTaken(events, accountId, back);
      const rows = session ? await listActivityOfSession(db, accountId, { ...session, limit: TOUCHED }) : [];
      const others = rows.filter(({ kind }) => kind !== 'sign_in' && kind !== 'new_browser');
      return { sessionEnded: ended, touched: await describe(others, current), tookBack: back.taken > 0 };
    },
  };
};
