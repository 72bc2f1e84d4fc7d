import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../../testing/describe-on-databases.ts';
import { findBacklog } from './backlog.repository.ts';
import { createMetrics } from './metrics.ts';
import { startMetrics } from './metrics-server.ts';

const hashing = { running: 2, waiting: 7, begun: 100, refused: 3, waitedSeconds: 1.5 };
const event = { reason: '', method: '', limit: '', count: 1 };
const lane = { waiting: 0, waited: 0, waitedSeconds: 0, refused: 0 };

/** The metrics of a process in which all of this was counted. */
const createFilled = () => {
  const metrics = createMetrics();
  metrics.watch({
    version: '1.2.3',
    commit: undefined,
    isReady: async () => true,
    countDroppedLines: () => 5,
    poolCounts: () => ({
      max: 9,
      open: 4,
      idle: 1,
      lanes: [
        { ...lane, lane: 'usual', waiting: 6 },
        { ...lane, lane: 'reserved', refused: 1 },
      ],
    }),
    changes: { isLive: () => true, heardAgeSeconds: () => 0.25 },
    hashing: () => hashing,
    sweeping: () => ({ sweeps: 2, rows: 40 }),
    messages: () => [{ channel: 'sms', isDown: true, delivered: 8, retried: 2, givenUp: 1 }],
    refreshes: () => [{ platform: 'alexa', count: 12 }],
    events: () => [
      { ...event, event: 'sign_in.refused', reason: 'invalid_credentials', method: 'password', count: 3 },
      { ...event, event: 'sign_in.refused', reason: 'invalid_credentials', method: 'code', count: 4 },
      { ...event, event: 'sign_in.succeeded', method: 'code', count: 9 },
      { ...event, event: 'rate_limit.exceeded', limit: 'code.hour', count: 2 },
    ],
    codes: () => [
      { channel: 'sms', purpose: 'login', prefix: '86', sent: 10, verified: 7 },
      { channel: 'sms', purpose: 'login', prefix: '49', sent: 1, verified: 0 },
      { channel: 'sms', purpose: 'bind', prefix: '86', sent: 1, verified: 1 },
    ],
    backlog: () => Promise.reject(new Error('the database is away')),
  });
  return metrics;
};

test('what a process counts is served to Prometheus, and what the database does not answer is left out', async () => {
  const server = await startMetrics({ port: 0, host: '127.0.0.1', source: createFilled() });
  try {
    const read = async () => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    await read();
    const text = await read();
    for (const line of [
      'candela_codes_total{channel="sms",purpose="login",outcome="sent"} 11',
      'candela_codes_total{channel="sms",purpose="login",outcome="verified"} 7',
      'candela_sms_codes_total{prefix="86",outcome="sent"} 11',
      'candela_sms_codes_total{prefix="49",outcome="verified"} 0',
      'candela_events_total{event="sign_in.refused",reason="invalid_credentials"} 7',
      'candela_sign_ins_total{outcome="refused",method="code",reason="invalid_credentials"} 4',
      'candela_sign_ins_total{outcome="succeeded",method="code",reason=""} 9',
      'candela_limits_exceeded_total{limit="code.hour"} 2',
      'candela_database_waiting{lane="usual"} 6',
      'candela_database_wait_refused_total{lane="reserved"} 1',
      'candela_hashes{state="waiting"} 7',
      'candela_gateway_down{channel="sms"} 1',
      'candela_messages_total{channel="sms",outcome="given_up"} 1',
      'candela_build_info{version="1.2.3",commit=""} 1',
      'candela_ready 1',
      'candela_log_lines_dropped_total 5',
    ])
      expect(text).toContain(line);
    expect(text).not.toMatch(/^candela_queue_due\{/m);
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
  } finally {
    await server.close();
  }
});

describeOnDatabases('what waits in the database', (connection) => {
  test('is counted by queue, and since when', async () => {
    const { db } = connection;
    const hour = 3_600_000;
    const message = {
      channel: 'sms',
      topic: null,
      sealed: '',
      due_at: new Date(),
      expires_at: new Date(),
    } as const;
    for (const [id, ageMs] of Object.entries({ a: hour, b: 0 }))
      await db
        .insertInto('message')
        .values({ ...message, id, created_at: new Date(Date.now() - ageMs) })
        .execute();
    const { queues, expired, signingKeySeconds } = await findBacklog(db);
    const sms = queues.find(({ queue }) => queue === 'sms');
    expect(sms?.due).toBe(2);
    expect(sms?.oldestSeconds).toBeGreaterThan(3_590);
    expect(queues.find(({ queue }) => queue === 'mail')).toEqual({ queue: 'mail', due: 0, oldestSeconds: 0 });
    expect(expired).toContainEqual({ table: 'access_token', oldestSeconds: 0 });
    expect(signingKeySeconds).toBeUndefined();
  });
});
