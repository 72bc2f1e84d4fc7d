/** Polls that wait for a signal (RFC 8936 section 2.4). */
export interface WaitingPolls {
  /**
   * Resolves to true when a signal came to the stream or after `ms`; to false where the poll is to wait no longer:
   * another poll of the stream takes its place, too many wait, or the process is about to stop.
   */
  wait(streamId: string, ms: number): Promise<boolean>;
  /** A signal came to a stream; undefined: to any. */
  wake(streamId?: string): void;
  /** Lets all go, and later ones at once. */
  close(): void;
}

/** How many polls may wait in one process. */
const MOST = 256;

export const createWaitingPolls = (): WaitingPolls => {
  const waiting = new Map<string, (mayWait: boolean) => void>();
  let isClosed = false;
  const endAll = (mayWait: boolean) => {
    for (const end of waiting.values()) end(mayWait);
  };
  return {
    wait: async (streamId, ms) => {
      waiting.get(streamId)?.(false);
      if (isClosed || waiting.size >= MOST) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const timer = setTimeout(resolve, ms, true);
      waiting.set(streamId, resolve);
      const mayWait = await promise;
      clearTimeout(timer);
      if (waiting.get(streamId) === resolve) waiting.delete(streamId);
      return mayWait;
    },
    wake: (streamId) => (streamId === undefined ? endAll(true) : waiting.get(streamId)?.(true)),
    close: () => {
      isClosed = true;
      endAll(false);
    },
  };
};
