import { useRef } from 'react';
import type { ApiError } from '../../shell/api/client.ts';
import { leaveFor } from '../../shell/forms/use-submit.ts';

interface Proof {
  identifier: string;
  code?: string;
  password?: string;
}

interface ProofByTicket {
  identifier: string;
  ticket: string;
}

const isUnheard = ({ code }: ApiError) => code === 'unavailable' || code === 'offline';

/**
 * Recovers from lost answers. A refusal of a right code has a ticket, which the next try sends in place of the code.
 * An interaction that was answered already goes on to its next prompt.
 */
export const useUnheard = (uid: string, fail: (error: ApiError) => void) => {
  const wasUnheard = useRef(false);
  const held = useRef<{ proof: Proof; ticket: string }>(undefined);

  const note = (error: ApiError) => {
    if (isUnheard(error)) wasUnheard.current = true;
    return error;
  };

  return {
    note,

    /** Sends a proof, or in place of its code the ticket that a refusal gave for the same code. */
    send: async <T>(proof: Proof, send: (proof: Proof | ProofByTicket) => Promise<T>): Promise<T> => {
      const { identifier } = proof;
      const same = held.current?.proof.identifier === identifier && held.current.proof.code === proof.code;
      const ticket = same && proof.code ? held.current?.ticket : undefined;
      try {
        if (!ticket) return await send(proof);
        return await send({ identifier, ticket }).catch((error: ApiError) => {
          // The ticket was refused, so the code itself is tried again.
          if (error.code === 'ticket_invalid') return send(proof);
          throw error;
        });
      } catch (cause) {
        const error = note(cause as ApiError);
        if (error.ticket) held.current = { proof, ticket: error.ticket };
        else if (!isUnheard(error)) held.current = undefined;
        throw error;
      }
    },

    /** Ends the page, unless an earlier request of this page ended the interaction. */
    fail: (error: ApiError) => {
      if (wasUnheard.current) void leaveFor(`/interaction/${uid}`);
      else fail(error);
    },
  };
};
