import type { InteractionDetails } from '@candela/contract';
import { call } from './client.ts';

const pending = new Map<string, Promise<InteractionDetails>>();
const known = new Map<string, InteractionDetails>();

/** Fetches the details of an interaction. Calls at the same time share one request. */
export const fetchInteraction = (uid: string): Promise<InteractionDetails> => {
  const request =
    pending.get(uid) ??
    call('GET /interaction/:uid/details', { params: { uid } }).then(
      (details) => {
        known.set(uid, details);
        return details;
      },
      (error: unknown) => {
        pending.delete(uid);
        throw error;
      },
    );
  pending.set(uid, request);
  return request;
};

/** The details of the last answer: the next screen of the flow starts with them. */
export const knownInteraction = (uid: string): InteractionDetails | undefined => known.get(uid);

/** The next `fetchInteraction` asks the server again. */
export const forgetInteraction = (uid: string): void => {
  pending.delete(uid);
};
