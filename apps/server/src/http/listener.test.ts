import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createListener, type Listener } from './listener.ts';

const HOST = '127.0.0.1';
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

const listeners: Listener[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
});

const start = async (handler: RequestListener) => {
  const listener = createListener(handler, { port: 0, host: HOST, publicUrl: 'http://localhost:3000' });
  listeners.push(listener);
  return { listener, port: await listener.listen() };
};

const dial = async (port: number) => {
  const socket = connect({ host: HOST, port });
  sockets.push(socket);
  const heard = { text: '' };
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    heard.text += chunk;
  });
  await once(socket, 'connect');
  return {
    socket,
    closed: once(socket, 'close'),
    /** Resolves with the answer to `request`. */
    ask: async (request = GET) => {
      heard.text = '';
      socket.write(request);
      await vi.waitUntil(() => heard.text.endsWith('answer'));
      return heard.text;
    },
    heard,
  };
};

const answer = (response: ServerResponse) => response.setHeader('content-length', 6).end('answer');

test('an idle connection is kept longer than a proxy keeps it', async () => {
  const { port } = await start((_, response) => answer(response));
  const [, seconds] = /^Keep-Alive: timeout=(\d+)/im.exec(await (await dial(port)).ask()) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(65);
});

/** Resolves when the server accepts no more connections. */
const untilRefused = (port: number) =>
  vi.waitFor(async () => {
    const socket = connect({ host: HOST, port });
    await expect(
      once(
        socket.on('connect', () => socket.destroy()),
        'connect',
      ),
    ).rejects.toThrow('ECONNREFUSED');
  });

test('once the listener ends, each connection closes after its next answer, also after an answer begun before', async () => {
  const pending: ServerResponse[] = [];
  const { listener, port } = await start((request, response) => {
    if (request.url === '/slow') pending.push(response);
    else answer(response);
  });
  const idle = await dial(port);
  expect(await idle.ask()).toMatch(/^Connection: keep-alive/im);
  const busy = await dial(port);
  busy.socket.write(GET.replace('/', '/slow'));
  await vi.waitUntil(() => pending.length === 1);
  const ended = listener.close({ lingerMs: 60_000 });
  await untilRefused(port);
  expect(await idle.ask()).toMatch(/^Connection: close/im);
  await idle.closed;
  for (const response of pending) answer(response);
  await busy.closed;
  expect(busy.heard.text).toMatch(/^Connection: close[\s\S]+answer$/im);
  await ended;
});

test('idle connections are closed at last, and running requests are waited for', async () => {
  const pending: ServerResponse[] = [];
  const { listener, port } = await start((request, response) => {
    if (request.url === '/slow') pending.push(response);
    else answer(response);
  });
  const idle = await dial(port);
  await idle.ask();
  const busy = await dial(port);
  busy.socket.write(GET.replace('/', '/slow'));
  await vi.waitUntil(() => pending.length === 1);
  const ended = listener.close();
  await idle.closed;
  for (const response of pending) answer(response);
  await Promise.all([busy.closed, ended]);
  expect(busy.heard.text).toMatch(/answer$/);
});

test('a connection that waits to be accepted at the end is answered, not reset', async () => {
  const { listener, port } = await start((_, response) => answer(response));
  const waiting = Array.from({ length: 20 }, () => connect({ host: HOST, port }).setEncoding('utf8'));
  const answers = waiting.map(async (socket) => {
    socket.write(GET);
    let text = '';
    for await (const chunk of socket) text += chunk;
    return text;
  });
  // The kernel has accepted the connections; the server has not seen them yet.
  await new Promise(process.nextTick);
  await listener.close();
  for (const text of await Promise.all(answers)) expect(text).toMatch(/answer$/);
});
