import type { SignalName } from '@candela/contract/rules/signal-names';

const caep = 'https://schemas.openid.net/secevent/caep/event-type/';
const risc = 'https://schemas.openid.net/secevent/risc/event-type/';
const link = 'urn:candela:event-type:';

/** The types of events by their names: CAEP 1.0, RISC 1.0, and those of links, which are Candela's. */
export const signalEvents = {
  'session-revoked': `${caep}session-revoked`,
  'credential-change': `${caep}credential-change`,
  'token-claims-change': `${caep}token-claims-change`,
  'account-disabled': `${risc}account-disabled`,
  'account-enabled': `${risc}account-enabled`,
  'account-purged': `${risc}account-purged`,
  'identifier-changed': `${risc}identifier-changed`,
  'recovery-activated': `${risc}recovery-activated`,
  'sessions-revoked': `${risc}sessions-revoked`,
  'link-created': `${link}link-created`,
  'link-narrowed': `${link}link-narrowed`,
  'link-suspended': `${link}link-suspended`,
  'link-resumed': `${link}link-resumed`,
  'link-ended': `${link}link-ended`,
} as const satisfies Record<SignalName, string>;

export type { SignalName };

export const isSignalName = (event: string): event is SignalName => Object.hasOwn(signalEvents, event);
