import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipped } from '../races/rounds.ts';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { PASSWORD } from '../support/world.ts';

const PHONE = '+8613800138000';
const NEW_PASSWORD = 'starlight88';

describe.skipIf(!testDatabaseUrl)(`messages through a real gateway${skipped}`, () => {
  const delivered: string[] = [];
  const gateway = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      delivered.push(body);
      response.end();
    });
  });
  let cluster: Cluster;
  beforeAll(async () => {
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const { port } = gateway.address() as AddressInfo;
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 1,
      env: {
        LOG_LEVEL: 'trace',
        SMS_URL: `http://127.0.0.1:${port}/`,
        SMS_SECRET: 'a secret of the test, and long enough',
      },
    });
  });
  afterAll(async () => {
    await cluster?.close();
    gateway.closeAllConnections();
    gateway.close();
  });

  const nextCode = async (): Promise<string> => {
    const before = delivered.length;
    // A notice may arrive first.
    const arrived = () => /#(\d{6})/.exec(delivered.slice(before).join('\n'))?.[1];
    for (let waited = 0; !arrived() && waited < 100; waited += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const code = arrived();
    if (!code) throw new Error(`no code in ${delivered.at(-1)}`);
    return code;
  };

  test('VC13, VC14: codes, tickets and passwords are in no log, no table and no response', async () => {
    const agent = cluster.browser();
    const answers: string[] = [];
    const secrets: string[] = [PASSWORD, NEW_PASSWORD];
    const post = async (path: string, body: object) => {
      const answer = await agent.post(path, body);
      answers.push(`${JSON.stringify(answer.headers)} ${answer.body}`);
      return answer;
    };
    const send = async (purpose: string) => {
      const arriving = nextCode();
      await post('/api/codes', { identifier: PHONE, purpose });
      const code = await arriving;
      secrets.push(code);
      return code;
    };

    const { url } = await agent.navigate('/register');
    const uid = cluster.interactionOf(url);
    const { agreements } = await cluster.details(agent, uid);
    const registration = {
      identifier: PHONE,
      password: PASSWORD,
      agreements: agreements.map(({ id, version }: { id: string; version: string }) => ({ id, version })),
    };
    const code = await send('register');
    await post(`/interaction/${uid}/verify`, { identifier: PHONE, code, purpose: 'login' });
    await post(`/interaction/${uid}/login`, { identifier: PHONE, code, password: PASSWORD });
    expect((await post(`/interaction/${uid}/register`, { ...registration, code })).status).toBe(200);
    const proven = await agent.post('/api/recovery/verify', {
      identifier: PHONE,
      code: await send('recover'),
    });
    const { ticket } = proven.json();
    secrets.push(ticket);
    expect((await post('/api/recovery/password', { ticket, password: 'short' })).status).toBe(400);
    expect((await post('/api/recovery/password', { ticket, password: NEW_PASSWORD })).status).toBe(204);
    // A code that is still being sent and still in its row.
    await send('login');

    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
      cluster.db,
    );
    const dump = await Promise.all(
      tables.rows.map(async ({ name }) =>
        JSON.stringify(await sql`table ${sql.table(name)}`.execute(cluster.db)),
      ),
    );
    const log = cluster.processes.map(({ output }) => output().replaceAll(/"time":\d+/g, '')).join('\n');
    expect(log).toContain('/api/recovery/password');
    for (const secret of secrets) {
      const whole = new RegExp(`(?<![\\w.])${secret}(?![\\w])`);
      expect(log).not.toMatch(whole);
      expect(dump.join('\n')).not.toMatch(whole);
      expect(answers.join('\n')).not.toMatch(whole);
    }
  });
});
