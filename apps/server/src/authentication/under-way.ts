interface Place {
  /** Who is here: under way, waiting, or about to find out. */
  visitors: number;
  running: number;
  ended: number;
  waiting: (() => void)[];
}

/** One that wants to be under way. */
export interface Visit {
  /** From here on, whatever ends is noticed. */
  look(): void;
  /** Waits until another ends, if none has since `look`; false when none is under way here, or none ended in time. */
  untilOneEnds(): Promise<boolean>;
  /** It is under way now; what comes back ends it, and lets the one go on that has waited longest. */
  begin(): () => void;
  /** It will not be: another goes on in its place. */
  leave(): void;
}

/**
 * What this process has under way, by key. Those who wait are let on one at a time: each begins and ends,
 * leaves, or waits again.
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
