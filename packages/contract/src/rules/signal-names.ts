/** The events of a stream by their names: CAEP 1.0, RISC 1.0, and those of links. */
export const signalNames = [
  'session-revoked',
  'credential-change',
  'token-claims-change',
  'account-disabled',
  'account-enabled',
  'account-purged',
  'identifier-changed',
  'recovery-activated',
  'sessions-revoked',
  'link-created',
  'link-narrowed',
  'link-suspended',
  'link-resumed',
  'link-ended',
] as const;

export type SignalName = (typeof signalNames)[number];
