export interface CircuitBreakerOptions {
  /** Strikes in a row that open the circuit. */
  strikes: number;
  /** An attempt without an outcome counts as a strike each time that so long passes. */
  patienceMs: number;
  /** How long the circuit stays open before one attempt may try the gateway; doubles up to eight times that. */
  pauseMs: number;
  /** Milliseconds of a clock that nobody sets. */
  now?: () => number;
  /** Is called when the circuit opens or closes. */
  onChange?: (open: boolean) => void;
}

/** Keeps callers from waiting for a gateway that does not answer. */
export interface CircuitBreaker {
  /** How many attempts may start beside `running` ones: all of `wanted`, one to try the gateway, or none. */
  allow(wanted: number, running: number): number;
  /** Milliseconds until an attempt may try the gateway; 0 while the circuit is closed. */
  closedForMs(): number;
  isOpen(): boolean;
  /** Runs an attempt and judges the gateway by it. `isFault` answers whether an error is the gateway's fault. */
  watch(attempt: () => Promise<void>, isFault: (error: unknown) => boolean): Promise<void>;
}

/** Opens on failures and on silence alike: a gateway that answers after half a minute is as good as down. */
export const createCircuitBreaker = (options: CircuitBreakerOptions): CircuitBreaker => {
  const { patienceMs, now = () => performance.now(), onChange = () => undefined } = options;
  let strikes = 0;
  let pauseMs = options.pauseMs;
  /** Undefined while the circuit is closed. */
  let openUntil: number | undefined;

  const strike = () => {
    strikes += 1;
    if (strikes < options.strikes) return;
    const wasOpen = openUntil !== undefined;
    // Strikes of attempts that had begun before it opened do not prolong the pause.
    if (wasOpen && now() < (openUntil ?? 0)) return;
    openUntil = now() + pauseMs;
    pauseMs = Math.min(pauseMs * 2, options.pauseMs * 8);
    if (!wasOpen) onChange(true);
  };
  const succeed = () => {
    const wasOpen = openUntil !== undefined;
    strikes = 0;
    pauseMs = options.pauseMs;
    openUntil = undefined;
    if (wasOpen) onChange(false);
  };
  const closedForMs = () => Math.max(0, (openUntil ?? 0) - now());

  return {
    closedForMs,
    isOpen: () => openUntil !== undefined,
    allow: (wanted, running) => {
      if (openUntil === undefined) return wanted;
      return closedForMs() === 0 && running === 0 ? Math.min(wanted, 1) : 0;
    },
    watch: async (attempt, isFault) => {
      const silence = setInterval(strike, patienceMs);
      try {
        await attempt();
        succeed();
      } catch (error) {
        if (isFault(error)) strike();
        else succeed();
        throw error;
      } finally {
        clearInterval(silence);
      }
    },
  };
};
