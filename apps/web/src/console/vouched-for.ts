import type { RegisteredClient } from '@candela/contract';

/** Whether the brand has verified who runs the app. A change of what people go by ends that. */
export const isVouchedFor = ({ verified, first_party: isOwn }: RegisteredClient): boolean =>
  verified && !isOwn;
