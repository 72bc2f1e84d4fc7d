import type { Kysely } from 'kysely';
import { findDeveloper, insertDeveloper } from '../../clients/developer/developer.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { type AccountRecord, lockAccount } from '../../person/account/account.repository.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices, hearersOf } from '../../person/delivery/notices.ts';
import type { ActBrand } from '../act/act-work.ts';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';
import { appendRecord, recordLook } from '../record/record.service.ts';
import { recordRefused } from '../record/record-refused.ts';
import { requireRoleStill } from '../staff/require-role.ts';
import { developerRequestRows } from './developer-request.repository.ts';

export interface RequestAnsweringOptions {
  db: Kysely<Database>;
  messages: Pick<MessageQueue, 'add'>;
  events: EventSink;
  now: () => Date;
}

interface RequestAnswer {
  approve: boolean;
  reason: string;
  /** The brand that writes to the person. */
  brand: ActBrand;
}

/** What operators do about who asks to register clients. */
export interface RequestAnswering {
  /** Records that somebody reads the queue. */
  noteLook(member: StaffAtWork): Promise<void>;
  /**
   * Lets the account register clients, or refuses it, and tells its person. One answer counts.
   * @throws AppError own_account, not_found, role_insufficient, nothing_to_do
   */
  answer(member: StaffAtWork, accountId: string, answer: RequestAnswer): Promise<{ entry: number }>;
}

/** After a refusal the account asks for nothing for so long. */
const REFUSED_MS = 30 * 86_400_000;

/** Takes the request, to one answer alone; false also where the account registers clients by now. */
const settle = async (
  trx: Kysely<Database>,
  { accountId, approve, now }: { accountId: string; approve: boolean; now: Date },
): Promise<boolean> => {
  const waiting = { account_id: accountId, state: 'waiting' } as const;
  if (approve) {
    if (!(await developerRequestRows.take(trx, waiting, now))) return false;
    return insertDeveloper(trx, accountId);
  }
  if (await findDeveloper(trx, accountId)) {
    await developerRequestRows.take(trx, waiting, now);
    return false;
  }
  const refused = { state: 'refused', expires_at: new Date(now.getTime() + REFUSED_MS) } as const;
  return (await developerRequestRows.change(trx, waiting, refused, now)) !== undefined;
};

export const createRequestAnswering = (options: RequestAnsweringOptions): RequestAnswering => {
  const { db, messages, events, now } = options;

  const tell = async (
    trx: Kysely<Database>,
    { account, identifiers }: AccountRecord,
    { approve, brand }: RequestAnswer,
  ): Promise<Delivery[]> => {
    // A disabled account, and one that leaves, gets nothing but what it needs.
    if (account.status !== 'active' || account.leaving_at) return [];
    const notice = approve ? ('developer_allowed' as const) : ('developer_refused' as const);
    const { locale } = account;
    return addNotices(trx, messages, hearersOf(identifiers), { notice, at: now(), locale, brand });
  };

  return {
    noteLook: async ({ actor }) => {
      await recordLook(db, actor, { action: 'look-at-requests' });
    },

    answer: async ({ current, actor }, accountId, answer) => {
      const { approve, reason } = answer;
      const action = approve ? 'allow-developer' : 'refuse-developer';
      const { entry, notices } = await recordRefused(
        db,
        actor,
        { action, subject: accountId, reason },
        async () => {
          if (accountId === current.accountId) throw new AppError('own_account');
          const done = await transact(db, async (trx) => {
            const record = await lockAccount(trx, accountId);
            if (!record) throw new AppError('not_found');
            await requireRoleStill(trx, current.accountId, 'operator');
            if (!(await settle(trx, { accountId, approve, now: now() }))) return undefined;
            const told = await tell(trx, record, answer);
            const said = { action, account: accountId, reason } as const;
            return { entry: await appendRecord(trx, actor, said), notices: told };
          });
          // After the commit: a request that is over stays over.
          if (!done) throw new AppError('nothing_to_do');
          return done;
        },
      );
      events.emit(approve ? 'developer.allowed' : 'developer.refused', { accountId });
      await Promise.all(notices.map((notice) => notice.start()));
      return { entry };
    },
  };
};
