import type { EventSink } from '../../ground/event/events.ts';
import { type DeletionOptions, deleteAccount } from './account-deletion.ts';
import { listDueAccounts } from './leaving.repository.ts';

export interface DueDeletionOptions extends DeletionOptions {
  events: EventSink;
}

const BATCH = 20;

/**
 * Deletes the accounts whose grace is over, and answers how many. One that cannot be deleted does not hold up others.
 * @param mayGoOn is asked before each account; the work ends when the answer is no
 */
export const carryOutDue = async (
  options: DueDeletionOptions,
  mayGoOn: () => Promise<boolean>,
): Promise<number> => {
  const { db, events } = options;
  const failures = new Map<string, unknown>();
  let deleted = 0;
  for (;;) {
    const listed = await listDueAccounts(db, BATCH + failures.size);
    const due = listed.filter((id) => !failures.has(id));
    for (const id of due) {
      if (!(await mayGoOn())) return deleted;
      try {
        if (!(await deleteAccount(options, id, { due: true }))) continue;
        events.emit('account.deleted', { accountId: id });
        deleted += 1;
      } catch (error) {
        failures.set(id, error);
      }
    }
    if (due.length > 0) continue;
    for (const error of failures.values()) throw error;
    return deleted;
  }
};
