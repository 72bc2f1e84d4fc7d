/** A masked phone number that stays on one line. */
export const unbroken = (contact: string): string => contact.replaceAll(' ', '\u00a0');
