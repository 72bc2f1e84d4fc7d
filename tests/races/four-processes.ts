import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { startDocumentHost } from '../support/document-host.ts';
import { freePort } from '../support/world.ts';

/** Of CLIENTS_FILE. */
export const hub = {
  client_id: 'hub-of-the-file',
  client_secret: 'a-secret-of-the-hub-in-the-file-alone',
  redirect_uris: ['https://hub.example/callback'],
};

/** The host of apps that the processes call, without TLS; who listens there closes it again. */
export const appHost = { address: '127.0.0.1', port: await freePort() };

const start = async () => {
  const documents = await startDocumentHost();
  const directory = await mkdtemp(join(tmpdir(), 'candela-documents-'));
  const authority = join(directory, 'authority.pem');
  await writeFile(authority, documents.certificate);
  const cluster = await startCluster({
    databaseUrl: testDatabaseUrl ?? '',
    clients: [hub],
    env: {
      BACKCHANNEL_HOSTS: `${appHost.address}:${appHost.port}`,
      CLIENT_DOCUMENTS: documents.host,
      DYNAMIC_REGISTRATION: 'open',
      NODE_EXTRA_CA_CERTS: authority,
      TRUST_PROXY: '1',
    },
  });
  const stop = async () => {
    await cluster.close();
    await documents.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { cluster, documents, stop };
};

let started: ReturnType<typeof start> | undefined;
const running = () => {
  started ??= start();
  return started;
};

/** Four processes, which all suites of this vitest worker share; who kills one starts it again. */
export const fourProcesses = async (): Promise<Cluster> => (await running()).cluster;

/** The host of client id metadata documents that the four processes trust. */
export const documentHost = async () => (await running()).documents;

export const stopFourProcesses = async (): Promise<void> => (await started)?.stop();
