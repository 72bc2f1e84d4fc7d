interface Place {
  /** How many visits there are: under way, waiting, or about to do either. */
  visitors: number;
  running: number;
  ended: number;
  waiting: (() => void)[];
}

/** A piece of work that wants to be under way. */
export interface Visit {
  /** Notices from now on whether another ends. */
  look(): void;
  /** Waits until another ends, if none has since `look`; false when none is under way here, or none ended in time. */
  untilOneEnds(): Promise<boolean>;
  /** Begins the work. The function that it answers ends the work, and lets the longest waiting visit go on. */
  begin(): () => void;
  /** Gives the work up, and lets the longest waiting visit go on. */
  leave(): void;
}

/**
 * The work that this process has under way, by key. Waiting visits go on one at a time: each begins and ends, leaves,
 * or waits again.
 */
export const createUnderWay = (maxWaitMs: number) => {
  const places = new Map<string, Place>();

  return {
    visit: (key: string): Visit => {
      const place = places.get(key) ?? { visitors: 0, running: 0, ended: 0, waiting: [] };
      places.set(key, place);
      place.visitors += 1;
      const deadline = performance.now() + maxWaitMs;
      let seen = place.ended;

      const leave = () => {
        place.visitors -= 1;
        if (place.visitors === 0) places.delete(key);
        place.waiting.shift()?.();
      };
      return {
        look: () => {
          seen = place.ended;
        },
        untilOneEnds: () => {
          if (place.ended !== seen) return Promise.resolve(true);
          if (place.running === 0) return Promise.resolve(false);
          return new Promise((resolve) => {
            const goOn = () => {
              clearTimeout(late);
              resolve(true);
            };
            const giveUp = () => {
              place.waiting = place.waiting.filter((other) => other !== goOn);
              resolve(false);
            };
            const late = setTimeout(giveUp, deadline - performance.now());
            place.waiting.push(goOn);
          });
        },
        begin: () => {
          place.running += 1;
          return () => {
            place.running -= 1;
            place.ended += 1;
            leave();
          };
        },
        leave,
      };
    },
  };
};
