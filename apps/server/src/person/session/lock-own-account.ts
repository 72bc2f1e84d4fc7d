import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { type AccountRecord, lockAccount } from '../account/account.repository.ts';
import { lockSessions, type SessionChoice } from './session.repository.ts';
import type { CurrentSession } from './session.service.ts';

/**
 * Locks the account of a session for a change, and the session itself: a browser that is being signed out changes
 * nothing any more. The order of locks is that of `end`.
 * @param sessions which sessions are locked: all of them, where the change goes on to other sessions
 * @throws AppError not_signed_in when the session ended meanwhile
 */
export const lockOwnAccount = async (
  trx: Kysely<Database>,
  { accountId, brand, uid }: Pick<CurrentSession, 'accountId' | 'brand' | 'uid'>,
  sessions: SessionChoice = { uid },
): Promise<AccountRecord> => {
  const record = await lockAccount(trx, accountId);
  const locked = await lockSessions(trx, accountId, sessions);
  const isAlive = locked.some((session) => session.brand === brand && session.uid === uid);
  if (record?.account.status !== 'active' || !isAlive) throw new AppError('not_signed_in');
  return record;
};
