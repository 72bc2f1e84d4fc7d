import { expect, test } from 'vitest';
import { endOfDuration } from './duration.ts';

const now = new Date('2026-01-31T12:00:00Z');

test.each([
  ['90m', '2026-01-31T13:30:00.000Z'],
  ['12h', '2026-02-01T00:00:00.000Z'],
  ['30d', '2026-03-02T12:00:00.000Z'],
  ['8w', '2026-03-28T12:00:00.000Z'],
  ['P30D', '2026-03-02T12:00:00.000Z'],
  ['P1Y', '2027-01-31T12:00:00.000Z'],
  ['P1Y2M1W3DT4H5M6S', '2027-04-10T16:05:06.000Z'],
  ['PT12H', '2026-02-01T00:00:00.000Z'],
])('%s from noon of January 31 ends at %s', (duration, end) => {
  expect(endOfDuration('--expires-in', duration, now).toISOString()).toBe(end);
});

test.each(['', '30', 'd', '-1d', '1.5d', '30 d', '30D', 'P', 'PT', 'P1', 'P1DT', 'T1H', '9'.repeat(9), '1y'])(
  '"%s" is no duration',
  (duration) => {
    expect(() => endOfDuration('--expires-in', duration, now)).toThrow(
      '--expires-in must be a duration such as 12h, 30d, 8w or, as ISO 8601 has it, P1Y, not ',
    );
  },
);
