import type { Locale } from '@candela/contract';
import { privacyEn } from '../texts/en/privacy.ts';
import { termsEn } from '../texts/en/terms.ts';
import { privacyRu } from '../texts/ru/privacy.ts';
import { termsRu } from '../texts/ru/terms.ts';
import { privacyZhHans } from '../texts/zh-Hans/privacy.ts';
import { termsZhHans } from '../texts/zh-Hans/terms.ts';
import { privacyZhHant } from '../texts/zh-Hant/privacy.ts';
import { termsZhHant } from '../texts/zh-Hant/terms.ts';
import type { DocumentId, DocumentText, Edition, Editions } from './document.ts';

const builtIn: Editions = {
  terms: [
    {
      version: '2026-11-01',
      effectiveOn: '2026-11-01',
      texts: { en: termsEn, 'zh-Hant': termsZhHant, 'zh-Hans': termsZhHans, ru: termsRu },
    },
  ],
  privacy: [
    {
      version: '2026-11-01',
      effectiveOn: '2026-11-01',
      texts: { en: privacyEn, 'zh-Hant': privacyZhHant, 'zh-Hans': privacyZhHans, ru: privacyRu },
    },
  ],
};

/** The version to accept; `own` are the editions of a brand with words of its own. */
export const currentVersion = (id: DocumentId, own: Partial<Editions> = {}): string =>
  (own[id] ?? builtIn[id])[0].version;

export interface LegalDocument {
  id: DocumentId;
  locale: Locale;
  version: string;
  effectiveOn: string;
  text: DocumentText;
  /** Every version there is, newest first. */
  versions: readonly Pick<Edition, 'version' | 'effectiveOn'>[];
}

/** A document in a language; a version that does not exist is the current one. */
export const findDocument = (
  id: DocumentId,
  locale: Locale,
  version: unknown,
  own: Partial<Editions> = {},
): LegalDocument => {
  const versions = own[id] ?? builtIn[id];
  const edition = versions.find((one) => one.version === version) ?? versions[0];
  return {
    id,
    locale,
    version: edition.version,
    effectiveOn: edition.effectiveOn,
    text: edition.texts[locale],
    versions,
  };
};
