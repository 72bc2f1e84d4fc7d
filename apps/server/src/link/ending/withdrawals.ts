import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { NewActivity } from '../../person/activity/activity.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { EndedGrant } from '../grant/ended-grant.ts';

/** Notes that approvals were withdrawn: once for each client of a brand, however many approvals it had. */
export const insertWithdrawals = async (
  trx: Kysely<Database>,
  by: Omit<NewActivity, 'kind' | 'clientId'>,
  withdrawn: readonly EndedGrant[],
): Promise<void> => {
  const clients = new Map(withdrawn.map(({ brand, client_id }) => [`${brand} ${client_id}`, client_id]));
  for (const [key, clientId] of clients) {
    const brand = key.slice(0, key.indexOf(' '));
    await noteActivity(trx, { ...by, brand, clientId, kind: 'approval_withdrawn' });
  }
};
