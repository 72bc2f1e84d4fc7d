import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { createCookieSigner } from './cookie-signer.ts';

/** A server with these cookie keys: it sets a cookie on /set, and answers with the cookie on any other path. */
const serve = async (keys: readonly string[] | ReturnType<typeof createCookieSigner>) => {
  const koa = new Koa({ keys: keys as string[] });
  koa.use((ctx) => {
    if (ctx.path === '/set') ctx.cookies.set('device', 'abc', { signed: true, maxAge: 3_600_000 });
    ctx.body = ctx.cookies.get('device', { signed: true }) ?? 'none';
  });
  const server = createServer(koa.callback()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string, cookie = '') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
    return { body: await answer.text(), set: answer.headers.getSetCookie() };
  };
  return { ask, close: () => server.close() };
};

const cookiesOf = (set: readonly string[]) => set.map((line) => line.split(';')[0]).join('; ');

test('a cookie signed with an older key is accepted, and keeps its value and its end', async () => {
  const older = await serve(createCookieSigner(['old']));
  const newer = await serve(createCookieSigner(['new', 'old']));
  const { set } = await older.ask('/set');
  expect(await newer.ask('/', cookiesOf(set))).toEqual({ body: 'abc', set: [] });
  // Also the reverse: a process whose list has the new key behind the old one.
  const waiting = await serve(createCookieSigner(['old', 'new']));
  const fresh = await newer.ask('/set');
  expect(await waiting.ask('/', cookiesOf(fresh.set))).toEqual({ body: 'abc', set: [] });
  for (const server of [older, newer, waiting]) server.close();
});

test('signatures are compatible with Keygrip, and a wrong signature is refused', async () => {
  const keygrip = await serve(['old']);
  const ours = await serve(createCookieSigner(['old']));
  const theirs = cookiesOf((await keygrip.ask('/set')).set);
  expect(cookiesOf((await ours.ask('/set')).set)).toBe(theirs);
  expect((await ours.ask('/', theirs)).body).toBe('abc');
  expect((await ours.ask('/', theirs.replace('abc', 'abd'))).body).toBe('none');
  expect((await ours.ask('/', 'device=abc; device.sig=short')).body).toBe('none');
  for (const server of [keygrip, ours]) server.close();
});
