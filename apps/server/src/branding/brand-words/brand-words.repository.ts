import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import type { BrandTexts } from '../brand/brand-texts.ts';
import type { BrandWordsRow } from './brand-words.table.ts';

const columns = ['brand', 'version', 'words', 'by', 'reason', 'created_at'] as const;

/** The last version of each brand that has one. */
export const listWordsInForce = (db: Kysely<Database>): Promise<BrandWordsRow[]> =>
  db
    .selectFrom('brand_words')
    .select(columns)
    .distinctOn('brand')
    .orderBy('brand')
    .orderBy('version', 'desc')
    .execute();

/** Versions of a brand, the newest first, before `before`. */
export const listVersions = (
  db: Kysely<Database>,
  brand: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<BrandWordsRow[]> => {
  let query = db
    .selectFrom('brand_words')
    .select(columns)
    .where('brand', '=', brand)
    .orderBy('version', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('version', '<', before);
  return query.execute();
};

export const findVersion = (
  db: Kysely<Database>,
  brand: string,
  version: number,
): Promise<BrandWordsRow | undefined> =>
  db
    .selectFrom('brand_words')
    .select(columns)
    .where('brand', '=', brand)
    .where('version', '=', version)
    .executeTakeFirst();

interface NextVersion {
  brand: string;
  base: number;
  words: BrandTexts;
  by: string;
  reason: string;
}

/** Adds the version that follows `base`, and answers its number; undefined where `base` is not the last. */
export const insertNextVersion = async (
  db: Kysely<Database>,
  { brand, base, words, by, reason }: NextVersion,
): Promise<number | undefined> => {
  const { rows } = await sql<{ version: number }>`
    insert into brand_words (brand, version, words, by, reason)
    select ${brand}, cast(${base} as integer) + 1, cast(${JSON.stringify(words)} as jsonb), ${by}, ${reason}
    where ${base} = (select coalesce(max(version), 0) from brand_words where brand = ${brand})
    on conflict (brand, version) do nothing
    returning version`.execute(db);
  return rows[0]?.version;
};
