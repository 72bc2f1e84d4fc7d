/** The words of a text that separates them by spaces, as `scope` does (RFC 6749 section 3.3); none of anything else. */
export const readWords = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(' ').filter(Boolean) : [];
