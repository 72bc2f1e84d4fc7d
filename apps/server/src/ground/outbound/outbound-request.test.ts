import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createOutboundRequest,
  faultOfOutboundUri,
  parseHost,
  readOutboundBody,
} from './outbound-request.ts';

let asked: IncomingMessage[] = [];
let reply: (answer: ServerResponse) => void = (answer) => answer.end('yes');
let server: Server;
let host: string;
beforeAll(async () => {
  server = createServer((request, answer) => {
    asked.push(request);
    reply(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const { signal } = new AbortController();
const headers = {};

test('a permitted host is asked at any address and port, and without TLS where that is allowed', async () => {
  const request = createOutboundRequest({ privateHosts: [host], plainAtPrivateHosts: true });
  asked = [];
  const answer = await request(`http://${host}/path?query`, { method: 'POST', headers, body: 'ü', signal });
  expect(answer.statusCode).toBe(200);
  expect(String(await readOutboundBody(answer, 100))).toBe('yes');
  expect(asked.map(({ method, url }) => [method, url])).toEqual([['POST', '/path?query']]);
  expect(asked[0]?.headers).toMatchObject({ 'content-length': '2', 'user-agent': 'Candela' });
});

test('PL23: an answer that switches to another protocol is an error, and its connection ends', async () => {
  const request = createOutboundRequest({ privateHosts: [host], plainAtPrivateHosts: true });
  const before = reply;
  const closed = new Promise((resolve) => {
    reply = ({ socket }) => {
      socket?.once('close', resolve);
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    };
  });
  await expect(request(`http://${host}/`, { headers, signal })).rejects.toThrow('another protocol');
  await closed;
  reply = before;
});

test('PL23: what does not answer ends by the signal', async () => {
  const request = createOutboundRequest({ privateHosts: [host], plainAtPrivateHosts: true });
  const before = reply;
  const limit = new AbortController();
  reply = () => limit.abort(new Error('it took too long'));
  await expect(request(`http://${host}/`, { headers, signal: limit.signal })).rejects.toThrow();
  reply = before;
});

test.each([
  ['without TLS, where that is not allowed', { plainAtPrivateHosts: false }, () => `http://${host}/`],
  ['that is not named', { privateHosts: ['127.0.0.1'] }, () => `http://${host}/`],
  ['with credentials', {}, () => `http://user:password@${host}/`],
  ['by another protocol', {}, () => `ftp://${host}/`],
])('PL16: a host is not asked: %s', async (_name, rules, uriOf) => {
  const request = createOutboundRequest({ privateHosts: [host], plainAtPrivateHosts: true, ...rules });
  asked = [];
  await expect(request(uriOf(), { headers, signal })).rejects.toThrow('not a plain https URL');
  expect(asked).toEqual([]);
});

test.each([
  ['LocalHost', 'http://localhost/', true],
  ['127.0.0.1:443', 'https://127.0.0.1/', true],
  ['127.0.0.1', 'https://127.0.0.1:443/', true],
  ['127.0.0.1:80', 'http://127.0.0.1/', true],
  ['127.0.0.1:80', 'https://127.0.0.1/', false],
  ['127.0.0.1', 'https://127.0.0.1:8443/', false],
])('where %s is named, calling %s is allowed: %s', (named, uri, allowed) => {
  const rules = { privateHosts: [parseHost(named) ?? ''], plainAtPrivateHosts: true };
  expect(faultOfOutboundUri(uri, rules) === undefined).toBe(allowed);
});

test('redirects are not followed', async () => {
  reply = (answer) => answer.writeHead(302, { location: '/elsewhere' }).end();
  const request = createOutboundRequest({ privateHosts: [host], plainAtPrivateHosts: true });
  asked = [];
  const answer = await request(`http://${host}/`, { headers, signal });
  answer.destroy();
  expect(answer.statusCode).toBe(302);
  expect(asked).toHaveLength(1);
});

test('a body beyond the limit is not read to its end', async () => {
  reply = (answer) => answer.end('x'.repeat(101));
  const request = createOutboundRequest({ privateHosts: [host], plainAtPrivateHosts: true });
  const answer = await request(`http://${host}/`, { headers, signal });
  await expect(readOutboundBody(answer, 100)).rejects.toThrow('more than 100 bytes');
  expect(answer.destroyed).toBe(true);
});
