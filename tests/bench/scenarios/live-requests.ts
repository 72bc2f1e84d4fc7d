import type { Bench } from '../bench.ts';
import { runClosedLoop, type Work } from '../load.ts';
import { scaled } from '../options.ts';
import type { CandelaSubject } from '../subject.ts';
import { createPools, mintValues, tokenRequests } from './protocol.ts';

const POOL = 2_000;
const WARM_UP_COUNT = 1_000;
/** The share of the server’s capacity: under full load any other work would show. */
const SHARE_OF_CAPACITY = 0.4;
/** At rounds of one second; a turn of the sweep begins after half of one. */
export const WINDOW_SECONDS = 6;

/** Half introspections, a quarter refreshes, a quarter userinfo. */
export const prepareMix = async (subject: CandelaSubject): Promise<Work> => {
  const { introspection, refresh, userinfo } = tokenRequests(
    createPools((owner, model) => mintValues(owner, model, POOL)),
  );
  const mix = [
    await introspection(subject),
    await refresh(subject),
    await introspection(subject),
    await userinfo(subject),
  ];
  return (send, index) => mix[index % mix.length]?.(send, index) ?? Promise.resolve();
};

/** The rate of the live requests: the best of three tries, since no disturbance makes a server look faster. */
export const chooseRate = async (bench: Bench, subject: CandelaSubject, work: Work): Promise<number> => {
  const { concurrency } = bench.options;
  const count = scaled(bench.options, WARM_UP_COUNT);
  await runClosedLoop(subject, { count, concurrency }, work);
  const tries: number[] = [];
  while (tries.length < 3) {
    tries.push((await runClosedLoop(subject, { count, concurrency }, work)).perSecond);
  }
  return Math.ceil(Math.max(...tries) * SHARE_OF_CAPACITY);
};
