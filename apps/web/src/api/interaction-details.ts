import type { InteractionDetails } from '@candela/contract';
import { call } from './client.ts';

const pending = new Map<string, Promise<InteractionDetails>>();
const known = new Map<string, InteractionDetails>();

/** Asks for the details of an interaction, once for all who ask at the same time. */
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

/** The details as they were last told, for a screen that follows another at once. */
export const knownInteraction = (uid: string): InteractionDetails | undefined => known.get(uid);

/** The next one to ask gets a fresh answer. */
export const forgetInteraction = (uid: string): void => {
  pending.delete(uid);
};
