import { expect, test } from 'vitest';
import { remainingSeconds, SESSION_SECONDS } from './session-lifetime.ts';

const DAY = 24 * 3600;
const now = 1_800_000_000;

test('a session lasts 14 days from each use, and never beyond its absolute end', () => {
  expect(remainingSeconds(undefined, now)).toBe(14 * DAY);
  expect(remainingSeconds(now - 3 * DAY, now)).toBe(14 * DAY);
  expect(remainingSeconds(now - 80 * DAY, now)).toBe(10 * DAY);
  expect(remainingSeconds(now - SESSION_SECONDS + 1, now)).toBe(1);
  expect(remainingSeconds(now - 2 * SESSION_SECONDS, now)).toBe(1);
});
