import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { query } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import { type Measured, runAtRate } from '../load.ts';
import type { Row } from '../result.ts';
import { CLIENT_ID } from '../setting.ts';
import { median, percentile } from '../statistics.ts';
import type { CandelaSubject } from '../subject.ts';
import { chooseRate, prepareMix, WINDOW_SECONDS } from './live-requests.ts';

/** So many signals happen in a second. */
const PER_SECOND = 200;
const TURN_MS = 100;
const PAIRS = 10;

/** A receiver that takes everything at once. */
const startReceiver = async () => {
  const taken = new Set<string>();
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      taken.add(Buffer.concat(chunks).toString());
      answer.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    count: () => taken.size,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const makeStream = ({ databaseUrl }: CandelaSubject, host: string) =>
  query(
    databaseUrl,
    `insert into signal_stream (id, brand, client_id, delivery_method, endpoint_url, events_requested)
     values ('bench', 'aurelia', '${CLIENT_ID}', 'urn:ietf:rfc:8935', 'http://${host}/', '{session-revoked}')`,
  );

/** Signals of people of whom each has one: none waits for another. */
const addSignals = ({ databaseUrl }: CandelaSubject, count: number) =>
  query(
    databaseUrl,
    `insert into signal (stream_id, account_id, event, payload)
     select 'bench', gen_random_uuid()::text, 'session-revoked', '{"event_timestamp": 1700000000}'
     from generate_series(1, ${count})`,
  );

const countWaiting = async ({ databaseUrl }: CandelaSubject): Promise<number> => {
  const [row] = await query<{ left: string }>(
    databaseUrl,
    'select count(*) as left from signal where settled_at is null',
  );
  return Number(row?.left);
};

/** Lets signals happen at a fixed rate until it is stopped. */
const startSignals = (subject: CandelaSubject) => {
  let adding: Promise<unknown> = Promise.resolve();
  let added = 0;
  const turns = setInterval(() => {
    const count = (PER_SECOND * TURN_MS) / 1_000;
    added += count;
    adding = adding.then(() => addSignals(subject, count));
  }, TURN_MS);
  return {
    stop: async (): Promise<number> => {
      clearInterval(turns);
      await adding;
      return added;
    },
  };
};

interface Pair {
  calm: Measured;
  telling: Measured;
  added: number;
}

const p99 = ({ latencies }: Measured) => percentile(latencies, 0.99);

/** The effect of signals that are sent on live requests of the same server. */
export const runSignals = async (bench: Bench): Promise<Row> => {
  const { concurrency, seconds, scale } = bench.options;
  const receiver = await startReceiver();
  const subject = await bench.another('signals', { BACKCHANNEL_HOSTS: receiver.host });
  await makeStream(subject, receiver.host);
  const work = await prepareMix(subject);
  const perSecond = await chooseRate(bench, subject, work);
  const paced = { perSecond, connections: concurrency * 2 };
  const runWindow = () => {
    const end = performance.now() + 1_000 * Math.max(1, WINDOW_SECONDS * Math.min(1, seconds));
    return runAtRate(subject, paced, work, () => performance.now() > end);
  };
  const runTelling = async () => {
    const signals = startSignals(subject);
    const telling = await runWindow();
    return { telling, added: await signals.stop() };
  };
  const pairs: Pair[] = [];
  while (pairs.length < Math.max(1, PAIRS * Math.min(1, scale))) {
    const isFirst = pairs.length % 2 === 0;
    const before = isFirst ? await runWindow() : undefined;
    const told = await runTelling();
    pairs.push({ ...told, calm: before ?? (await runWindow()) });
  }
  const waiting = await countWaiting(subject);
  await query(subject.databaseUrl, `delete from signal_stream where id = 'bench'`);
  await subject.close();
  await receiver.close();

  const spent = pairs.reduce((sum, { telling }) => sum + telling.seconds, 0);
  const rise = median(pairs.map(({ calm, telling }) => p99(telling) / p99(calm))) - 1;
  const of = (choose: (pair: Pair) => Measured) => median(pairs.map((pair) => p99(choose(pair)))).toFixed(2);
  return {
    name: 'signals',
    notes: {
      'live requests per second': perSecond,
      'signals per second': Math.round(pairs.reduce((sum, { added }) => sum + added, 0) / spent),
      'taken by the receiver per second': Math.round(receiver.count() / spent),
      'waiting at the end': waiting,
      'pairs of windows': pairs.length,
      'p99 without, ms': of(({ calm }) => calm),
      'p99 during, ms': of(({ telling }) => telling),
      'p99 rises by': `${(rise * 100).toFixed(0)} % (wanted: less than 20 %)`,
    },
  };
};
