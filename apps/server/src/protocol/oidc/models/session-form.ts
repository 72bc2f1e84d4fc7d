import { deriveKey, open, seal } from '../../../ground/seal.ts';
import { mapFormToken } from '../seam/engine-forms.ts';

type Payload = Readonly<Record<string, unknown>>;

/** The session's id is the browser's alone: the database has its hash. */
const keyOf = (sessionId: string) => deriveKey(sessionId, 'session form');

/** A session's payload as it is stored: only who has the session's id reads the token of its form. */
export const sealForm = (payload: Payload, sessionId: string): Payload =>
  mapFormToken(payload, (token) => seal(keyOf(sessionId), token));

/** The payload as the engine has it. The release before sealed no token: such a token stays as it is. */
export const openForm = (payload: Payload, sessionId: string): Payload =>
  mapFormToken(payload, (token) => {
    try {
      return open(keyOf(sessionId), token);
    } catch {
      return token;
    }
  });
