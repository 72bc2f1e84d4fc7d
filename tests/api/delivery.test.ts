import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { listenHttp, listenSmtp } from '../../apps/server/testing/gateways.ts';
import { until } from '../../apps/server/testing/until.ts';
import { createWorld, type World, type WorldOptions } from '../support/world.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});
const opened = async <T extends { close(): Promise<void> }>(work: Promise<T>): Promise<T> => {
  const one = await work;
  open.push(one);
  return one;
};

const start = (env: WorldOptions['env'] = {}) => opened(createWorld({ env: { LOG_LEVEL: 'fatal', ...env } }));
const smsTo = (url: string) => ({ SMS_URL: url, SMS_SECRET: 'a secret of the gateway and of no other' });
const phone = (index: number) => `+86138001380${10 + index}`;
const sendCode = (world: World, identifier: string, purpose = 'login') =>
  world.browser().post('/api/codes', { identifier, purpose });
const timed = async <T>(work: Promise<T>): Promise<{ answer: T; ms: number }> => {
  const started = performance.now();
  return { answer: await work, ms: performance.now() - started };
};
const promised = async ({ db }: World) => [
  ...(await db.selectFrom('verification_code').selectAll().execute()),
  ...(await db.selectFrom('rate_limit').selectAll().execute()),
  ...(await db.selectFrom('message').selectAll().execute()),
];

test('gateways get each code once, and the outbox stays empty', async () => {
  const sms = await opened(listenHttp());
  const smtp = await opened(listenSmtp());
  const env = { SMTP_URL: smtp.url, MAIL_FROM: 'account@aurelia.example', ...smsTo(sms.url) };
  const world = await start(env);
  const agent = world.browser();
  expect((await agent.post('/api/codes', { identifier: phone(0), purpose: 'register' })).status).toBe(202);
  expect((await sendCode(world, 'ada@example.com')).status).toBe(202);
  await until(() => sms.requests.length === 1 && smtp.mails.length === 1);
  expect(JSON.parse(sms.requests[0]?.body ?? '')).toMatchObject({ to: phone(0), purpose: 'register' });
  expect(smtp.mails[0]).toMatchObject({ from: 'account@aurelia.example', to: ['ada@example.com'] });
  expect(await world.messages()).toEqual([]);
  await until(async () => (await world.db.selectFrom('message').selectAll().execute()).length === 0);
});

test('DR10: a gateway that takes 30 s delays no page and opens the circuit within 10 s', async () => {
  const sms = await opened(listenHttp(() => wait(30_000, 202, { ref: false })));
  const world = await start(smsTo(sms.url));
  const started = performance.now();
  const first = await timed(sendCode(world, phone(0)));
  expect(first.answer.status).toBe(202);
  expect(first.ms).toBeLessThan(1_000);
  await until(() => sms.requests.length > 0);
  expect(first.answer.body).not.toContain(JSON.parse(sms.requests[0]?.body ?? '').code);

  let refusal = first;
  for (let index = 1; refusal.answer.status === 202; index += 1) {
    await wait(500);
    refusal = await timed(sendCode(world, phone(index)));
    expect(refusal.ms).toBeLessThan(1_000);
    expect(performance.now() - started).toBeLessThan(10_000);
  }
  expect(refusal.answer.status).toBe(503);
  expect(refusal.answer.json().error.code).toBe('unavailable');
  expect(Number(refusal.answer.headers['retry-after'])).toBeGreaterThan(0);
  // The other channel is not affected.
  expect((await sendCode(world, 'ada@example.com')).status).toBe(202);
  const texts = sms.requests.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(texts).size).toBe(texts.length);
});

test('DR10: a message promised while the mail server was down arrives once when the server is back', async () => {
  let isDown = true;
  const smtp = await opened(listenSmtp((step) => (isDown && step === 'GREETING' ? 'hang up' : undefined)));
  const world = await start({ SMTP_URL: smtp.url, MAIL_FROM: 'account@aurelia.example' });
  expect((await sendCode(world, 'ada@example.com')).status).toBe(202);
  await wait(300);
  expect(smtp.mails).toEqual([]);
  isDown = false;
  await until(() => smtp.mails.length > 0);
  await wait(500);
  expect(smtp.mails).toHaveLength(1);
});

test.each(['login', 'recover'])(
  'DR10: a full queue refuses a code to %s, and nothing is stored or counted',
  async (purpose) => {
    const sms = await opened(listenHttp());
    const world = await start(smsTo(sms.url));
    await sql`insert into message (id, channel, sealed, due_at, expires_at)
    select 'waiting ' || n, 'sms', '', now() + interval '1 hour', now() + interval '1 hour'
    from generate_series(1, 1000) as n`.execute(world.db);
    const answer = await sendCode(world, phone(0), purpose);
    expect(answer.status).toBe(503);
    expect(answer.json().error.code).toBe('busy');
    expect(answer.headers['retry-after']).toBe('15');
    expect(await promised(world)).toHaveLength(1000);
    await sql`delete from message`.execute(world.db);
    expect((await sendCode(world, phone(0), purpose)).status).toBe(202);
  },
);
