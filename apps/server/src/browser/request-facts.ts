/** Who asks, as people see it later in their lists. */
export interface RequestFacts {
  userAgent: string;
  /** `ClientHints` as JSON; null where the browser gives none. */
  clientHints: string | null;
  address: string;
  locale: string;
}
