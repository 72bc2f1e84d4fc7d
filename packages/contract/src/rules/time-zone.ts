/** The header in which a page says the time zone of its browser. */
export const TIME_ZONE_HEADER = 'time-zone';

/** Longer than the longest name of the time zone database. */
const LENGTH = 64;

/** The name of a time zone as the time zone database (IANA) writes it, such as `Europe/Berlin`; undefined for any other text. */
export const readTimeZone = (name: string): string | undefined => {
  if (name.length > LENGTH || !/^[A-Z][A-Za-z]*(?:[/_+-][A-Za-z0-9]+)*$/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
};
