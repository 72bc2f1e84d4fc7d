import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';

export interface LookOptions {
  /** DESK_SHOWS_LOOKS: people see in their activity that staff looked. */
  showsLooks: boolean;
  now: () => Date;
}

/** Once an hour, however often the account is looked at. */
export const noteLook = async (
  trx: Kysely<Database>,
  { showsLooks, now }: LookOptions,
  accountId: string,
): Promise<void> => {
  const fold = `looked ${now().toISOString().slice(0, 13)}`;
  if (showsLooks) await noteActivity(trx, { accountId, kind: 'staff_looked', fold, by: 'admin' });
};
