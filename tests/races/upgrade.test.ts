import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProxy } from '../drills/proxy.ts';
import { rollThrough, upgradeClients } from '../drills/upgrade.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import {
  checkOutPreviousRelease,
  hasPreviousRelease,
  previousRelease,
  type Release,
} from '../support/previous-release.ts';
import type { ProxyProcess } from '../support/proxy-process.ts';
import { freePort } from '../support/world.ts';
import { skipped } from './rounds.ts';

const away = hasPreviousRelease()
  ? skipped
  : ' (skipped: the clone is shallow and lacks the previous release)';

describe.skipIf(away)(`DR5: release ${previousRelease.version} beside this one${away}`, () => {
  let release: Release;
  let cluster: Cluster;
  let proxy: ProxyProcess;
  beforeAll(async () => {
    release = await checkOutPreviousRelease();
    const front = await freePort();
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 2,
      clients: upgradeClients,
      main: release.main,
      front,
      env: { TRUST_PROXY: '1', DRAIN_NOTICE_SECONDS: '5' },
    });
    proxy = await startProxy(
      front,
      cluster.processes.map(({ port }) => port),
    );
  });
  afterAll(async () => {
    await proxy?.stop();
    await cluster?.close();
    await release?.remove();
  });

  test('no request fails while a process becomes the new release, and the old one again on the new schema', async () => {
    const { main } = release;
    const steps = [
      { index: 0, main: undefined },
      { index: 1, main: undefined },
      { index: 1, main },
    ];
    const { failed, figures, firstFailure, strange, tally } = await rollThrough(cluster, {
      steps,
      pauseMs: 500,
      everyMs: 200,
    });
    expect(failed + strange, `${firstFailure}; ${figures}`).toBe(0);
    expect(tally.of(200)).toBeGreaterThan(100);
  });
});
