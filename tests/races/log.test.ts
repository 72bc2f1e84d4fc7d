import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterEach, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { freePort } from '../support/world.ts';
import { RACE_TIMEOUT, skipped } from './rounds.ts';

/** More than a pipe holds. */
const LINES = 1_500;

describe.skipIf(!testDatabaseUrl)(`a log that cannot be written${skipped}`, { timeout: RACE_TIMEOUT }, () => {
  let cluster: Cluster | undefined;
  afterEach(() => cluster?.close());

  const start = async () => {
    const metricsPort = await freePort();
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 1,
      env: { LOG_LEVEL: 'debug', METRICS_PORT: String(metricsPort) },
    });
    const { processes, signUp } = cluster;
    const [server] = processes;
    if (!server) throw new Error('no process was started');
    return {
      server,
      signUp,
      /** Each request writes a line; all of them come down one connection. */
      fill: async () => {
        const request = `GET /version HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n`;
        const socket = dial({ host: '127.0.0.1', port: server.port }).resume();
        socket.write(`${`${request}\r\n`.repeat(LINES - 1)}${request}connection: close\r\n\r\n`);
        await once(socket, 'close');
      },
      countDropped: async () => {
        const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        return Number(/^candela_log_lines_dropped_total (\d+)/m.exec(text)?.[1]);
      },
    };
  };

  test('people sign in while nobody reads the log, and the process ends on SIGTERM', async () => {
    const { server, signUp, fill, countDropped } = await start();
    server.ignoreOutput('unread');
    await fill();
    await signUp();
    // These lines still fit into the process’s queue.
    expect(await countDropped()).toBe(0);
    expect(await server.stop()).toBe(0);
  });

  test('people sign in after the pipes of the log were closed, and dropped lines are counted', async () => {
    const { server, signUp, fill, countDropped } = await start();
    server.ignoreOutput('closed');
    await fill();
    await signUp();
    expect(await countDropped()).toBeGreaterThan(LINES);
    expect(await server.stop()).toBe(0);
  });
});
