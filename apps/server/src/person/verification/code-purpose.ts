import type { CodePurpose } from '@candela/contract';

const ofSession: readonly CodePurpose[] = ['bind', 'step-up'];

/** Whether a code of this purpose opens nothing but the account of a session. */
export const isOfSession = (purpose: CodePurpose): boolean => ofSession.includes(purpose);
