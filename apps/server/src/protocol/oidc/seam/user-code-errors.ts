/** What became of a user code that a person entered (RFC 8628 section 3.3), as the engine refuses it. */
export type UserCodeRefusal = 'blank' | 'unknown' | 'expired' | 'used' | 'aborted';

/** The engine's error classes by their names: it exports none of them. */
const refusals: Readonly<Record<string, UserCodeRefusal>> = {
  NoCodeError: 'blank',
  NotFoundError: 'unknown',
  ExpiredError: 'expired',
  AlreadyUsedError: 'used',
  AbortedError: 'aborted',
};

/** Why the engine refused a user code; undefined for any other error. */
export const refusalOfUserCode = ({ name }: Error): UserCodeRefusal | undefined => refusals[name];
