import { setTimeout as wait } from 'node:timers/promises';
import { basic } from '../support/token.ts';
import { freePort } from '../support/world.ts';
import type { Drill } from './drill.ts';
import { type Flood, type FloodResult, startFlood } from './flood.ts';
import { startPlace } from './journeys.ts';

/** Connections at which a process is busy, and ten times as many. */
const BUSY = 32;
const CROWD = 320;
const GUESSERS = 64;
const PEOPLE = 4;
const LEAST_GOODPUT = 0.8;
const MOST_PROBE_MS = 200;
const MOST_LAG_MS = 100;
const BACK_SECONDS = 10;
const PROBES = ['/oauth/jwks', '/.well-known/openid-configuration'];

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

const okOf = ({ rate }: FloodResult): number => rate[200] ?? 0;
const describe = ({ rate }: FloodResult): string =>
  Object.entries(rate)
    .map(([status, perSecond]) => `${perSecond.toFixed(0)} x ${status}`)
    .join(', ');

/** The 99th percentile since the last call; reading the metrics starts it anew. */
const readLagMs = async (metricsPort: number): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]) * 1000;
};

export const drill: Drill = {
  name: 'overload',
  row: 'DR11',
  breaks:
    'ten times the connections that keep a process busy ask for tokens, while one address guesses passwords without pause',
  passes:
    'at least 80 % of the tokens a second, keys and discovery within 200 ms and an event loop late by less than 100 ms (p99), people sign in from elsewhere, and within 10 s latency is as before',
  limitSeconds: 150,
  fullLimitSeconds: 600,
  run: async (place) => {
    const seconds = place.isFull ? 300 : 20;
    const metricsPort = await freePort();
    const cluster = await startPlace(place, {
      processes: 1,
      env: { METRICS_PORT: String(metricsPort), TRUST_PROXY: '1' },
    });
    const machine = await cluster.registerApp({
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      post_logout_redirect_uris: [],
    });
    const { identifier } = await cluster.signUp();
    const port = cluster.ports[0] ?? 0;
    const { host } = new URL(cluster.origin);
    const tokens: Flood = {
      port,
      host,
      connections: BUSY,
      seconds: 5,
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(machine) },
      body: 'grant_type=client_credentials',
    };
    await startFlood(tokens);
    await readLagMs(metricsPort);
    const before = await startFlood(tokens);
    const lagBefore = await readLagMs(metricsPort);
    place.say(`busy: ${describe(before)} a second, p95 ${before.p95.toFixed(0)} ms`);

    const guesser = cluster.browser({ headers: { 'x-forwarded-for': '203.0.113.9' } });
    const uid = cluster.interactionOf((await guesser.navigate('/login')).url);
    const guesses: Flood = {
      ...tokens,
      connections: GUESSERS,
      seconds,
      path: `/interaction/${uid}/login`,
      headers: {
        'content-type': 'application/json',
        origin: cluster.origin,
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': '203.0.113.9',
        cookie: await guesser.jar.getCookieString(`${cluster.origin}/interaction/${uid}`),
      },
      body: JSON.stringify({ identifier, password: 'a wrong password 1' }),
    };
    await readLagMs(metricsPort);
    let isOver = false;
    const probes: number[] = [];
    const probe = async (path: string) => {
      for (const agent = cluster.browser(); !isOver; await wait(20)) {
        const start = performance.now();
        await agent.get(path);
        probes.push(performance.now() - start);
      }
    };
    let signedIn = 0;
    let busy = 0;
    const visit = async (_: unknown, person: number) => {
      while (!isOver) {
        const agent = cluster.browser({ headers: { 'x-forwarded-for': `198.51.100.${person + 1}` } });
        await cluster.signIn(identifier, agent).then(
          () => {
            signedIn += 1;
          },
          () => {
            busy += 1;
          },
        );
        await wait(500);
      }
    };
    const beside = [...PROBES.map(probe), ...Array.from({ length: PEOPLE }, visit)];
    const [during, guessed] = await Promise.all([
      startFlood({ ...tokens, connections: CROWD, seconds }),
      startFlood(guesses),
    ]);
    const lag = await readLagMs(metricsPort);
    isOver = true;
    await Promise.all(beside);
    place.say(`crowd: ${describe(during)}; guesses: ${describe(guessed)}; lag ${lag.toFixed(0)} ms`);

    const start = performance.now();
    let after = await startFlood({ ...tokens, seconds: 2 });
    while (after.p95 > 1.25 * before.p95 && performance.now() - start < 2 * BACK_SECONDS * 1000)
      after = await startFlood({ ...tokens, seconds: 2 });
    const back = (performance.now() - start) / 1000;
    const goodput = okOf(during) / okOf(before);
    const slowestProbe = quantile(probes, 0.99);
    return {
      passed:
        goodput >= LEAST_GOODPUT &&
        slowestProbe < MOST_PROBE_MS &&
        lag < MOST_LAG_MS &&
        back < BACK_SECONDS &&
        signedIn > 0,
      figures:
        `busy ${okOf(before).toFixed(0)} tokens a second, overloaded ${okOf(during).toFixed(0)} (${(goodput * 100).toFixed(0)} %; a second ${describe(during)}); guesses a second ${describe(guessed)}; ` +
        `keys and discovery p99 ${slowestProbe.toFixed(0)} ms, event loop p99 ${lag.toFixed(0)} ms (busy ${lagBefore.toFixed(0)} ms); ${signedIn} signed in, ${busy} told to come back; as before after ${back.toFixed(1)} s`,
    };
  },
};
