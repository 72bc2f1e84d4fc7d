import type { account } from './en/account.ts';
import type { activity } from './en/activity.ts';
import type { desk } from './en/desk.ts';
import type { developers } from './en/developers.ts';
import type { flow } from './en/flow.ts';
import type { providers } from './en/providers.ts';
import type { security } from './en/security.ts';

type PluralKey = `${string}_${Intl.LDMLPluralRule}`;
type PluralBase<Key> = Key extends `${infer Base}_${Intl.LDMLPluralRule}` ? Base : never;

/** The keys of the English texts. Of a text with a count, each language has the plural forms that it has. */
type Translated<English> = {
  [Key in keyof English as Key extends PluralKey ? never : Key]: English[Key] extends string
    ? string
    : Translated<English[Key]>;
} & { [Key in keyof English as Key extends PluralKey ? `${PluralBase<Key>}_other` : never]: string } & {
  [Key in keyof English as Key extends PluralKey
    ? `${PluralBase<Key>}_${Intl.LDMLPluralRule}`
    : never]?: string;
};

/** All texts of a language. Each group is the file of its name in the folder of the language. */
export interface LanguageTexts {
  /** The screens of a sign-in, and the errors of every form. */
  flow: Translated<typeof flow>;
  /** The other pages. A sign-in loads none of these texts. */
  account: Translated<typeof account>;
  /** Ways to sign in, the second step, leaving, and links: pages and parts of pages that need them load these texts. */
  security: Translated<typeof security>;
  /** What happened to the account, and links in notices. Their three pages alone load these texts. */
  activity: Translated<typeof activity>;
  /** The developers’ pages, which alone load these texts. */
  developers: Translated<typeof developers>;
  /** The pages of the desk, which alone load these texts. */
  desk: Translated<typeof desk>;
  /** Signing in with an account elsewhere. Only where the brand has providers does a screen load these texts. */
  providers: Translated<typeof providers>;
}
