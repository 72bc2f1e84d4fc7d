import type { enMore } from './en/account.ts';
import type { en } from './en/flow.ts';

type Translated<Texts> = {
  [Key in keyof Texts]: Texts[Key] extends string ? string : Translated<Texts[Key]>;
};

/** The texts of the sign-in screens in one language: the keys of the English ones, each with a text. */
export type Catalog = Translated<typeof en>;

/** The same of all other pages. */
export type MoreCatalog = Translated<typeof enMore>;
