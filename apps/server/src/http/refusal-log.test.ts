import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRefusalLog } from './refusal-log.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a thousand refusals in a second log one line at once and one line with their number', () => {
  const lines: { errorCode: string; count: number; requestId: string }[] = [];
  const note = createRefusalLog({ warn: (line: never) => void lines.push(line) } as never);
  const refuse = (requestId: string, errorCode: 'busy' | 'unavailable' = 'busy') =>
    note({ requestId, errorCode, method: 'POST', path: '/oauth/token', err: undefined });
  const logged = () =>
    lines.splice(0).map(({ errorCode, count, requestId }) => [errorCode, count, requestId]);

  for (let n = 0; n < 1_000; n += 1) refuse(`request ${n}`);
  refuse('of another kind', 'unavailable');
  expect(logged()).toEqual([
    ['busy', 1, 'request 0'],
    ['unavailable', 1, 'of another kind'],
  ]);
  vi.advanceTimersByTime(1_000);
  expect(logged()).toEqual([['busy', 999, 'request 999']]);
  refuse('late');
  expect(logged()).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(logged()).toEqual([['busy', 1, 'late']]);
  vi.advanceTimersByTime(2_000);
  refuse('after a while');
  expect(logged()).toEqual([['busy', 1, 'after a while']]);
});
