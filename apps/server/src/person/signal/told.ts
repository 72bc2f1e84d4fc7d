import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import type { LinkEndReason } from './signal.table.ts';
import { type SignalName, signalEvents } from './signal-events.ts';

/** Who is behind an event (`initiating_entity`, CAEP 1.0 section 2). */
export type InitiatingEntity = 'admin' | 'user' | 'policy' | 'system';

/** Events of which each link of an account has one. */
export type LinkSignal = Extract<SignalName, `link-${string}`>;

export const isOfLinks = (event: SignalName): event is LinkSignal => event.startsWith('link-');

/**
 * What is told of an account. Its members are the event's. Without `members` it is an event that only who has the
 * scope is told.
 */
export interface Told {
  event: SignalName;
  /** What everybody who is told may know. */
  members?: Readonly<Record<string, unknown>>;
  /** Added for a client whose grant has this scope. */
  opened?: { scope: string; members: Readonly<Record<string, unknown>> };
  /** Members in place of those of `opened`, by the brand of the stream. */
  openedAt?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /**
   * It is told only where so many things suspend the account now: that an operator disabled it, and that its person
   * leaves. So who was told once that it is disabled is told once that it is enabled.
   */
  suspensions?: 0 | 1;
}

/** RISC 1.0 gives its events neither a time nor an initiator; CAEP 1.0 does (section 2), and so do those of links. */
export const isStamped = (event: SignalName): boolean => !signalEvents[event].includes('/risc/');

/** CAEP 1.0 section 3.3.1. */
type ChangeType = 'create' | 'revoke' | 'update' | 'delete';

/** @param type of CAEP 1.0 section 3.3.1; `app` is an authenticator app */
export const credentialChange = (
  type: 'password' | 'app' | 'fido2-platform' | 'fido2-roaming',
  change: ChangeType,
  more: Readonly<Record<string, unknown>> = {},
): Told => ({
  event: 'credential-change',
  members: { credential_type: type, change_type: change, ...more },
});

/** A passkey on a device or with a provider; one that is reached by a cable or a tap alone is roaming. */
export const passkeyChange = (
  { transports, aaguid }: { transports: string; aaguid: string },
  change: ChangeType,
): Told => {
  const ways = transports.split(' ');
  const isRoaming = ['usb', 'nfc', 'ble'].some((way) => ways.includes(way)) && !ways.includes('internal');
  return credentialChange(isRoaming ? 'fido2-roaming' : 'fido2-platform', change, { fido2_aaguid: aaguid });
};

/**
 * An identifier was added, changed or, without a value, removed (RISC 1.0 section 2.5). Its value is for those alone
 * who have the scope of its claim.
 */
export const identifierChanged = ({ kind, value }: { kind: IdentifierKind; value?: string }): Told => ({
  event: 'identifier-changed',
  members: {},
  ...(value !== undefined && { opened: { scope: kind, members: { 'new-value': value } } }),
});

/** Claims of the scope `profile` have other values (CAEP 1.0 section 3.2); null: there is none any more. */
export const claimsChange = (claims: Readonly<Record<string, unknown>>): Told => ({
  event: 'token-claims-change',
  opened: { scope: 'profile', members: { claims } },
});

/** The account is disabled, or its person leaves: its links answer nothing for a while. */
export const suspended: readonly Told[] = [
  { event: 'account-disabled', members: {}, suspensions: 1 },
  { event: 'link-suspended', members: {}, suspensions: 1 },
];

/** The account is disabled, and its links end for good. */
export const disabledWithLinks: readonly Told[] = [
  { event: 'account-disabled', members: {}, suspensions: 1 },
];

export const resumed: readonly Told[] = [
  { event: 'account-enabled', members: {}, suspensions: 0 },
  { event: 'link-resumed', members: {}, suspensions: 0 },
];

/** Who is behind the end of a link, by its reason. */
export const linkEnders: Readonly<Record<LinkEndReason, InitiatingEntity>> = {
  withdrawn: 'user',
  revoked_by_client: 'system',
  token_theft: 'policy',
  code_reused: 'policy',
  client_disabled: 'admin',
  client_deleted: 'admin',
  account_disabled: 'admin',
  account_deleted: 'user',
  expired: 'system',
};
