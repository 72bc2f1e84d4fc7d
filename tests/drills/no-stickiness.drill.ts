import { setTimeout as wait } from 'node:timers/promises';
import { createTokenRequests } from '../support/cluster.ts';
import { basic } from '../support/token.ts';
import { createAttempts } from './attempts.ts';
import type { Drill } from './drill.ts';
import { createJourneys, startPlace } from './journeys.ts';

const PROCESSES = 4;
const LANES = 6;
const PEOPLE = 20;
const REVOCATIONS = 10;
const VISIBLE_SECONDS = 1;

export const drill: Drill = {
  name: 'no-stickiness',
  row: 'DR4',
  breaks: 'every request goes to the next of four processes, whatever went before',
  passes: 'no flow fails, and a revocation holds at every process within 1 s',
  limitSeconds: 200,
  fullLimitSeconds: 3_000,
  run: async (place) => {
    const flows = place.isFull ? 5_000 : 150;
    const cluster = await startPlace(place, { processes: PROCESSES });
    const app = await cluster.registerApp();
    const journeys = createJourneys(cluster, app, cluster.ports);
    const tokens = createTokenRequests(cluster, app);
    const attempts = createAttempts();
    const identifiers: string[] = [];
    for (let person = 0; person < PEOPLE; person += 1) identifiers.push((await journeys.signUp()).identifier);

    let begun = 0;
    const walk = async () => {
      for (let flow = begun++; flow < flows; flow = begun++) {
        await attempts.run('flows', async () => {
          const { agent } = await journeys.signIn(identifiers[flow % PEOPLE] ?? '');
          await journeys.useSession(agent);
          const first = await journeys.signOn(agent);
          const last = await journeys.refresh(await journeys.refresh(first.refresh_token));
          if (!(await tokens.isActive(last))) throw new Error('a live token is not active');
        });
      }
    };
    await Promise.all(Array.from({ length: LANES }, walk));

    /** Seconds until every process answers `isGone`. */
    const untilGone = async (isGone: (port: number) => Promise<boolean>): Promise<number> => {
      const start = performance.now();
      for (const port of cluster.ports) while (!(await isGone(port))) await wait(2);
      return (performance.now() - start) / 1000;
    };
    const seconds: number[] = [];
    for (let turn = 0; turn < REVOCATIONS; turn += 1) {
      const { agent } = await journeys.signIn(identifiers[turn] ?? '');
      const { access_token, refresh_token } = await journeys.signOn(agent);
      const post = (path: string, token: string, port?: number) =>
        cluster.browser().request('POST', `${cluster.origin}${path}`, {
          form: { token },
          headers: { ...basic(app), origin: '', 'sec-fetch-site': '' },
          ...(port !== undefined && { port }),
        });
      const isInactive = (token: string) => async (port: number) =>
        (await post('/oauth/introspect', token, port)).json().active === false;
      await post('/oauth/revoke', refresh_token);
      seconds.push(await untilGone(isInactive(refresh_token)), await untilGone(isInactive(access_token)));
      await agent.post('/api/sign-out');
      seconds.push(
        await untilGone(async (port) => (await agent.get('/api/account', { port })).status === 401),
      );
    }
    const slowest = Math.max(...seconds);
    return {
      passed: attempts.failed() === 0 && slowest < VISIBLE_SECONDS && cluster.faults().length === 0,
      figures: `${attempts.figures()}${attempts.failed() ? ` (${attempts.firstFailure()})` : ''}; ${seconds.length} revocations, visible everywhere after ${slowest.toFixed(3)} s at most`,
    };
  },
};
