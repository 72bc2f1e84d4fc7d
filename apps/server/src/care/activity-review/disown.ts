import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { end } from '../../link/ending/end.ts';
import { ends } from '../../link/ending/what-ends-what.ts';
import {
  insertDispute,
  listBrowsersOf,
  type NewActivity,
} from '../../person/activity/activity.repository.ts';
import type { ActivityRow } from '../../person/activity/activity.table.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { deleteRememberedAccount } from '../../person/remembered-account/remembered-account.repository.ts';
import { trustedBrowserRows } from '../../person/trusted-browser/trusted-browser.repository.ts';

/**
 * Notes that it was somebody else, in a transaction that has locked the account. The session in which it happened ends;
 * the browser forgets the account and is asked for the second factor again.
 * @param by where the person says so
 * @returns `isNew`: false where the person has said so before; `ended`: whether a session ended by this.
 */
export const disown = async (
  trx: Kysely<Database>,
  row: ActivityRow,
  by: Pick<NewActivity, 'brand' | 'session' | 'facts'>,
): Promise<{ isNew: boolean; ended: boolean }> => {
  const { id, account_id: accountId, session_uid: sessionUid } = row;
  const isNew = await insertDispute(trx, id);
  if (isNew) await noteActivity(trx, { accountId, kind: 'disputed', ...by });
  for (const browserHash of await listBrowsersOf(trx, row)) {
    await trustedBrowserRows.endOf(trx, accountId, { device_hash: browserHash });
    await deleteRememberedAccount(trx, browserHash, accountId);
  }
  if (sessionUid === null) return { isNew, ended: false };
  const { sessions } = await end(trx, ends.sessionEnded, { accountId, sessionUid });
  return { isNew, ended: sessions.length > 0 };
};
