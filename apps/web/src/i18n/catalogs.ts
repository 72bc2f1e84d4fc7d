import type { Locale } from '@candela/contract';
import type { Catalog, MoreCatalog } from './catalog.ts';
import { enMore } from './en/account.ts';
import { en } from './en/flow.ts';
import { ruMore } from './ru/account.ts';
import { ru } from './ru/flow.ts';
import { zhHansMore } from './zh-Hans/account.ts';
import { zhHans } from './zh-Hans/flow.ts';
import { zhHantMore } from './zh-Hant/account.ts';
import { zhHant } from './zh-Hant/flow.ts';

/** Everything that the pages say, for tests and for the build: pages themselves load what they show. */
const catalogs: Record<Locale, Catalog & MoreCatalog> = {
  en: { ...en, ...enMore },
  'zh-Hant': { ...zhHant, ...zhHantMore },
  'zh-Hans': { ...zhHans, ...zhHansMore },
  ru: { ...ru, ...ruMore },
};

type Texts = { [key: string]: string | Texts };

const flatten = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flatten(value, `${path}${key}.`),
  );

/** The texts of one language by their keys: `login.title`. */
export const textsOf = (locale: Locale): Record<string, string> =>
  Object.fromEntries(flatten(catalogs[locale]));
