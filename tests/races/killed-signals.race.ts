import { createServer, type Server } from 'node:http';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { readJwt } from '../support/token.ts';
import { appHost, fourProcesses } from './four-processes.ts';
import { RACE_TIMEOUT, skipped } from './rounds.ts';

const ACCOUNTS = 12;
const SIGNALS = 8;
/** At which arrivals a process is killed, before it hears the answer. */
const KILLS = [20, 50];

describe.skipIf(!testDatabaseUrl)(`signals from processes that are killed${skipped}`, () => {
  let cluster: Cluster;
  let server: Server;
  /** The ids of what came, in its order. */
  const arrived: string[] = [];
  let onArrival: (count: number) => Promise<void> = async () => undefined;
  beforeAll(async () => {
    server = createServer(async (request, answer) => {
      const body = Buffer.concat(await request.toArray()).toString();
      arrived.push(String(readJwt(body).payload.jti));
      await onArrival(arrived.length);
      answer.writeHead(202).end();
    });
    await new Promise<void>((resolve) => server.listen(appHost.port, appHost.address, resolve));
    cluster = await fourProcesses();
    const { clientId } = await cluster.registerApp();
    await cluster.db
      .insertInto('signal_stream')
      .values({
        id: 'stream',
        brand: 'aurelia',
        client_id: clientId,
        delivery_method: 'urn:ietf:rfc:8935',
        endpoint_url: `http://${appHost.address}:${appHost.port}/`,
        events_requested: ['session-revoked'],
      })
      .execute();
  });
  afterAll(async () => {
    for (const at of KILLS.keys()) await cluster.restart(at + 1);
    server.closeAllConnections();
    server.close();
  });

  const rows = () =>
    cluster.db.selectFrom('signal').selectAll().where('stream_id', '=', 'stream').orderBy('id').execute();

  test(
    'SG2: each comes at least once, those of an account in their order, and one whose answer was not heard comes once more',
    async () => {
      onArrival = async (count) => {
        const at = KILLS.indexOf(count);
        if (at >= 0) await cluster.processes[at + 1]?.kill();
      };
      await sql`
        insert into signal (stream_id, account_id, event)
        select 'stream', 'account ' || (n % ${sql.lit(ACCOUNTS)}), 'session-revoked'
        from generate_series(1, ${sql.lit(ACCOUNTS * SIGNALS)}) as n`.execute(cluster.db);
      // As a process leaves one that is killed between the lease and the call.
      await sql`
        update signal set attempts = 1, due_at = now() + interval '15 seconds'
        where id = (select max(id) from signal)`.execute(cluster.db);
      await expect
        .poll(async () => (await rows()).filter(({ outcome }) => outcome !== 'told').length)
        .toBe(0);
      for (const [account, signals] of Map.groupBy(await rows(), ({ account_id }) => account_id)) {
        const jtis = signals.map(({ jti }) => jti);
        const came = arrived.filter((jti) => jtis.includes(jti));
        expect(
          came.filter((jti, index) => jti !== came[index - 1]),
          String(account),
        ).toEqual(jtis);
      }
      // Four of a stream are under way in a process, and each is sent once more.
      const again = arrived.length - ACCOUNTS * SIGNALS;
      expect(again).toBeLessThanOrEqual(KILLS.length * 4);
      const counts = Map.groupBy(arrived, (jti) => jti);
      expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThanOrEqual(2);
    },
    RACE_TIMEOUT,
  );
});
