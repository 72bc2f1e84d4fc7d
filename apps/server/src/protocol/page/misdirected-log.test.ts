import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMisdirectedLog } from './misdirected-log.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a thousand requests to other hosts log one line at once, and one line a minute with some of the hosts', () => {
  const lines: unknown[] = [];
  const note = createMisdirectedLog({ warn: (line: never) => void lines.push(line) } as never, [
    'id.example.com',
  ]);
  const logged = () => lines.splice(0);
  const expected = ['id.example.com'];

  note({ host: '127.0.0.1:3000', forwardedHost: 'id.example.com' });
  expect(logged()).toEqual([
    { hosts: ['127.0.0.1:3000'], forwardedHost: 'id.example.com', expected, count: 1 },
  ]);
  for (let n = 0; n < 999; n += 1) note({ host: `${n}.example`, forwardedHost: '' });
  expect(logged()).toEqual([]);
  vi.advanceTimersByTime(60_000);
  const hosts = ['0.example', '1.example', '2.example', '3.example', '4.example'];
  expect(logged()).toEqual([{ hosts, expected, count: 999 }]);
  note({ host: 'x'.repeat(9_000), forwardedHost: '' });
  vi.advanceTimersByTime(60_000);
  expect(logged()).toEqual([{ hosts: ['x'.repeat(260)], expected, count: 1 }]);
  vi.advanceTimersByTime(60_000);
  note({ host: '', forwardedHost: '' });
  expect(logged()).toEqual([{ hosts: [''], expected, count: 1 }]);
});
