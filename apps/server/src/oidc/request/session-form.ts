import { deriveKey, open, seal } from '../../seal.ts';

type Payload = Readonly<Record<string, unknown>>;

interface Form {
  /** What the engine's form sends back, so that no other site can send it. */
  secret?: unknown;
}

/** The id is the browser's alone: the database has its hash. */
const keyOf = (sessionId: string) => deriveKey(sessionId, 'session form');

const withSecret = (payload: Payload, change: (secret: string) => string): Payload => {
  const { state } = payload as { state?: Form };
  if (typeof state?.secret !== 'string') return payload;
  return { ...payload, state: { ...state, secret: change(state.secret) } };
};

/** A session's payload as it is stored: the token of its form is read by nobody but who has the session's id. */
export const sealForm = (payload: Payload, sessionId: string): Payload =>
  withSecret(payload, (secret) => seal(keyOf(sessionId), secret));

/** The payload as the engine knows it; one of the release before is not sealed, and stays as it is. */
export const openForm = (payload: Payload, sessionId: string): Payload =>
  withSecret(payload, (secret) => {
    try {
      return open(keyOf(sessionId), secret);
    } catch {
      return secret;
    }
  });
