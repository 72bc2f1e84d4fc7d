import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPublicAddress } from '../../ground/outbound/public-address.ts';
import { createLogoDownload } from './logo-download.ts';

test.each(['93.184.215.14', '8.8.8.8', '223.255.255.254', '2606:2800:21f:cb07::1', '2a00:1450:4001::1'])(
  '%s is an address of the Internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
])('%j is none', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

let connections: Socket[] = [];
const server = createServer((socket) => connections.push(socket));
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => {
  for (const socket of connections) socket.destroy();
  server.close();
});

const { signal } = new AbortController();
const download = createLogoDownload({ privateHosts: [] });

test.each([
  'https://127.0.0.1/logo.png',
  'https://2130706433/logo.png',
  'https://0x7f.1/logo.png',
  'https://[::1]/logo.png',
  'https://[::ffff:127.0.0.1]/logo.png',
  'https://169.254.169.254/latest/meta-data',
])('an address of this machine or its network is not asked: %s', async (source) => {
  await expect(download(source, signal)).rejects.toThrow('is not a public address');
});

test('a host name that resolves to this machine gets no request', async () => {
  await expect(download('https://localhost/logo.png', signal)).rejects.toThrow('has no public address');
});

test.each(['http://app.example/logo.png', 'https://user:pass@app.example/', 'ftp://app.example/'])(
  '%s is not asked',
  async (source) => {
    await expect(download(source, signal)).rejects.toThrow('not a plain https URL');
  },
);

test('another port gets no request, unless the host is permitted with that port', async () => {
  const source = `https://localhost:${port}/logo.png`;
  await expect(download(source, signal)).rejects.toThrow(`port ${port} is not that of https`);
  expect(connections).toEqual([]);

  const permitted = createLogoDownload({ privateHosts: [`localhost:${port}`] });
  const ending = new AbortController();
  const asked = new Promise<void>((resolve) => server.once('connection', () => resolve()));
  const answer = expect(permitted(source, ending.signal)).rejects.toThrow();
  await asked;
  ending.abort();
  await answer;
  connections = connections.filter((socket) => !socket.destroyed);
});
