/** Polls that wait for a signal (RFC 8936 section 2.4). */
export interface WaitingPolls {
  /**
   * Resolves to true when a signal came to the stream or after `ms`; to false where the poll is to wait no longer:
   * newer polls of the stream take its place, too many wait, or the process is about to stop.
   */
  wait(streamId: string, ms: number): Promise<boolean>;
  /** A signal came to a stream; undefined: to any. */
  wake(streamId?: string): void;
  /** Lets all go, and later ones at once. */
  close(): void;
}

interface Waiting {
  since: number;
  end(mayWait: boolean): void;
}

/** How many polls of a stream may wait in one process: a receiver has several threads, or left a connection behind. */
const MOST_OF_STREAM = 4;
/** How many polls may wait in one process. */
const MOST = 256;
/** A poll that is to wait no longer waits for so long all the same: whoever polls again at once would loop. */
const LEAST_MS = 1_000;

export const createWaitingPolls = (): WaitingPolls => {
  /** By stream, the oldest first. */
  const waiting = new Map<string, Set<Waiting>>();
  let isClosed = false;
  const listAll = () => [...waiting.values()].flatMap((polls) => [...polls]);
  const pollsOf = (streamId: string): Set<Waiting> => {
    const polls = waiting.get(streamId) ?? new Set();
    waiting.set(streamId, polls);
    return polls;
  };

  /** Lets the oldest go that are too many, each after its least time. */
  const letGo = (polls: Set<Waiting>) => {
    for (const { since, end } of [...polls].slice(0, -MOST_OF_STREAM))
      setTimeout(end, Math.max(0, since + LEAST_MS - performance.now()), false).unref();
  };

  return {
    wait: async (streamId, ms) => {
      if (isClosed) return false;
      const isFull = listAll().length >= MOST;
      const { promise, resolve: end } = Promise.withResolvers<boolean>();
      const timer = setTimeout(end, isFull ? Math.min(ms, LEAST_MS) : ms, !isFull);
      const polls = pollsOf(streamId);
      const poll = { since: performance.now(), end };
      polls.add(poll);
      letGo(polls);
      const mayWait = await promise;
      clearTimeout(timer);
      polls.delete(poll);
      if (polls.size === 0) waiting.delete(streamId);
      return mayWait;
    },
    wake: (streamId) => {
      const woken = streamId === undefined ? listAll() : (waiting.get(streamId) ?? []);
      for (const { end } of woken) end(true);
    },
    close: () => {
      isClosed = true;
      for (const { end } of listAll()) end(false);
    },
  };
};
