import type { Locale } from '@candela/contract';

export const documentIds = ['terms', 'privacy'] as const;
export type DocumentId = (typeof documentIds)[number];

/** A paragraph, or the items of a list. `{brand}`, `{host}` and `{contact}` stand for those of the brand. */
export type Block = string | readonly string[];

interface Section {
  title: string;
  body: readonly Block[];
}

/** A document in one language; the keys of its sections are their anchors, the same in every language. */
export interface DocumentText<SectionId extends string = string> {
  title: string;
  lead: string;
  sections: Record<SectionId, Section>;
}

/** One edition of a document. What people accepted is evidence: an edition that was published never changes. */
export interface Edition {
  version: string;
  /** The day from which it holds, as an ISO 8601 date. */
  effectiveOn: string;
  texts: Record<Locale, DocumentText>;
}

/** Of every document, newest first: the first is the one to accept. */
export type Editions = Record<DocumentId, readonly [Edition, ...Edition[]]>;
