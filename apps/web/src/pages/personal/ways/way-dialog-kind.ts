import type { Passkey } from '@candela/contract';

/** The dialogs that the rows open. */
export type WayDialogKind =
  | { kind: 'add-passkey' | 'turn-on' | 'turn-off' | 'new-codes' }
  | { kind: 'rename' | 'remove'; passkey: Passkey };
