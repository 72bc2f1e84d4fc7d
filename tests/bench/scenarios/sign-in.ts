import { query } from '../../support/postgres.ts';
import { PASSWORD } from '../../support/world.ts';
import type { Bench } from '../bench.ts';
import { type Cookies, createBenchBrowser, startAuthorization } from '../browser.ts';
import { expectStatus, openConnection, type Send } from '../http-connection.ts';
import { scaled } from '../options.ts';
import { countStatements, type Prepare, runRound, toFigures, warmUp } from '../paired.ts';
import type { Row } from '../result.ts';
import { type ServerProcess, startServerProcess } from '../server-process.ts';
import { median } from '../statistics.ts';
import type { CandelaSubject } from '../subject.ts';

/** An account has a limit of tries from one address, including tries under way. */
const ACCOUNTS = 8;
const WARM_UP_COUNT = 32;

type Credential = Record<string, string>;
type Waiting = { interaction: string; cookies: Cookies; credential: Credential };

/** Opens interactions that wait for a sign-in, one after the other, with the body that each will submit. */
const openInteractions = async (
  subject: CandelaSubject,
  count: number,
  credentialOf: (browser: ReturnType<typeof createBenchBrowser>, index: number) => Promise<Credential>,
): Promise<Waiting[]> => {
  const connection = await openConnection(subject.port, subject.host);
  const waiting: Waiting[] = [];
  for (let index = 0; index < count; index += 1) {
    const browser = createBenchBrowser(connection.send);
    const interaction = await startAuthorization(browser);
    const credential = await credentialOf(browser, index);
    waiting.push({ interaction, cookies: browser.cookies, credential });
  }
  connection.close();
  return waiting;
};

const signIn = async (send: Send, { interaction, cookies, credential }: Waiting) =>
  expectStatus(await createBenchBrowser(send, cookies).post(`${interaction}/login`, credential), 200);

const accountsOf = new WeakMap<CandelaSubject, Promise<string[]>>();
const makeAccounts = (subject: CandelaSubject): Promise<string[]> => {
  const made =
    accountsOf.get(subject) ??
    Promise.all(Array.from({ length: ACCOUNTS }, async () => (await subject.verbs.signUp()).identifier));
  accountsOf.set(subject, made);
  return made;
};

const preparePassword: Prepare<CandelaSubject> = async (subject, count) => {
  const accounts = await makeAccounts(subject);
  const waiting = await openInteractions(subject, count, async (_browser, index) => ({
    identifier: accounts[index % ACCOUNTS] ?? '',
    password: PASSWORD,
  }));
  return (send, index) => signIn(send, waiting[index] as Waiting);
};

/** Each browser has already requested its code; the n-th message belongs to the n-th browser. */
const prepareCode: Prepare<CandelaSubject> = async (subject, count) => {
  const accounts = await makeAccounts(subject);
  const waiting = await openInteractions(subject, count, async (browser, index) => {
    const identifier = accounts[index % ACCOUNTS] ?? '';
    expectStatus(await browser.post('/api/codes', { identifier, purpose: 'login' }), 202);
    return { identifier };
  });
  const sent = await subject.verbs.messages();
  const messages = sent.filter(({ purpose }) => purpose === 'login').slice(-count);
  return (send, index) => {
    const { credential, ...rest } = waiting[index] as Waiting;
    return signIn(send, { ...rest, credential: { ...credential, code: messages[index]?.code ?? '' } });
  };
};

interface BareRate {
  perSecond(count: number): Promise<number>;
  process: ServerProcess;
}

/** The engine of passwords alone, with the parameters of a hash that the server made. */
const startBareRate = async (bench: Bench, { databaseUrl }: CandelaSubject): Promise<BareRate> => {
  const bare = await startServerProcess('serve-argon2.ts', { cores: bench.cores, env: {} });
  const [row] = await query<{ hash: string }>(databaseUrl, 'select hash from password limit 1');
  return {
    process: bare,
    perSecond: (count) =>
      bare.ask<number>('verifyPasswords', {
        hash: row?.hash ?? '',
        password: PASSWORD,
        count,
      }),
  };
};

const runBeside = async (
  bench: Bench,
  name: string,
  prepare: Prepare<CandelaSubject>,
  wanted: number | undefined,
): Promise<Row> => {
  const { rounds: wantedRounds, seconds, concurrency } = bench.options;
  const subject = await bench.candela();
  const bare = await startBareRate(bench, subject);
  const bareCount = Math.ceil((await bare.perSecond(scaled(bench.options, WARM_UP_COUNT))) * seconds);
  const count = await warmUp(bench, subject, prepare, WARM_UP_COUNT);
  const rounds: { round: Awaited<ReturnType<typeof runRound>>; bare: number }[] = [];
  for (let index = 0; index < wantedRounds; index += 1) {
    const early = index % 2 === 1 ? await bare.perSecond(bareCount) : undefined;
    const round = await runRound(bench, subject, prepare, { count, concurrency });
    rounds.push({ round, bare: early ?? (await bare.perSecond(bareCount)) });
  }
  await bare.process.stop();
  const perSecond = median(rounds.map((pair) => pair.bare));
  return {
    name,
    candela: toFigures(rounds.map(({ round }) => round)),
    counts: await countStatements(bench, prepare),
    other: { label: 'bare argon2id', perSecond },
    ratios: { throughput: median(rounds.map(({ round, bare: alone }) => round.perSecond / alone)) },
    ...(wanted !== undefined && { wanted }),
    notes: {
      'event loop delay, p99 ms': median(rounds.map(({ round }) => round.loopDelayMilliseconds)).toFixed(1),
    },
  };
};

/** Sign-ins by password, compared with the rate of the hashes alone. */
export const runPassword = (bench: Bench): Promise<Row> =>
  runBeside(bench, 'password', preparePassword, 0.85);

/** Sign-ins by a code that was sent before; sending takes as long as the timed part, so rounds are short. */
export const runCodeSignIn = (bench: Bench): Promise<Row> => {
  const { options } = bench;
  const shorter = { ...bench, options: { ...options, seconds: options.seconds / 2 } };
  return runBeside(shorter, 'code-sign-in', prepareCode, undefined);
};
