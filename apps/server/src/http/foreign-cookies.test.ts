import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterEach, expect, test } from 'vitest';
import { createCookieSigner } from './cookie-signer.ts';
import { createForeignCookieFilter } from './foreign-cookies.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Answers with the signed cookies `device` and `session`. */
const serve = async () => {
  const signer = createCookieSigner(['ours', 'older']);
  const koa = new Koa({ keys: signer as unknown as string[] });
  koa.use(createForeignCookieFilter(signer));
  koa.use((ctx) => {
    const read = (name: string) => ctx.cookies.get(name, { signed: true });
    ctx.body = [read('device') ?? 'none', read('session') ?? 'none'].join(' ');
  });
  const server = createServer(koa.callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closers.push(() => server.close());
  return async (cookie: string) => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { cookie } });
    return { body: await answer.text(), set: answer.headers.getSetCookie() };
  };
};

const signed = (key: string, name: string, value: string) =>
  `${name}=${value}; ${name}.sig=${createCookieSigner([key]).sign(`${name}=${value}`)}`;

test('a cookie signed with a foreign key counts as absent, and the browser keeps it', async () => {
  const ask = await serve();
  expect(await ask(`${signed('theirs', 'session', 'abc')}; ${signed('older', 'device', 'd')}`)).toEqual({
    body: 'd none',
    set: [],
  });
  expect(
    await ask(`${signed('theirs', 'device', 'd')}; lang=en; ${signed('ours', 'session', 'abc')}`),
  ).toEqual({ body: 'none abc', set: [] });
});

test('a cookie that is changed, unsigned, without its value or sent twice is neither accepted nor deleted', async () => {
  const ask = await serve();
  const right = signed('ours', 'session', 'abc');
  for (const cookie of [
    right.replace('=abc', '=abd'),
    'session=abc',
    'session=abc; session.sig=',
    'session=abc; session.sig=short',
    right.slice(right.indexOf(';') + 2),
    `session=abd; ${right}`,
    `session=abc; session.sig=short; ${right}`,
    ';;=;.sig=;session.sig=x',
  ]) {
    expect(await ask(cookie), cookie).toEqual({ body: 'none none', set: [] });
  }
  expect(await ask(right)).toEqual({ body: 'none abc', set: [] });
});
