import type { Kysely } from 'kysely';
import type { ChangeFeed } from '../../ground/db/change-feed.ts';
import type { Database } from '../../ground/db/database.ts';
import type { Logger } from '../../ground/logger.ts';
import { every } from '../../ground/loop/every.ts';
import type { Brand } from '../brand/brand.ts';
import type { BrandTextsSchema } from '../brand/brand-texts.ts';
import { listWordsInForce } from './brand-words.repository.ts';
import { mergeWords, soundWords } from './merge-words.ts';

type Brands = readonly [Brand, ...Brand[]];

export interface WordsInForceOptions {
  db: Kysely<Database>;
  /** The brands with the words of their file. */
  brands: Brands;
  /** What the words are checked by: a release may have other texts than the one that they were written for. */
  schema: BrandTextsSchema;
  changes: Pick<ChangeFeed, 'on' | 'isLive'>;
  logger: Pick<Logger, 'warn'>;
}

export interface WordsInForce {
  /** The same brands; `texts` of each are the words in force at the moment of reading. */
  brands: Brands;
  /** Hears of each change in this process. */
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

/** How often words are read anew while this process does not hear of changes, or could not read them. */
const UNTOLD_SECONDS = 2;

/** Keeps the words of the brands as the database has them: read at the start, and at each change of any process. */
export const keepWordsInForce = async (options: WordsInForceOptions): Promise<WordsInForce> => {
  const { db, brands, schema, changes, logger } = options;
  const listeners: (() => void)[] = [];
  let inForce = new Map<string, NonNullable<Brand['texts']>>();
  let known = '';
  let stale = false;

  const read = async () => {
    stale = false;
    const rows = await listWordsInForce(db);
    const now = rows.map(({ brand, version }) => `${brand} ${version}`).join();
    if (now === known) return;
    known = now;
    inForce = new Map(
      rows.map(({ brand, version, words }) => {
        const sound = soundWords(schema, words);
        if (sound.faults.length > 0)
          logger.warn({ brand, version, faults: sound.faults }, 'words of a brand fit no text');
        return [brand, sound.words];
      }),
    );
    for (const listener of listeners) listener();
  };
  // One reading at a time: an older one must not replace what a newer one read.
  const begun = read();
  let turn = begun;
  const refresh = () => {
    turn = turn.then(read).catch((err: unknown) => {
      stale = true;
      logger.warn({ err }, 'words of the brands could not be read');
    });
    return turn;
  };
  // Heard from the start, so that no change falls between the first reading and the listening.
  changes.on('brand_words', () => void refresh());
  await begun;
  const loop = every(
    UNTOLD_SECONDS,
    async () => {
      if (stale || !changes.isLive()) await refresh();
    },
    { onFailure: (err) => logger.warn({ err }, 'words of the brands could not be read') },
  );

  const [first] = brands;
  const speaking = (brand: Brand): Brand => ({
    ...brand,
    get texts() {
      // The desk's own origin speaks as the first brand.
      return mergeWords(brand.texts, inForce.get(brand.forStaff ? first.id : brand.id));
    },
  });
  const [one, ...others] = brands;
  return {
    brands: [speaking(one), ...others.map(speaking)],
    onChange: (listener) => void listeners.push(listener),
    close: async () => {
      await loop.stop();
      await turn;
    },
  };
};

/** The brands with their words in force now, for a command, which ends soon. */
export const readWordsInForce = async (db: Kysely<Database>, brands: Brands): Promise<Brands> => {
  const words = new Map((await listWordsInForce(db)).map((row) => [row.brand, row.words]));
  const speaking = (brand: Brand): Brand => ({
    ...brand,
    texts: mergeWords(brand.texts, words.get(brand.id)),
  });
  const [one, ...others] = brands;
  return [speaking(one), ...others.map(speaking)];
};
