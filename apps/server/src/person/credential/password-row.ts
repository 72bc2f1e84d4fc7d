import type { RateLimit } from '../../ground/rate-limit/rate-limit.service.ts';

/** NIST SP 800-63B-4 section 3.2.2: no more than 100 wrong ones in a row. */
const TRIES_IN_A_ROW = 100;
/** How long wrong passwords count as following one another. */
const MONTH = 30 * 86_400;

/** Whose password is tried. */
export interface PasswordGuessed {
  /** The account; where there is none, what stands for the identifier. */
  owner: string;
  /** The digest of the pre-session cookie. */
  browserHash: string;
}

/** Wrong passwords in a row: those of strangers together, those of a browser that the account knows apart. */
export const passwordRow = ({ owner, browserHash }: PasswordGuessed, known: boolean): RateLimit => ({
  key: known ? `password.device.row ${owner} ${browserHash}` : `password.row ${owner}`,
  limit: TRIES_IN_A_ROW,
  windowSeconds: MONTH,
});
