import type { DeskBrand, DeskBrandHistory, DeskBrandList, Locale, WordChanges } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import type { TextCatalog } from '../../branding/brand/brand-texts.ts';
import {
  findVersion,
  listVersions,
  listWordsInForce,
} from '../../branding/brand-words/brand-words.repository.ts';
import type { BrandWordsRow } from '../../branding/brand-words/brand-words.table.ts';
import { changeWords, compareWords, soundWords } from '../../branding/brand-words/merge-words.ts';
import { AppError } from '../../ground/errors.ts';
import type { StaffAtWork } from '../desk-session/desk-session.service.ts';
import { recordLook } from '../record/record.service.ts';
import {
  createWordsChange,
  lastVersionOf,
  type WordsChange,
  type WordsChanged,
  type WordsChangeOptions,
} from './words-change.ts';

export interface BrandWordsOptions extends WordsChangeOptions {
  /** The brands with the words of their file. */
  brands: readonly Brand[];
  catalog: TextCatalog;
}

/** What brands say in place of the words of their file: read, changed and taken back by operators. */
export interface BrandWordsService {
  list(member: StaffAtWork): Promise<DeskBrandList>;
  /** @throws AppError not_found */
  show(member: StaffAtWork, brand: string, locale: Locale): Promise<DeskBrand>;
  /**
   * Puts words in force, in one transaction with the entry in the record.
   * @throws AppError not_found, words_invalid with a code for each text, words_changed where `base` is not the last
   * version, nothing_to_do, role_insufficient
   */
  change(
    member: StaffAtWork,
    brand: string,
    change: WordsChange & { words: WordChanges },
  ): Promise<WordsChanged>;
  /** The same with the words of an earlier version; 0: none, so that the file alone speaks. */
  restore(member: StaffAtWork, brand: string, change: WordsChange & { to: number }): Promise<WordsChanged>;
  /** @throws AppError not_found */
  history(
    member: StaffAtWork,
    brand: string,
    choice: { after?: string | undefined },
  ): Promise<DeskBrandHistory>;
}

/** Fits into the column, as `next` of the page before writes it. */
const VERSION = /^[1-9]\d{0,8}$/;
const PAGE = 20;

/** A page of versions; one more than it has says what the last of it changed, and that others follow. */
const toHistory = (rows: readonly BrandWordsRow[]): DeskBrandHistory => {
  const shown = rows.slice(0, PAGE);
  return {
    items: shown.map(({ version, by, reason, words, created_at }, index) => ({
      version,
      by,
      reason,
      at: created_at.toISOString(),
      changed: compareWords(rows[index + 1]?.words ?? {}, words),
    })),
    ...(rows.length > PAGE && { next: String(shown.at(-1)?.version) }),
  };
};

export const createBrandWordsService = (options: BrandWordsOptions): BrandWordsService => {
  const { db, catalog, schema } = options;
  const brands = options.brands.filter(({ forStaff }) => !forStaff);

  /** @throws AppError not_found */
  const brandOf = (id: string): Brand => {
    const brand = brands.find((one) => one.id === id);
    if (!brand) throw new AppError('not_found');
    return brand;
  };

  const putInForce = createWordsChange(options);

  return {
    list: async ({ actor }) => {
      await recordLook(db, actor, { action: 'look-at-words' });
      const rows = new Map((await listWordsInForce(db)).map((row) => [row.brand, row]));
      return {
        items: brands.map(({ id, name }) => {
          const row = rows.get(id);
          return {
            id,
            name,
            version: row?.version ?? 0,
            ...(row && { since: row.created_at.toISOString() }),
          };
        }),
      };
    },

    show: async ({ actor }, id, locale) => {
      const { name, texts: file } = brandOf(id);
      const row = await lastVersionOf(db, id);
      await recordLook(db, actor, { action: 'look-at-words', subject: id });
      const builtIn = { ...catalog.messages[locale], ...catalog.pages?.[locale] };
      return {
        id,
        name,
        version: row?.version ?? 0,
        words: row?.words ?? {},
        texts: Object.entries(builtIn).map(([key, text]) => {
          const own = file?.[locale]?.[key];
          return { key, builtIn: text, ...(own !== undefined && { file: own }) };
        }),
      };
    },

    change: async (member, brand, { words, ...change }) =>
      putInForce(member, brandOf(brand).id, change, async (before) => changeWords(before, words)),

    restore: async (member, brand, { to, ...change }) =>
      putInForce(member, brandOf(brand).id, change, async (_, trx) => {
        if (to === 0) return {};
        const version = await findVersion(trx, brand, to);
        if (!version) throw new AppError('not_found');
        return soundWords(schema, version.words).words;
      }),

    history: async ({ actor }, brand, { after }) => {
      const before = after === undefined ? undefined : Number(after);
      if (after !== undefined && !VERSION.test(after))
        throw new AppError('invalid_request', { fields: { after: 'invalid_request' } });
      const { id } = brandOf(brand);
      await recordLook(db, actor, { action: 'look-at-words', subject: id });
      return toHistory(await listVersions(db, id, { before, limit: PAGE + 1 }));
    },
  };
};
