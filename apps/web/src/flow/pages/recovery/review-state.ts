import type { RecoveryReview } from '@candela/contract';

/** What the new password may remove, as the history state of its step holds it. */
export const toReviewState = ({
  authorizations,
  identifiers,
  passkeys,
  providers,
}: { [Part in keyof RecoveryReview]?: RecoveryReview[Part] | undefined }) => ({
  links: authorizations,
  others: identifiers,
  passkeys,
  providers,
});
