import { testDatabaseUrl } from '@candela/server/testing/databases';
import { type Cluster, startCluster } from '../support/cluster.ts';

let started: Promise<Cluster> | undefined;

/** Four processes with the usual settings, which all suites of this vitest worker share and none of them kills. */
export const fourProcesses = (): Promise<Cluster> => {
  started ??= startCluster({ databaseUrl: testDatabaseUrl ?? '' });
  return started;
};

export const stopFourProcesses = async (): Promise<void> => (await started)?.close();
