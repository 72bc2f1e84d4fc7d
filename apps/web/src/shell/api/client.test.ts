import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, call, serverNow } from './client.ts';

afterEach(() => vi.unstubAllGlobals());

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const fetched = vi.fn(
    async () => new Response(body === undefined ? null : JSON.stringify(body), { status, headers }),
  );
  vi.stubGlobal('fetch', fetched);
  return fetched;
};

const refusal = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('was not refused')),
    (error: ApiError) => error,
  );

test('an endpoint becomes a request with its path filled in', async () => {
  const fetched = answer(200, { returnTo: '/oauth/authorize/x' });
  const body = { identifier: 'lena@example.com', ticket: 't' };
  expect(await call('POST /interaction/:uid/login', { params: { uid: 'a/b' }, body })).toEqual({
    returnTo: '/oauth/authorize/x',
  });
  expect(fetched).toHaveBeenCalledWith(
    '/interaction/a%2Fb/login',
    expect.objectContaining({ method: 'POST', body: JSON.stringify(body) }),
  );
});

test('an empty answer is no answer to read', async () => {
  answer(204, undefined);
  expect(await call('POST /api/sign-out')).toBeUndefined();
});

test('a refusal carries the codes and the ticket of the server’s answer', async () => {
  answer(404, { error: { code: 'account_not_found', ticket: 't', requestId: 'r' } });
  const error = await refusal(call('GET /api/account'));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    code: 'account_not_found',
    ticket: 't',
    requestId: 'r',
    status: 404,
    fields: {},
  });
});

test('a proxy’s own refusal is understood by its status', async () => {
  answer(503, undefined, { 'retry-after': '7' });
  expect(await refusal(call('GET /api/account'))).toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 7,
  });
});

test('without an answer the code is offline', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await refusal(call('GET /api/account'))).toMatchObject({ code: 'offline', status: 0 });
});

test('deadlines go by the server’s clock', async () => {
  answer(204, undefined, { date: new Date(Date.now() + 3_600_000).toUTCString() });
  await call('POST /api/sign-out');
  expect(serverNow() - Date.now()).toBeGreaterThan(3_590_000);
});
