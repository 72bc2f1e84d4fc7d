import type { Generated, Selectable } from 'kysely';
import type { BrandTexts } from '../brand/brand-texts.ts';

/** What a brand says in place of the words of its file. Rows are added, and never changed: the last is in force. */
export interface BrandWordsTable {
  brand: string;
  /** 1 for the first of a brand, and one more for each that follows. */
  version: number;
  /** All words of the version; none: the file alone. */
  words: BrandTexts;
  /** The name of the member of staff. */
  by: string;
  reason: string;
  created_at: Generated<Date>;
}

export type BrandWordsRow = Selectable<BrandWordsTable>;

declare module '../../ground/db/database.ts' {
  interface Database {
    brand_words: BrandWordsTable;
  }
}
