import type { ErrorCode } from '@candela/contract';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { AppError } from '../../ground/errors.ts';
import { createErrorHandler } from './error-handler.ts';

test.each<[ErrorCode, number, number]>([
  ['busy', 503, 0],
  ['rate_limited', 429, 0],
  ['unavailable', 503, 0],
  ['internal_error', 500, 1],
])('%s answers %i, and makes %i lines of an error', async (code, status, lines) => {
  const logged: unknown[] = [];
  const koa = new Koa();
  koa.use(async (ctx, next) => {
    ctx.state = { requestId: 'abcdef012345' };
    await next();
  });
  koa.use(
    createErrorHandler(
      { error: (line: unknown) => logged.push(line), warn: () => undefined } as never,
      {} as never,
    ),
  );
  koa.use(() => {
    throw new AppError(code, { retryAfterSeconds: 2 });
  });
  const server = koa.listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const answer = await fetch(`http://127.0.0.1:${address.port}/api/codes`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '2']);
    expect(await answer.json()).toMatchObject({ error: { code, retryAfterSeconds: 2 } });
    expect(logged).toHaveLength(lines);
  } finally {
    server.close();
  }
});
