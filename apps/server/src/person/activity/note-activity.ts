import type { ActivityKind } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { tell } from '../signal/tell.ts';
import type { InitiatingEntity, Told } from '../signal/told.ts';
import { insertActivity, type NewActivity } from './activity.repository.ts';
import { activitySignals, type ToldByCaller } from './activity-signals.ts';

/** What is told of an activity: what its kind says, unless `tells` says otherwise. */
type Telling =
  | { kind: ToldByCaller; tells: readonly Told[] }
  | { kind: Exclude<ActivityKind, ToldByCaller>; tells?: readonly Told[] | undefined };

export type NotedActivity = Omit<NewActivity, 'kind'> & Telling & { by?: InitiatingEntity };

/**
 * Notes what happened to an account, and tells those who depend on it, in the transaction that does it. Call it before
 * the session ends in which it happened, and before the grants end by which an app depends on the account.
 */
export const noteActivity = async (
  trx: Kysely<Database>,
  { tells, by, ...activity }: NotedActivity,
): Promise<void> => {
  await insertActivity(trx, activity);
  const said = tells ?? activitySignals[activity.kind];
  if (said !== 'caller') await tell(trx, activity.accountId, said, by);
};
