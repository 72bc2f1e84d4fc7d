/** Whether the database can hold a text: JSON can spell a NUL and half of a surrogate pair, which it refuses. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
