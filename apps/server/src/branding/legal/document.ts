import type { Locale } from '@candela/contract';
import type { Block } from '../texts/texts.ts';

export const documentIds = ['terms', 'privacy'] as const;
export type DocumentId = (typeof documentIds)[number];

interface Section {
  title: string;
  body: readonly Block[];
}

/**
 * A document in one language. The key of a section is its anchor, the same in every language. In texts
 * `{brand}`, `{host}` and `{contact}` stand for the name of the brand, its host and its contact address.
 */
export interface DocumentText {
  title: string;
  lead: string;
  sections: Record<string, Section>;
}

/** One edition of a document. A published edition never changes: it is the evidence of what people accepted. */
export interface Edition {
  version: string;
  /** The day from which the edition applies, as an ISO 8601 date. */
  effectiveOn: string;
  texts: Record<Locale, DocumentText>;
}

/** The editions of each document, newest first. People accept the newest edition. */
export type Editions = Record<DocumentId, readonly [Edition, ...Edition[]]>;
