import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect as dial } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Cluster, createTokenRequests, startCluster } from '../support/cluster.ts';
import { freePort } from '../support/world.ts';
import { inParallel, outcomeOf, PARALLEL, ROUNDS, skipped, tally } from './rounds.ts';

const WORKERS = 2;
/** Of 10 connections of a worker one listens, and three of the others are kept for token requests. */
const USUAL = 6;
const FLOOD = 60;

describe.skipIf(!testDatabaseUrl)(`WORKERS: processes behind one port${skipped}`, () => {
  let cluster: Cluster;
  let metricsPort = 0;
  beforeAll(async () => {
    metricsPort = await freePort();
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 1,
      env: { WORKERS: String(WORKERS), METRICS_PORT: String(metricsPort), CODE_RESEND_SECONDS: '60' },
    });
  });
  afterAll(() => cluster?.close());

  const countVerified = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(
      /^candela_codes_total\{channel="email",purpose="register",outcome="verified"\} (\d+)$/m.exec(text)?.[1],
    );
  };

  const workers = (): number[] =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(cluster.processes[0]?.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(Number);

  test('people sign up and link at any worker', async () => {
    expect(workers()).toHaveLength(WORKERS);
    const app = await cluster.registerApp();
    await inParallel(async () => {
      const { agent } = await cluster.signUp();
      const { tokens } = await cluster.link(agent, app.rp);
      expect(tokens.refresh_token).toBeDefined();
    }, 8);
  });

  test('metrics sum the figures of all workers', async () => {
    expect(await countVerified()).toBe(8);
  });

  test('R9: one of several parallel requests for a code sends a message', async () => {
    const { identifier } = await cluster.signUp();
    for (let round = 0; round < ROUNDS; round += 1) {
      await cluster.db.deleteFrom('rate_limit').where('key', 'like', 'code.cooldown%').execute();
      const codes = async () =>
        (await cluster.messages()).filter(({ purpose }) => purpose === 'recover').length;
      const before = await codes();
      const answers = await inParallel(() =>
        cluster.browser().post('/api/codes', { identifier, purpose: 'recover' }),
      );
      expect(tally(answers.map(outcomeOf))).toEqual({ 202: 1, rate_limited: PARALLEL - 1 });
      expect((await codes()) - before).toBe(1);
    }
  });

  test('apps get their tokens at once while people wait for connections of every worker', async () => {
    const app = await cluster.registerApp();
    const [crowd, other] = [await cluster.signUp(), await cluster.signUp()];
    const { id } = (await crowd.agent.get('/api/account')).json();
    const { tokens } = await cluster.link(other.agent, app.rp);
    const requests = createTokenRequests(cluster, app);
    let token = tokens.refresh_token ?? '';
    const rename = () => crowd.agent.request('PATCH', '/api/account', { json: { nickname: 'Crowd' } });

    await cluster.db.transaction().execute(async (trx) => {
      await sql`select from account where id = ${id} for no key update`.execute(trx);
      let waiting = FLOOD;
      const flood = inParallel(() => rename().finally(() => (waiting -= 1)), FLOOD);
      const untilBlocked = async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(cluster.db);
        expect(rows[0]?.count).toBe(USUAL * WORKERS);
      };
      await vi.waitFor(untilBlocked, { timeout: 3_000, interval: 20 });
      for (let turn = 0; turn < 10; turn += 1) {
        const started = performance.now();
        const answer = await requests.refresh(token);
        expect(answer.status).toBe(200);
        token = answer.json().refresh_token;
        expect(await requests.isActive(answer.json().access_token)).toBe(true);
        expect(performance.now() - started).toBeLessThan(1_000);
      }
      expect(waiting).toBe(FLOOD);
      void flood.catch(() => undefined);
    });
    await vi.waitFor(async () => expect((await rename()).status).toBe(200), 10_000);
  });

  test('a worker that dies is replaced, and meanwhile the others serve', async () => {
    // The first process knows what it has asked a worker for; the figures since then end with the worker.
    expect(await countVerified()).toBe(11);
    const [lost = 0, ...left] = workers();
    process.kill(lost, 'SIGKILL');
    await vi.waitFor(() => expect(workers()).toEqual(left));
    // Only in its next turn does this process notice that its kept connections ended with the worker.
    await nextTurn();
    await nextTurn();
    // The dying worker may still get a connection: then the request is repeated.
    await vi.waitFor(() => cluster.signUp(), 5_000);
    await vi.waitFor(() => expect(workers()).toHaveLength(WORKERS), 10_000);
    expect(workers()).toEqual(expect.arrayContaining(left));
    await cluster.signUp();
    // What the lost worker counted still counts.
    expect(await countVerified()).toBe(13);
    expect(cluster.faults().map((line) => JSON.parse(line).msg)).toEqual(['a worker ended and is replaced']);
  });

  test('all workers end with the first process, and finish the requests under way', async () => {
    const running = workers();
    const { host } = new URL(cluster.origin);
    const open = async (head: string) => {
      const socket = dial({ host: '127.0.0.1', port: cluster.processes[0]?.port ?? 0 });
      const told = { text: '', closed: once(socket, 'close'), socket };
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        told.text += chunk;
      });
      socket.write(`${head}\r\nhost: ${host}\r\n\r\n`);
      await vi.waitUntil(() => told.text !== '');
      return told;
    };
    const form = 'grant_type=refresh_token';
    const begun = await open(
      `POST /oauth/token HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: ${form.length}\r\n` +
        'content-type: application/x-www-form-urlencoded',
    );
    const idle = await Promise.all(Array.from({ length: WORKERS * 2 }, () => open('GET /healthz HTTP/1.1')));
    await cluster.processes[0]?.kill();
    await Promise.all(idle.map(({ closed }) => closed));
    begun.socket.write(form);
    await begun.closed;
    expect(begun.text).toContain('HTTP/1.1 400');
    await vi.waitFor(() => {
      for (const pid of running) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    }, 60_000);
  });
});
