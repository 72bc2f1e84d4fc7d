import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { insertEntry, lockHead } from './record.repository.ts';
import type { StaffRecordRow } from './record.table.ts';
import { hashOf } from './record-hash.ts';

/** Who looks or acts, and from where. */
export interface RecordActor {
  kind: 'staff' | 'command';
  account?: string | undefined;
  name: string;
  role?: StaffRecordRow['actor_role'] | undefined;
  /** The address of the browser, or the host of a command. */
  from: string;
}

/** What somebody looked at or did. */
export interface Recorded {
  action: StaffRecordRow['action'];
  outcome?: StaffRecordRow['outcome'];
  account?: string | undefined;
  subject?: string | undefined;
  reason?: string | undefined;
}

/** The most characters of what a name or a subject is recorded with. */
const MOST_CHARACTERS = 500;

/** As the database keeps it: half a character would be read as another one, and break the chain. */
const bounded = (text: string | undefined): string | null =>
  text?.slice(0, MOST_CHARACTERS).replaceAll('\0', '').toWellFormed() ?? null;

/**
 * Appends an entry in the transaction of what it tells. It locks the head, so that entries follow each other however many
 * processes write: it comes last in its transaction, and is short. Answers the number of the entry.
 */
export const appendRecord = async (
  trx: Kysely<Database>,
  actor: RecordActor,
  { action, outcome = 'done', account, subject, reason }: Recorded,
): Promise<number> => {
  const head = await lockHead(trx);
  const row = {
    entry: head.entry + 1,
    at: head.at,
    actor_kind: actor.kind,
    actor_account: actor.account ?? null,
    actor_name: bounded(actor.name) ?? '',
    actor_role: actor.role ?? null,
    action,
    account_id: account ?? null,
    subject: bounded(subject),
    reason: bounded(reason),
    origin: bounded(actor.from) ?? '',
    outcome,
    previous_hash: head.hash,
  };
  await insertEntry(trx, { ...row, hash: hashOf(row) });
  return row.entry;
};

/** Appends an entry by itself: of a look, which changes nothing. */
export const recordLook = (db: Kysely<Database>, actor: RecordActor, looked: Recorded): Promise<number> =>
  inTransaction(db, (trx) => appendRecord(trx, actor, looked));
