import type { Activity, ActivityGroup, Disputed } from '@candela/contract';
import { activityGroups } from '@candela/contract/rules/activity-kinds';
import type { Kysely } from 'kysely';
import type { ClientService } from '../../clients/client/client.service.ts';
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
import type { RecoveryWaitService } from '../../person/recovery-wait/recovery-wait.service.ts';
import { lockOwnAccount } from '../../person/session/lock-own-account.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import { describeActivity, isDisputable } from './describe-activity.ts';
import { disown } from './disown.ts';

const PAGE = 20;
/** What one session touched, at most: the whole list has the rest. */
const TOUCHED = 50;

/** What happened to an account, as its person reads it. */
export interface ActivityReviewService {
  /** Newest first, of one group or of all; `after` is the `next` of an earlier page. */
  list(
    current: CurrentSession,
    choice: { after?: string | undefined; kind?: ActivityGroup | undefined },
  ): Promise<{ items: Activity[]; next?: string }>;
  /**
   * Notes that it was somebody else, and ends the session in which it happened; its browser forgets the account and is
   * asked for the second factor again. A recovery that waits is stopped. Answers what happened in the session after its
   * sign-in. Said again, it answers the same.
   * @throws AppError not_found also for what nobody can dispute: what this session did, and what did nothing;
   *   not_signed_in
   */
  dispute(current: CurrentSession, id: string, brand: MessageBrand & { id: string }): Promise<Disputed>;
}

export interface ActivityReviewOptions {
  db: Kysely<Database>;
  clients: Pick<ClientService, 'findClient'>;
  recoveryWaits: Pick<RecoveryWaitService, 'stop'>;
  events: EventSink;
}

type SessionOfRow = { brand: string; uid: string };

const sessionOf = ({ brand, session_uid: uid }: ListedActivity): SessionOfRow | undefined =>
  brand !== null && uid !== null ? { brand, uid } : undefined;

const disputeLocked = async (trx: Kysely<Database>, current: CurrentSession, id: string) => {
  const row = await findActivity(trx, current.accountId, id);
  if (!row || !isDisputable({ ...row, disputed_at: null }, current)) throw new AppError('not_found');
  return { ...(await disown(trx, row, { session: current })), session: sessionOf(row) };
};

export const createActivityReviewService = ({
  db,
  clients,
  recoveryWaits,
  events,
}: ActivityReviewOptions): ActivityReviewService => {
  const describe = (rows: readonly ListedActivity[], reader: CurrentSession) =>
    Promise.all(rows.map((row) => describeActivity(clients, row, reader)));

  return {
    list: async (current, { after, kind }) => {
      const choice = { limit: PAGE + 1, after: readCursor(after), kinds: kind && activityGroups[kind] };
      const rows = await listActivity(db, current.accountId, choice);
      const { page, ...next } = toPage(rows, PAGE, ({ id }) => id);
      return { items: await describe(page, current), ...next };
    },

    dispute: async (current, id, at) => {
      const { accountId, brand } = current;
      // First: a wait that was stopped can be disputed once more, a disputed one would wait on.
      const disputed = await findActivity(db, accountId, id);
      if (disputed?.kind === 'recovery_wait_started') await recoveryWaits.stop(accountId, { brand: at });
      const { ended, isNew, session } = await inTransaction(db, async (trx) => {
        await lockOwnAccount(trx, current);
        return disputeLocked(trx, current, id);
      });
      if (isNew) events.emit('activity.disputed', { accountId, brand });
      if (ended) events.emit('session.ended', { accountId, brand: session?.brand });
      const rows = session ? await listActivityOfSession(db, accountId, { ...session, limit: TOUCHED }) : [];
      const others = rows.filter(({ kind }) => kind !== 'sign_in' && kind !== 'new_browser');
      return { sessionEnded: ended, touched: await describe(others, current) };
    },
  };
};
