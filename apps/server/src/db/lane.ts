import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * - `usual`: has its share of the connections.
 * - `reserved`: may take every connection, so that sign-ins and messages never keep apps from their tokens.
 * - `patient`: as `usual`, and its statements may take as long as they do.
 */
export type Lane = 'usual' | 'reserved' | 'patient';

const lanes = new AsyncLocalStorage<Lane>();

/** The lane of the statements that run here. */
export const currentLane = (): Lane => lanes.getStore() ?? 'usual';

/** Runs `work` with all of its statements in a lane. */
export const runInLane = <T>(lane: Lane, work: () => T): T =>
  lane === currentLane() ? work() : lanes.run(lane, work);
