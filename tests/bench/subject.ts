import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { query } from '../support/postgres.ts';
import { createVerbs } from '../support/world.ts';
import { type Cookies, createBenchBrowser, obtainCode, readCookies, redeemCode } from './browser.ts';
import type { Cores } from './cores.ts';
import { openConnection } from './http-connection.ts';
import type { Target } from './load.ts';
import { keepTemplates, mintSql } from './mint.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type Batch, COOKIE_KEY, clientMetadata, HOST, ORIGIN } from './setting.ts';

/** A server under test: where it listens, and how it gets the tokens that a scenario presents. */
export interface Subject extends Target {
  /** Its name in the report, next to Candela. */
  label: string;
  process: ServerProcess;
  /** Makes tokens in bulk, untimed. */
  mint(batch: Batch): Promise<void>;
  /** The cookies of a signed-in browser. */
  signedIn: Cookies;
  close(): Promise<void>;
}

export interface CandelaSubject extends Subject {
  databaseUrl: string;
  /** The signed-in person; the password is that of tests/support/world.ts. */
  identifier: string;
  verbs: ReturnType<typeof createVerbs>;
}

/** Signs in if needed and redeems one code, which leaves one row of each kind. */
const makeFirstFlow = async (target: Target, cookies: Cookies): Promise<Cookies> => {
  const connection = await openConnection(target.port, target.host);
  try {
    const browser = createBenchBrowser(connection.send, cookies);
    const code = await obtainCode(browser, { prompt: 'consent' });
    await redeemCode(connection.send, code);
    return browser.cookies;
  } finally {
    connection.close();
  }
};

/** Limits of verification codes are lifted, since the bench stands for many people at one address. */
export const candelaEnv = (databaseUrl: string, dataDir: string): Record<string, string> => ({
  PUBLIC_URL: ORIGIN,
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  PLAYGROUND_PORT: '0',
  LOG_LEVEL: 'warn',
  SECRET_KEY: 'a-secret-key-of-the-bench-and-of-nothing-else',
  COOKIE_KEYS: COOKIE_KEY,
  CODE_RESEND_SECONDS: '0',
  CODE_PER_HOUR: '1000000',
  CODE_PER_DAY: '1000000',
  CODE_PER_ADDRESS_PER_HOUR: '1000000',
});

interface Running {
  label: string;
  server: ServerProcess;
  databaseUrl: string;
  dataDir: string;
  registerClients?: (entries: readonly Record<string, unknown>[]) => Promise<unknown>;
  close(): Promise<void>;
}

/** A server that has the client of the bench: signs one person in, and makes the rows of one flow. */
export const beginWith = async (running: Running): Promise<CandelaSubject> => {
  const { label, server, databaseUrl, dataDir, close } = running;
  const registerClients =
    running.registerClients ?? (() => Promise.reject(new Error('the clients are those of the file')));
  const target = { port: server.port, host: HOST };
  const verbs = createVerbs({ origin: ORIGIN, ports: [server.port], dataDirs: [dataDir], registerClients });
  const { agent, identifier } = await verbs.signUp();
  const signedIn = await makeFirstFlow(target, readCookies(await agent.jar.getCookieString(ORIGIN)));
  await keepTemplates(databaseUrl);
  return {
    ...target,
    verbs,
    identifier,
    signedIn,
    label,
    process: server,
    databaseUrl,
    mint: async (batch) => {
      await query(databaseUrl, mintSql(batch));
    },
    close,
  };
};

/**
 * Candela on an empty database, with one person signed in, one client and the rows of one flow.
 * @param checkout the root of another checkout, whose server starts instead of this one
 */
export const startCandela = async (
  cores: Cores,
  databaseUrl: string,
  {
    flags = [],
    env: further = {},
    checkout,
  }: { flags?: readonly string[]; env?: Record<string, string>; checkout?: string } = {},
): Promise<CandelaSubject> => {
  const folder = checkout === undefined ? undefined : resolve(checkout, 'tests/bench');
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-bench-'));
  const env = { ...candelaEnv(databaseUrl, dataDir), ...further };
  let server: ServerProcess | undefined;
  const close = async () => {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const started = await startServerProcess('serve-candela.ts', {
      cores,
      env,
      flags,
      ...(folder && { folder }),
    });
    server = started;
    const registerClients = (entries: unknown) => started.ask('registerClients', entries);
    await registerClients([clientMetadata]);
    const label = checkout === undefined ? 'candela' : `candela in ${basename(resolve(checkout))}`;
    return await beginWith({ label, server, databaseUrl, dataDir, registerClients, close });
  } catch (error) {
    await close();
    throw error;
  }
};

/** The engine alone, over memory. */
export const startReference = async (cores: Cores, flags: readonly string[] = []): Promise<Subject> => {
  const server = await startServerProcess('serve-reference.ts', { cores, env: {}, flags });
  const target = { port: server.port, host: HOST };
  return {
    ...target,
    label: 'engine in memory',
    process: server,
    signedIn: await makeFirstFlow(target, new Map()),
    mint: (batch) => server.ask('mint', batch),
    close: () => server.stop(),
  };
};
