import type { account } from './en/account.ts';
import type { flow } from './en/flow.ts';

/** The keys of the English texts. */
type Translated<English> = {
  [Key in keyof English]: English[Key] extends string ? string : Translated<English[Key]>;
};

/** All texts of a language. Each group is the file of its name in the folder of the language. */
export interface LanguageTexts {
  /** The screens of a sign-in, and the errors of every form. */
  flow: Translated<typeof flow>;
  /** All other pages. A sign-in loads none of these texts. */
  account: Translated<typeof account>;
}
