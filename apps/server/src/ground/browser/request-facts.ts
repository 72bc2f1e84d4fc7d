/** The facts of a request that people see later in their lists of sessions and apps. */
export interface RequestFacts {
  userAgent: string;
  /** `ClientHints` as JSON; null where the browser gives none. */
  clientHints: string | null;
  address: string;
  locale: string;
  /** As the page says, by its name in the time zone database. */
  timeZone?: string | undefined;
}
