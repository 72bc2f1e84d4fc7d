import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Who shares the connections of a process:
 * - `usual`: takes all but a share of the connections;
 * - `reserved`: takes any connection, so that sign-ins and messages never keep apps from their tokens;
 * - `patient`: as `usual`, and its statements have no timeout.
 */
export type Lane = 'usual' | 'reserved' | 'patient';

const lanes = new AsyncLocalStorage<Lane>();

/** The lane of the statements that run here. */
export const currentLane = (): Lane => lanes.getStore() ?? 'usual';

/** Runs `work` with all of its statements in a lane. */
export const runInLane = <T>(lane: Lane, work: () => T): T =>
  lane === currentLane() ? work() : lanes.run(lane, work);
