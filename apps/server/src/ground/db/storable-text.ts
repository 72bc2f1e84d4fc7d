/** Whether the database can hold a text: it refuses NUL and half of a surrogate pair, which JSON can spell. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
