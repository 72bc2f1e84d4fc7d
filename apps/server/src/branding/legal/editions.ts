import { byLocale, type Locale } from '@candela/contract';
import { textsOf } from '../texts/texts.ts';
import type { DocumentId, DocumentText, Edition, Editions } from './document.ts';

/** The editions of a document in the built-in words. An earlier one has the sections that were replaced since. */
const editionsOf = (id: DocumentId): readonly [Edition, Edition] => [
  {
    version: '2026-11-23',
    effectiveOn: '2026-11-23',
    texts: byLocale((locale) => textsOf(locale)[id]),
  },
  {
    version: '2026-11-01',
    effectiveOn: '2026-11-01',
    texts: byLocale((locale) => {
      const { [id]: text, earlier } = textsOf(locale);
      return { ...text, sections: { ...text.sections, ...earlier[id] } };
    }),
  },
];

const builtIn: Editions = { terms: editionsOf('terms'), privacy: editionsOf('privacy') };

/** The versions of a document, newest first; `own` are the brand’s own editions. */
export const versionsOf = (id: DocumentId, own: Partial<Editions> = {}): [string, ...string[]] => {
  const [newest, ...older] = own[id] ?? builtIn[id];
  return [newest.version, ...older.map(({ version }) => version)];
};

export interface LegalDocument {
  id: DocumentId;
  locale: Locale;
  version: string;
  effectiveOn: string;
  text: DocumentText;
  /** All versions, newest first. */
  versions: readonly Pick<Edition, 'version' | 'effectiveOn'>[];
}

/** A document in a language: the edition `version`, or else the current edition; `own` are the brand’s own editions. */
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
