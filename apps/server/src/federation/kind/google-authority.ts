/** What an ID Token of Google says of an e-mail address. */
interface GoogleEmailClaims {
  email: string;
  email_verified?: unknown;
  /** The domain of the person's Google Workspace. */
  hd?: unknown;
}

/**
 * Whether Google's word is proof of the address today: at gmail.com and, by `hd`, in Google Workspace. Of any other
 * address Google says that it was verified once; somebody else may have it by now.
 */
export const isGoogleAuthority = ({ email, email_verified: isVerified, hd }: GoogleEmailClaims): boolean =>
  isVerified === true && (/@gmail\.com$/i.test(email) || (typeof hd === 'string' && hd !== ''));
