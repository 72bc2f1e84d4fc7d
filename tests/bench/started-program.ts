import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '../support/postgres.ts';
import { createVerbs } from '../support/world.ts';
import { readCookies } from './browser.ts';
import { startMainProcess } from './main-process.ts';
import { keepTemplates, mintSql } from './mint.ts';
import { clientMetadata, HOST, ORIGIN } from './setting.ts';
import { type CandelaSubject, candelaEnv, makeFirstFlow } from './subject.ts';

interface StartOptions {
  label: string;
  /** The command line that runs the program of Node with these arguments. */
  command: Parameters<typeof startMainProcess>[0];
  env: Record<string, string>;
  /** Is called when the server is ready, before anything asks it. */
  onReady?: (server: CandelaSubject['process']) => Promise<void>;
}

/** Candela as a person starts it, on an empty database, with one person signed in, one client and the rows of one flow. */
export const startProgram = async (
  databaseUrl: string,
  { label, command, env, onReady }: StartOptions,
): Promise<CandelaSubject> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'candela-bench-'));
  const clientsFile = join(dataDir, 'clients.json');
  await writeFile(clientsFile, JSON.stringify([clientMetadata]));
  const started = await startMainProcess(command, {
    ...candelaEnv(databaseUrl, dataDir),
    ...env,
    CLIENTS_FILE: clientsFile,
  });
  const server = {
    ...started,
    ask: () => Promise.reject(new Error('the server is a process like any other')),
  };
  const close = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await onReady?.(server);
    const target = { port: server.port, host: HOST };
    const verbs = createVerbs({
      origin: ORIGIN,
      ports: [server.port],
      dataDirs: [dataDir],
      registerClients: () => Promise.reject(new Error('the clients are those of the file')),
    });
    const { agent, identifier } = await verbs.signUp();
    const signedIn = await makeFirstFlow(target, readCookies(await agent.jar.getCookieString(ORIGIN)));
    await keepTemplates(databaseUrl);
    return {
      ...target,
      label,
      process: server,
      databaseUrl,
      identifier,
      verbs,
      signedIn,
      mint: async (batch) => {
        await query(databaseUrl, mintSql(batch));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
