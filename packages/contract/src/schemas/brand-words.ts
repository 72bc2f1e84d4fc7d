import * as z from 'zod/mini';
import { byLocale } from '../languages.ts';
import { Reason } from './desk.ts';
import { Locale } from './locale.ts';

const at = z.iso.datetime();
/** 0: the words of the file alone. */
const version = z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1));

/** Texts by language and key, in place of those of the file and of the built-in ones. */
const BrandWords = z.strictObject(byLocale(() => z.optional(z.record(z.string(), z.string()))));
export type BrandWords = z.infer<typeof BrandWords>;

export const DeskBrandList = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      version,
      /** When the version came into force; absent: the words of the file are in force. */
      since: z.optional(at),
    }),
  ),
});

export type DeskBrandList = z.infer<typeof DeskBrandList>;

export const DeskBrandQuery = z.strictObject({ locale: Locale });

/** The words of a brand, with every text of one language that they may replace. */
export const DeskBrand = z.object({
  id: z.string(),
  name: z.string(),
  version,
  words: BrandWords,
  texts: z.array(
    z.object({
      /** `login.forgot`; those of messages begin with `messages.`. */
      key: z.string(),
      builtIn: z.string(),
      /** The text of the brand’s file. */
      file: z.optional(z.string()),
    }),
  ),
});
export type DeskBrand = z.infer<typeof DeskBrand>;

/** Texts that change, by language and key; null: the text of the file again, or the built-in one. */
const WordChanges = z.strictObject(byLocale(() => z.optional(z.record(z.string(), z.nullable(z.string())))));
export type WordChanges = z.infer<typeof WordChanges>;

/** `base` is the version that was in force where the change began. */
export const ChangeBrandWords = z.strictObject({ base: version, reason: Reason, words: WordChanges });
/** `to` is an earlier version; 0: the file. */
export const RestoreBrandWords = z.strictObject({ base: version, reason: Reason, to: version });
export const BrandWordsChanged = z.object({ entry: z.int(), version });

export const DeskBrandHistory = z.object({
  items: z.array(
    z.object({
      version,
      by: z.string(),
      reason: z.string(),
      at,
      /** What differs from the version before, as `en.login.forgot`. */
      changed: z.array(z.string()),
    }),
  ),
  next: z.optional(z.string()),
});
export type DeskBrandHistory = z.infer<typeof DeskBrandHistory>;
