import type { RecordEntry } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { findHead, listEntries, listEntriesAfter, type RecordChoice } from '../record/record.repository.ts';
import { type RecordActor, recordLook } from '../record/record.service.ts';
import type { StaffRecordRow } from '../record/record.table.ts';
import { FIRST_HASH, hashOf } from '../record/record-hash.ts';

/** What a walk along the chain found; `brokenAt` is the first entry that is not as it was written. */
export interface Verified {
  entries: number;
  /** The hash of the last entry: kept elsewhere, it also proves later that nothing was cut off. */
  hash: string;
  brokenAt?: number;
}

export interface RecordReviewService {
  /** The newest first; `after` is the `next` of an earlier page. @throws AppError invalid_request for another `after` */
  list(
    choice: RecordChoice & { after?: string | undefined },
  ): Promise<{ items: RecordEntry[]; next?: string }>;
  /** The newest entries as JSON lines, at most 10,000. */
  toFile(choice: RecordChoice): Promise<Uint8Array>;
  /** Records that somebody reads the record itself. */
  noteLook(actor: RecordActor, choice: RecordChoice): Promise<void>;
  /** Walks the whole chain, and hands each entry on in its order. */
  verify(each?: (row: StaffRecordRow) => Promise<void> | void): Promise<Verified>;
}

const PAGE = 50;
const MOST_IN_FILE = 10_000;
const BATCH = 1_000;
/** An entry as pages and files have it. */
export const toEntry = (row: StaffRecordRow): RecordEntry => ({
  entry: row.entry,
  at: row.at.toISOString(),
  by: {
    kind: row.actor_kind,
    ...(row.actor_account !== null && { account: row.actor_account }),
    name: row.actor_name,
    ...(row.actor_role !== null && { role: row.actor_role }),
  },
  action: row.action,
  ...(row.account_id !== null && { account: row.account_id }),
  ...(row.subject !== null && { subject: row.subject }),
  ...(row.reason !== null && { reason: row.reason }),
  from: row.origin,
  outcome: row.outcome,
  hash: row.hash,
});

/** A line of a file: the entry and the hash of the one before, by which others can walk the chain. */
export const toLine = (row: StaffRecordRow): string =>
  `${JSON.stringify({ ...toEntry(row), previous: row.previous_hash })}\n`;

const readAfter = (after: string | undefined): number | undefined => {
  if (after === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(after))
    throw new AppError('invalid_request', { fields: { after: 'invalid_request' } });
  return Number(after);
};

export const createRecordReviewService = ({ db }: { db: Kysely<Database> }): RecordReviewService => ({
  list: async ({ after, ...choice }) => {
    const rows = await listEntries(db, choice, { before: readAfter(after), limit: PAGE + 1 });
    const page = rows.slice(0, PAGE);
    const last = page.at(-1);
    return { items: page.map(toEntry), ...(rows.length > PAGE && last && { next: String(last.entry) }) };
  },

  toFile: async (choice) => {
    const rows = await listEntries(db, choice, { limit: MOST_IN_FILE });
    return Buffer.from(rows.map(toLine).join(''));
  },

  noteLook: async (actor, { account, staff, action }) => {
    const subject = [staff, action].filter(Boolean).join(' ') || undefined;
    await recordLook(db, actor, { action: 'look-at-record', account, subject });
  },

  verify: async (each = () => undefined) => {
    let last = { entry: 0, hash: FIRST_HASH };
    let brokenAt: number | undefined;
    for (;;) {
      const rows = await listEntriesAfter(db, { after: last.entry, limit: BATCH });
      for (const row of rows) {
        const isNext = row.entry === last.entry + 1 && row.previous_hash === last.hash;
        if (!isNext || hashOf(row) !== row.hash) brokenAt ??= row.entry;
        await each(row);
        last = { entry: row.entry, hash: row.hash };
      }
      if (rows.length < BATCH) break;
    }
    const head = await findHead(db);
    // Entries that came meanwhile follow the last one; a head that is behind it, or ahead of nothing, was changed.
    if (head && head.entry < last.entry) brokenAt ??= head.entry + 1;
    if (head?.entry === last.entry && head.hash !== last.hash) brokenAt ??= last.entry;
    if (
      head &&
      head.entry > last.entry &&
      (await listEntriesAfter(db, { after: last.entry, limit: 1 })).length === 0
    )
      brokenAt ??= last.entry + 1;
    if (!head && last.entry > 0) brokenAt ??= 1;
    return { entries: last.entry, hash: last.hash, ...(brokenAt !== undefined && { brokenAt }) };
  },
});
