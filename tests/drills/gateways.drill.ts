import { setTimeout as wait } from 'node:timers/promises';
import { listenHttp, listenSmtp } from '../../apps/server/testing/gateways.ts';
import type { Drill } from './drill.ts';
import { startPlace } from './journeys.ts';

const PAGE_SECONDS = 1;
const CIRCUIT_SECONDS = 10;
const CAPACITY = 1_000;
const PAUSE_MS = 200;
const WORKING = 20;

type State = 'slow' | 'down' | 'deaf' | 'well';

export const drill: Drill = {
  name: 'gateways',
  row: 'DR10',
  breaks:
    'the SMS gateway takes 30 s, then takes messages and loses its answers; the mail gateway hangs up; both come back',
  passes:
    'pages and requests for codes are answered within 1 s without a code in them, the circuit opens within 10 s, the queue is bounded, nobody is sent two codes',
  limitSeconds: 150,
  run: async (place) => {
    let state: State = 'slow';
    const late = new AbortController();
    const sms = await listenHttp(async () => {
      if (state === 'slow') await wait(30_000, undefined, { signal: late.signal }).catch(() => undefined);
      if (state === 'down') return 503;
      return state === 'deaf' ? 0 : 202;
    });
    const mail = await listenSmtp(() => (state === 'well' ? undefined : 'hang up'));
    place.onEnd(() => Promise.all([sms.close(), mail.close()]));
    place.onEnd(async () => late.abort());
    const cluster = await startPlace(place, {
      processes: 2,
      env: {
        SMS_URL: sms.url,
        SMS_SECRET: 'a secret of the gateway and of no other',
        SMTP_URL: mail.url,
        MAIL_FROM: 'account@aurelia.example',
        LOG_LEVEL: 'fatal',
      },
    });
    let slowestPage = 0;
    let longestQueue = 0;
    const answers: { identifier: string; status: number; body: string }[] = [];
    const timed = async <T>(work: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await work();
      slowestPage = Math.max(slowestPage, (performance.now() - start) / 1000);
      return result;
    };
    const ask = async (identifier: string) => {
      const agent = cluster.browser();
      await timed(() => agent.get('/login'));
      const { status, body } = await timed(() => agent.post('/api/codes', { identifier, purpose: 'login' }));
      answers.push({ identifier, status, body });
      const waiting = await cluster.db.selectFrom('message').select('id').execute();
      longestQueue = Math.max(longestQueue, waiting.length);
      return status;
    };
    let turn = 0;
    const phone = () => `+8613${String(800_000_000 + turn++).padStart(9, '0')}`;
    const address = () => `person-${turn++}@example.com`;
    /** Asks for codes until one is refused; seconds until then. */
    const untilRefused = async (identifier: () => string) => {
      const start = performance.now();
      const seconds = () => (performance.now() - start) / 1000;
      while (seconds() < 2 * CIRCUIT_SECONDS && (await ask(identifier())) !== 503) await wait(PAUSE_MS);
      return seconds();
    };
    const untilTaken = async (identifier: () => string) => {
      while ((await ask(identifier())) !== 202) await wait(PAUSE_MS);
    };

    const [smsSeconds, mailSeconds] = await Promise.all([untilRefused(phone), untilRefused(address)]);
    place.say(`the circuits opened after ${smsSeconds.toFixed(1)} s and ${mailSeconds.toFixed(1)} s`);
    state = 'deaf';
    late.abort();
    await wait(5_000);
    state = 'well';
    await Promise.all([untilTaken(phone), untilTaken(address)]);
    for (let person = 0; person < WORKING; person += 1) await ask(person % 2 ? phone() : address());
    while ((await cluster.db.selectFrom('message').select('id').execute()).length > 0) await wait(PAUSE_MS);

    const accepted = answers.filter(({ status }) => status === 202);
    const sent = new Map<string, Set<string>>();
    const add = (to: string, message: string) => sent.set(to, (sent.get(to) ?? new Set()).add(message));
    // A gateway tells a repeated message by its key; a mail that was taken is not sent again.
    for (const { headers, body } of sms.requests) add(JSON.parse(body).to, `${headers['idempotency-key']}`);
    for (const [index, { to }] of mail.mails.entries()) add(to.join(), String(index));
    const twice = [...sent.values()].filter(({ size }) => size > 1).length;
    const unsent = accepted.filter(({ identifier }) => !sent.has(identifier)).length;
    const codes = new Set(sms.requests.map(({ body }) => String(JSON.parse(body).code)));
    const shown = answers.filter(({ body }) => [...codes].some((code) => body.includes(`"${code}"`))).length;
    const strange = answers.filter(({ status }) => ![202, 503].includes(status)).length;
    return {
      passed:
        slowestPage < PAGE_SECONDS &&
        Math.max(smsSeconds, mailSeconds) < CIRCUIT_SECONDS &&
        longestQueue <= CAPACITY &&
        twice + unsent + shown + strange === 0,
      figures:
        `${accepted.length} codes promised, ${answers.length - accepted.length} refused; circuits open after ${smsSeconds.toFixed(1)} s (SMS) and ${mailSeconds.toFixed(1)} s (mail); ` +
        `the slowest answer took ${slowestPage.toFixed(2)} s; at most ${longestQueue} messages waiting; ${sms.requests.length - codes.size} SMS repeated under their key, ` +
        `${twice} people with two messages, ${unsent} with none, ${shown} codes shown`,
    };
  },
};
