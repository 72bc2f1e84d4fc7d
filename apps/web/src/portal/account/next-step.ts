import type { LinkEndReason } from '@candela/contract';

/** What a person does about a link that ended. */
export const nextStep: Record<LinkEndReason, 'again' | 'later' | 'careful' | 'nothing'> = {
  withdrawn: 'again',
  revoked_by_client: 'again',
  token_theft: 'careful',
  code_reused: 'careful',
  client_disabled: 'later',
  client_deleted: 'nothing',
  account_disabled: 'again',
  account_deleted: 'again',
  expired: 'again',
};
