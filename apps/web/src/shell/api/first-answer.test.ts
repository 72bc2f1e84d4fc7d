import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, call, serverNow } from './client.ts';

afterEach(() => vi.unstubAllGlobals());

interface Early {
  status?: number;
  headers?: Record<string, string>;
  /** Seconds since it came. */
  age?: number;
}

const answerOf = ({ status = 200, headers = {}, age = 0 }: Early) => ({
  response: new Response('{"from":"page"}', { status, headers }),
  at: Date.now() - age * 1_000,
});

/** The page at /index has asked for the account; answers how often its scripts ask for anything. */
const arrange = (answer: Promise<ReturnType<typeof answerOf> | undefined>, here = '/index') => {
  const fetched = vi.fn(async () => new Response('{"from":"call"}'));
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('location', { pathname: here });
  vi.stubGlobal('candelaFirst', { url: '/api/account', page: '/index', answer });
  return () => fetched.mock.calls.length;
};
const early = (what: Early = {}) => Promise.resolve(answerOf(what));

test('the answer is taken by the call that it is for, once', async () => {
  const asked = arrange(early());
  expect(await call('GET /api/sessions')).toEqual({ from: 'call' });
  expect(await Promise.all([call('GET /api/account'), call('GET /api/account')])).toEqual([
    { from: 'page' },
    { from: 'call' },
  ]);
  expect(asked()).toBe(2);
});

test('a refusal is the refusal of the call', async () => {
  const asked = arrange(early({ status: 503, headers: { 'retry-after': '7' } }));
  const error = await call('GET /api/account').catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 7 });
  expect(asked()).toBe(0);
});

test('where no answer came, the call asks', async () => {
  const asked = arrange(Promise.resolve(undefined));
  expect(await call('GET /api/account')).toEqual({ from: 'call' });
  expect(asked()).toBe(1);
});

test('an answer that waited for half a minute is too old', async () => {
  arrange(early({ age: 31 }));
  expect(await call('GET /api/account')).toEqual({ from: 'call' });
});

test('another page does not take it, and neither does its own page later', async () => {
  arrange(early(), '/tokens');
  expect(await call('GET /api/account')).toEqual({ from: 'call' });
  vi.stubGlobal('location', { pathname: '/index' });
  expect(await call('GET /api/account')).toEqual({ from: 'call' });
});

test('nobody takes it once something was changed', async () => {
  arrange(early());
  await call('PATCH /api/account', { body: { nickname: 'Lena' } });
  expect(await call('GET /api/account')).toEqual({ from: 'call' });
});

test('the server’s clock is read as of when the answer came', async () => {
  const date = new Date(Date.now() - 20_000).toUTCString();
  arrange(early({ age: 20, headers: { date } }));
  await call('GET /api/account');
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(2_000);
});
