import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createOutboundRequest } from '../../ground/outbound/outbound-request.ts';
import { createEngineFetch } from './engine-fetch.ts';

describe('requests of the engine to the hosts of clients', () => {
  let asked: string[] = [];
  let away = false;
  /** What the host answers instead of keys. */
  let broken: string | undefined;
  let server: Server;
  let host: string;
  beforeAll(async () => {
    server = createServer((request, answer) => {
      asked.push(`${request.method} ${request.url} ${request.headers.accept}`);
      if (request.url === '/away' && away)
        answer.writeHead(503, { 'cache-control': 'max-age=86400' }).end('{}');
      else if (request.url === '/away' && broken)
        answer.writeHead(200, { 'cache-control': 'max-age=86400' }).end(broken);
      else if (request.url === '/long') answer.end('x'.repeat(300_000));
      else if (request.url === '/moved') answer.writeHead(302, { location: '/jwks' }).end();
      else answer.writeHead(200, { 'cache-control': 'max-age=60' }).end('{"keys":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const fetchOf = (privateHosts: string[]) => {
    const fetch = createEngineFetch(createOutboundRequest({ privateHosts, plainAtPrivateHosts: true }));
    const headers = { accept: 'application/json' };
    return (path: string, init: RequestInit = {}) =>
      fetch(`http://${host}${path}`, { headers, signal: AbortSignal.timeout(5_000), ...init });
  };
  const fetchFrom = (path: string, init: RequestInit = {}, privateHosts = [host]) =>
    fetchOf(privateHosts)(path, init);

  test('keys are fetched, and the engine is told nothing of how long others may keep them', async () => {
    const answer = await fetchFrom('/jwks');
    expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([
      200,
      null,
      '{"keys":[]}',
    ]);
    expect(asked).toEqual(['GET /jwks application/json']);
  });

  test('keys on a private network are fetched only if the operator permitted the host', async () => {
    await expect(fetchFrom('/jwks', {}, [])).rejects.toThrow('not a plain https URL');
    expect(asked).toEqual([]);
  });

  test('an endless answer is cut off, and a redirect is not followed', async () => {
    await expect(fetchFrom('/long')).rejects.toThrow('more than 262144 bytes');
    await expect(fetchFrom('/moved')).rejects.toThrow('answered 302');
    expect(asked).toEqual(['GET /long application/json', 'GET /moved application/json']);
  });

  test('where a host fails, its last answer counts for a day', async () => {
    const clock = vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const fetch = fetchOf([host]);
      away = true;
      await expect(fetch('/away')).rejects.toThrow('answered 503');
      clock.advanceTimersByTime(11_000);
      away = false;
      expect((await fetch('/away')).headers.get('cache-control')).toBeNull();
      away = true;
      const kept = await fetch('/away');
      expect([kept.status, kept.headers.get('cache-control'), await kept.text()]).toEqual([
        200,
        null,
        '{"keys":[]}',
      ]);
      away = false;
      for (const body of ['<p>Back soon</p>', '{}']) {
        broken = body;
        clock.advanceTimersByTime(11_000);
        expect(await (await fetch('/away')).text()).toBe('{"keys":[]}');
      }
      broken = undefined;
      away = true;
      clock.advanceTimersByTime(24 * 3_600_000);
      await expect(fetch('/away')).rejects.toThrow('answered 503');
    } finally {
      away = false;
      broken = undefined;
      clock.useRealTimers();
    }
  });

  test('the engine’s own sending of a logout token does nothing', async () => {
    const body = new URLSearchParams({ logout_token: 'a.b.c' });
    expect((await fetchFrom('/logout', { method: 'POST', body })).status).toBe(204);
    expect(asked).toEqual([]);
  });

  test('no other POST is sent', async () => {
    await expect(fetchFrom('/', { method: 'POST', body: '{}' })).rejects.toThrow('the engine has no use for');
    expect(asked).toEqual([]);
  });
});
