import type { ClientChange } from '@candela/contract';
import { type ClientNote, clientNotes } from '@candela/contract/rules/client-notes';

const names = Object.keys(clientNotes) as ClientNote[];

/** The name of a note that the server wrote; undefined where the note is a name of the developers’ own, or an address. */
export const noteNameOf = (action: ClientChange['action'], note: string): ClientNote | undefined =>
  action === 'updated' ? names.find((name) => clientNotes[name] === note) : undefined;
