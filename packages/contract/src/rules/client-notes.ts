/**
 * The notes in the history of a client that stand in place of a value, by their names. History is kept, so a note keeps
 * its words; a page translates them.
 */
export const clientNotes = {
  added: 'added',
  replaced: 'another one',
  rehashed: 'the same, hashed under the newest SECRET_KEY',
  removed: 'removed',
  renewed: 'a new secret',
} as const;
export type ClientNote = keyof typeof clientNotes;
