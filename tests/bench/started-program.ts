import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMainProcess } from './main-process.ts';
import { clientMetadata } from './setting.ts';
import { beginWith, type CandelaSubject, candelaEnv } from './subject.ts';

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
    return await beginWith({ label, server, databaseUrl, dataDir, close });
  } catch (error) {
    await close();
    throw error;
  }
};
