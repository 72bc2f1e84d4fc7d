import type { Kysely } from 'kysely';
import { type BrandTexts, type BrandTextsSchema, findWordFaults } from '../../branding/brand/brand-texts.ts';
import { insertNextVersion, listVersions } from '../../branding/brand-words/brand-words.repository.ts';
import type { BrandWordsRow } from '../../branding/brand-words/brand-words.table.ts';
import { compareWords, soundWords } from '../../branding/brand-words/merge-words.ts';
import type { Database } from '../../ground/db/database.ts';
import { transact } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';
import { appendRecord } from '../record/record.service.ts';
import { recordRefused } from '../record/record-refused.ts';
import { requireRoleStill } from '../staff/require-role.ts';

export interface WordsChangeOptions {
  db: Kysely<Database>;
  events: EventSink;
  /** What words of the file are checked by, too. */
  schema: BrandTextsSchema;
}

export interface WordsChange {
  /** The version that was in force where the change began. */
  base: number;
  reason: string;
}

/** The number of the entry in the record, and of the version. */
export interface WordsChanged {
  entry: number;
  version: number;
}

/** Answers the words that are to be in force; `before` are those of the last version that fit a text. */
type WordsAfter = (before: BrandTexts, trx: Kysely<Database>) => Promise<BrandTexts>;

export const lastVersionOf = async (
  db: Kysely<Database>,
  brand: string,
): Promise<BrandWordsRow | undefined> => (await listVersions(db, brand, { limit: 1 }))[0];

/**
 * Puts words in force as the next version, in one transaction with its entry in the record.
 * @throws AppError role_insufficient, words_changed where `base` is not the last version, words_invalid, nothing_to_do
 */
export const createWordsChange =
  ({ db, events, schema }: WordsChangeOptions) =>
  (
    { actor, current }: StaffAtWork,
    brand: string,
    { base, reason }: WordsChange,
    wordsAfter: WordsAfter,
  ): Promise<WordsChanged> => {
    const recorded = { action: 'change-words', subject: brand, reason } as const;
    return recordRefused(db, actor, recorded, async () => {
      const changed = await transact(db, async (trx) => {
        await requireRoleStill(trx, current.accountId, 'operator');
        const last = await lastVersionOf(trx, brand);
        if ((last?.version ?? 0) !== base) throw new AppError('words_changed');
        const words = await wordsAfter(soundWords(schema, last?.words ?? {}).words, trx);
        const fields = findWordFaults(schema, words);
        if (Object.keys(fields).length > 0) throw new AppError('words_invalid', { fields });
        if (compareWords(last?.words ?? {}, words).length === 0) throw new AppError('nothing_to_do');
        const version = await insertNextVersion(trx, { brand, base, words, by: actor.name, reason });
        if (version === undefined) throw new AppError('words_changed');
        const entry = await appendRecord(trx, actor, { ...recorded, subject: `${brand} ${version}` });
        return { entry, version };
      });
      events.emit('brand.words_changed', { brand, accountId: current.accountId });
      return changed;
    });
  };
