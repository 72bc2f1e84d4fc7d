const CHANNEL = 'candela-trial';

/** Parameters of an authorization response, or of an error in place of one (RFC 6749 section 4.1.2). */
export type AuthorizationAnswer = Record<string, string>;

const isAnswer = (data: unknown): data is AuthorizationAnswer =>
  typeof data === 'object' &&
  data !== null &&
  Object.values(data).every((value) => typeof value === 'string');

/** Hands the answer in the address of this window to the page that waits for it: only pages of this origin hear it. */
export const handOver = (search: string): void => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(Object.fromEntries(new URLSearchParams(search)));
  channel.close();
};

/** Calls `onAnswer` with the answer to the request of this `state`, once. Answers the function that stops waiting. */
export const awaitAnswer = (state: string, onAnswer: (answer: AuthorizationAnswer) => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL);
  const stop = () => channel.close();
  channel.addEventListener('message', ({ data }) => {
    if (!isAnswer(data) || data.state !== state) return;
    stop();
    onAnswer(data);
  });
  return stop;
};
