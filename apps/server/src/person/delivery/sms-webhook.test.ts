import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createCertificate } from '../../../../../tests/support/https-server.ts';
import { listenHttp } from '../../../testing/gateways.ts';
import type { IdentifiedMessage } from './message.ts';
import { createSmsWebhook } from './sms-webhook.ts';

const secret = 'a secret of the gateway and of no other';
const message: IdentifiedMessage = {
  id: '2f6d',
  channel: 'sms',
  to: '+8613800138000',
  locale: 'zh-Hans',
  purpose: 'login',
  code: '012345',
  text: '【Aurelia】验证码 012345\n\n@id.aurelia.example #012345',
  brand: { name: 'Aurelia' },
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});
const start = async (respond?: Parameters<typeof listenHttp>[0], timeoutMs = 60_000) => {
  const listener = await listenHttp(respond);
  open.push(listener);
  const now = () => new Date('2026-01-01T00:00:00Z');
  return { ...listener, sender: createSmsWebhook({ url: listener.url, secret, now, timeoutMs }) };
};

interface Example {
  isGenuine(
    request: { headers: Record<string, unknown>; body: string },
    secret: string,
    nowSeconds: number,
  ): boolean;
}

/** The documented example that integrators copy. */
const readExample = async (): Promise<Example> => {
  const text = await readFile(new URL('../../../../../docs/sms.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
};

test('a message arrives as JSON whose signature the documented example verifies', async () => {
  const { sender, requests } = await start();
  await sender.send(message);
  const [request] = requests;
  if (!request) throw new Error('nothing arrived');
  expect(JSON.parse(request.body)).toEqual({
    id: '2f6d',
    to: '+8613800138000',
    text: message.text,
    code: '012345',
    purpose: 'login',
    locale: 'zh-Hans',
    brand: 'Aurelia',
  });
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'idempotency-key': '2f6d',
    'candela-timestamp': '1767225600',
  });
  const { isGenuine } = await readExample();
  const at = 1767225600;
  expect(isGenuine(request, secret, at + 60)).toBe(true);
  expect(isGenuine(request, secret, at + 301)).toBe(false);
  expect(isGenuine(request, `${secret}!`, at)).toBe(false);
  expect(isGenuine({ ...request, body: request.body.replace('8000', '8001') }, secret, at)).toBe(false);
  expect(isGenuine({ ...request, headers: {} }, secret, at)).toBe(false);
});

test.each([
  [200, 'taken'],
  [202, 'taken'],
  [409, 'taken'],
  [302, 'later'],
  [401, 'later'],
  [429, 'later'],
  [500, 'later'],
  [503, 'later'],
  [400, 'never'],
  [422, 'never'],
])('%i means %s', async (status, outcome) => {
  const { sender, requests } = await start(() => status);
  const result = await sender.send(message).then(
    () => 'taken',
    (error) => error.failure,
  );
  expect(result).toBe(outcome);
  expect(requests).toHaveLength(1);
});

test('a gateway that hangs up, stays silent or is unreachable means a later try, and the reason says which', async () => {
  const later = (reason: string) => ({ failure: 'later', message: reason });
  const hangsUp = await start(() => 0);
  await expect(hangsUp.sender.send(message)).rejects.toMatchObject(later('sms UND_ERR_SOCKET'));
  const slow = await start(() => new Promise(() => undefined), 300);
  await expect(slow.sender.send(message)).rejects.toMatchObject(later('sms TimeoutError'));
  const gone = await start();
  await gone.close();
  await expect(gone.sender.send(message)).rejects.toMatchObject(later('sms ECONNREFUSED'));
  const to = (url: string) => createSmsWebhook({ url, secret, now: () => new Date() }).send(message);
  // RFC 6761: a name that never resolves.
  await expect(to('https://gateway.invalid/')).rejects.toMatchObject({
    failure: 'later',
    message: expect.stringMatching(/^sms (ENOTFOUND|EAI_AGAIN)$/),
  });
  const untrusted = createServer(createCertificate('127.0.0.1')).listen(0, '127.0.0.1');
  await once(untrusted, 'listening');
  const { port } = untrusted.address() as AddressInfo;
  await expect(to(`https://127.0.0.1:${port}/`)).rejects.toMatchObject(
    later('sms DEPTH_ZERO_SELF_SIGNED_CERT'),
  );
  untrusted.close();
});
