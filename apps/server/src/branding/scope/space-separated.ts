/** The words of a text that spaces separate, as in `scope` (RFC 6749 section 3.3); none where it is no text. */
export const readWords = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(' ').filter(Boolean) : [];
