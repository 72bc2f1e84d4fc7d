import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '@candela/server/db/connect';
import { createMigratedDatabase, createPostgresDatabase } from '@candela/server/testing/databases';
import { createRegistrations } from '@candela/server/testing/registrations';
import { giveSigningKeys } from '@candela/server/testing/signing-keys';
import { sql } from 'kysely';
import { serverProgram } from './programs.ts';
import { basic } from './token.ts';
import type { Answer, UserAgent, UserAgentOptions } from './user-agent.ts';
import { createVerbs, freePort } from './world.ts';

/**
 * Passwords cost next to nothing, and the code of an embedded database is not optimised for its few seconds. In full
 * volume and in drills processes are as operators start them.
 */
const cheaply =
  process.env.VITEST && !process.env.FULL
    ? ['--liftoff-only', `--import=${new URL('./cheap-hashes.mjs', import.meta.url).href}`]
    : [];

/** Where Node keeps compiled code, so that processes of the same sources compile them once. */
const compileCache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };

export interface ClusterOptions {
  /** The server on which the cluster makes its database, and drops it at the end. */
  databaseUrl: string;
  /** How the processes reach the database, where not by its URL. */
  reach?: (databaseUrl: string) => string;
  processes?: number;
  /** Entries of CLIENTS_FILE, which every process applies at its start. */
  clients?: readonly Record<string, unknown>[];
  env?: Record<string, string>;
  /** The address of the cluster's database at a pooler, which the processes then use but for what needs a session. */
  pooled?: (databaseUrl: string) => string;
  /** The port of a proxy in front, which people and apps then use. */
  front?: number;
  /** Further settings of each process, by its index; with `unready` the cluster only waits until the process listens. */
  own?: readonly { env?: Record<string, string>; unready?: boolean }[];
  /** The file that starts a server, if not that of this checkout. */
  main?: string;
  /** Where DATA_DIR and, with `logsToFile`, the log of each process are; by default a folder of temporary files. */
  place?: string;
  /** Each process prints and logs to the file `log` in its DATA_DIR, not to pipes. */
  logsToFile?: boolean;
}

export interface ServerProcess {
  port: number;
  readonly pid: number;
  /** The output and the log of the process. */
  output(): string;
  /** Stops reading its output, or closes its pipes for good. */
  ignoreOutput(how: 'unread' | 'closed'): void;
  /** The log of the process. */
  log(): string;
  /** Reads its output again, including the unread part. */
  readOutput(): void;
  /** Kills the process, as a crash does. */
  kill(): Promise<void>;
  /** Asks the process to end, and returns its exit code; undefined if it had to be killed. */
  stop(): Promise<number | undefined>;
}

interface Running extends ServerProcess {
  hasExited(): boolean;
}

/** A process takes 17 s at most: a notice of 5 s, and 12 s to stop. */
const STOP_MS = 30_000;
const START_MS = 60_000;

const exited = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => child.once('exit', () => resolve()));

const startProcess = (
  port: number,
  env: Record<string, string>,
  { main = serverProgram, logFile }: { main?: string | undefined; logFile?: string | undefined } = {},
): Running => {
  const output = logFile === undefined ? 'pipe' : openSync(logFile, 'a');
  const child = spawn(process.execPath, [...cheaply, main], {
    env,
    stdio: ['ignore', output, output],
  });
  if (typeof output === 'number') closeSync(output);
  const chunks: string[] = [];
  const logged: string[] = [];
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  for (const stream of streams) {
    stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  }
  child.stderr?.on('data', (chunk: string) => logged.push(chunk));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited(child);
  };
  return {
    port,
    pid: child.pid ?? 0,
    output: () => chunks.join(''),
    log: () => logged.join(''),
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    ignoreOutput: (how) => {
      for (const stream of streams) {
        if (how === 'closed') stream.destroy();
        else stream.pause();
      }
    },
    readOutput: () => {
      for (const stream of streams) stream.resume();
    },
    kill: () => end('SIGKILL'),
    stop: async () => {
      const forced = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await end('SIGTERM');
      clearTimeout(forced);
      return child.exitCode ?? undefined;
    },
  };
};

const isHealthy = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );

const untilReady = async (running: Running, path = '/readyz'): Promise<void> => {
  for (const end = Date.now() + START_MS; Date.now() < end; await wait(50)) {
    if (running.hasExited()) break;
    if (await isHealthy(running.port, path)) return;
  }
  throw new Error(`the server on port ${running.port} did not get ready:\n${running.output()}`);
};

/** A server process by itself, with nothing but these settings; resolves when it is ready. */
export const startServer = async (port: number, env: Record<string, string>): Promise<ServerProcess> => {
  const running = startProcess(port, {
    PATH: process.env.PATH ?? '',
    ...compileCache,
    PLAYGROUND_PORT: '0',
    LOG_LEVEL: 'error',
    ...env,
    PORT: String(port),
  });
  await untilReady(running);
  return running;
};

/**
 * Real server processes on one PostgreSQL database, without a proxy: browsers go to the next process with each
 * request. openid-client talks to the issuer’s own port, which is the port of the first process.
 */
export const startCluster = async ({
  databaseUrl,
  reach = (url) => url,
  processes: count = 4,
  clients = [],
  env = {},
  pooled,
  front,
  own = [],
  main: firstMain,
  place = tmpdir(),
  logsToFile = false,
}: ClusterOptions) => {
  // A start past a pooler, or of another release, is to migrate by itself.
  const isEmpty = Boolean(pooled ?? firstMain);
  const database = await (isEmpty ? createPostgresDatabase : createMigratedDatabase)(databaseUrl);
  const directory = await mkdtemp(join(place, 'candela-cluster-'));
  const clientsFile = join(directory, 'clients.json');
  await writeFile(clientsFile, JSON.stringify(clients));
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const origin = `http://localhost:${front ?? ports[0]}`;
  const secretKey = randomBytes(32).toString('base64url');
  const shared = {
    PATH: process.env.PATH ?? '',
    ...compileCache,
    PUBLIC_URL: origin,
    DATABASE_URL: (pooled ?? reach)(database.databaseUrl),
    ...(pooled && { DATABASE_DIRECT_URL: database.databaseUrl }),
    CLIENTS_FILE: clientsFile,
    SECRET_KEY: secretKey,
    COOKIE_KEYS: randomBytes(32).toString('base64url'),
    PLAYGROUND_PORT: '0',
    LOG_LEVEL: 'error',
    CODE_RESEND_SECONDS: '0',
    CODE_PER_HOUR: '1000',
    CODE_PER_DAY: '1000',
    CODE_PER_ADDRESS_PER_HOUR: '10000',
    ...env,
  };
  const dataDirs = ports.map((port) => join(directory, String(port)));
  await Promise.all(dataDirs.map((dataDir) => mkdir(dataDir)));
  const start = (port: number, index: number, more: Record<string, string> = {}, main?: string) =>
    startProcess(
      port,
      {
        ...shared,
        ...own[index]?.env,
        ...more,
        PORT: String(port),
        DATA_DIR: dataDirs[index] ?? directory,
      },
      { main, logFile: logsToFile ? join(dataDirs[index] ?? directory, 'log') : undefined },
    );
  const untilStarted = (running: Running, index: number) =>
    untilReady(running, own[index]?.unready ? '/healthz' : '/readyz');
  const { db, close: disconnect } = await connect({
    databaseUrl: database.databaseUrl,
    dataDir: '',
    poolSize: 2,
  });
  if (!isEmpty) await giveSigningKeys(db, [secretKey]);
  const processes = ports.map((port, index) => start(port, index, {}, firstMain));
  const registered = createRegistrations(db, { secretKeys: [secretKey] });

  const close = async () => {
    await Promise.all(processes.map((running) => running.stop()));
    await disconnect();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await Promise.all(processes.map(untilStarted));
  } catch (error) {
    await close();
    throw error;
  }

  const verbs = createVerbs({
    origin,
    ports: front === undefined ? ports : [front],
    dataDirs,
    registerClients: (entries) => registered.apply(entries),
  });
  return {
    ...verbs,
    db,
    processes: processes as readonly ServerProcess[],

    /**
     * Restarts an ended process on its former port; `env` adds to its former settings, `main` is the file that starts
     * another release.
     */
    restart: async (index: number, env: Record<string, string> = {}, main?: string): Promise<void> => {
      const anew = start(ports[index] ?? 0, index, env, main);
      processes[index] = anew;
      await untilStarted(anew, index);
    },
    /** The DATA_DIR of each process. */
    dataDirs: dataDirs as readonly string[],
    /** The common settings of the processes, for a command beside them. */
    env: shared,

    /** Lines that the processes logged as errors. */
    faults: () =>
      processes
        .flatMap((running) => running.output().split('\n'))
        .filter((line) => line.startsWith('{"level":')),

    /** Deadlocks that PostgreSQL had to break; each delayed a request by a second. */
    deadlocks: async (): Promise<number> => {
      // PostgreSQL publishes its statistics up to a second late.
      await wait(1_500);
      const { rows } = await sql<{ deadlocks: number }>`
        select deadlocks from pg_stat_database where datname = current_database()`.execute(db);
      return rows[0]?.deadlocks ?? Number.NaN;
    },
    close,
  };
};

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** An app at the token endpoint, at each process in turn. */
export const createTokenRequests = (
  { browser, origin }: Pick<Cluster, 'browser' | 'origin'>,
  app: { clientId: string; clientSecret: string; redirectUri: string },
  retry?: UserAgentOptions['retry'],
) => {
  const agent: UserAgent = browser(retry && { retry });
  const post = (path: string, form: Record<string, string>, port?: number): Promise<Answer> =>
    agent.request('POST', `${origin}${path}`, {
      form,
      headers: { ...basic(app), origin: '', 'sec-fetch-site': '' },
      ...(port !== undefined && { port }),
    });
  return {
    redeem: (code: string, verifier: string) =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.redirectUri,
        code_verifier: verifier,
      }),
    /** At the process of `port`, if given. */
    refresh: (token: string, port?: number) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token }, port),
    isActive: async (token: string): Promise<boolean> =>
      (await post('/oauth/introspect', { token })).json().active,
  };
};
