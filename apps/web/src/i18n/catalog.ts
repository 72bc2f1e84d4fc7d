import type { en } from './en.ts';

type Translated<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string ? string : Translated<Texts[Key]>;
};

/** All texts of one language: the keys of the English catalogue, each with a text. */
export type Catalog = Translated<typeof en>;
