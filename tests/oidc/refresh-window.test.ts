import type { RefreshVerdict } from '@candela/server/oidc/refresh/window';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFamily, type Expected } from './refresh-family.ts';
import { createRows, type Mode } from './refresh-rows.ts';

const RUNS = process.env.FULL ? 20_000 : 2_000;
const DAY = 24 * 3600;

const modes: Mode[] = ['overlap', 'rotate', 'static'];

/** The server’s verdicts in the terms of the model. */
const kinds: Record<RefreshVerdict, Expected['kind']> = {
  issued: 'issued',
  kept: 'issued',
  repeated: 'issued',
  late: 'refused',
  over: 'refused',
  theft: 'theft',
};

/** Each step waits `pause` seconds and presents the token `behind` generations behind the newest. */
const history = fc.array(
  fc.record({
    behind: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.constant(1) },
      fc.nat(5),
    ),
    pause: fc.oneof(
      fc.constantFrom(0, 1, 59, 60, 61, 3600, 30 * DAY, 60 * DAY - 1, 60 * DAY),
      fc.nat(70 * DAY),
    ),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('any history of a family', () => {
  test.each(modes)('in mode %s gets the verdicts of the model', (mode) => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(history, (steps) => {
        let now = 1_700_000_000;
        const family = createFamily(mode, now);
        const rows = createRows(mode, now);
        for (const { behind, pause } of steps) {
          now += pause;
          const index = Math.max(0, family.length - 1 - behind);
          const expected = family.present(index, now);
          const { verdict, ...answer } = rows.present(index, now);
          expect({ kind: kinds[verdict], ...answer }).toEqual(expected);
          expect(rows.length).toBe(family.length);
          seen.add(expected.kind);
        }
      }),
      { numRuns: RUNS },
    );
    expect(seen).toEqual(new Set(mode === 'static' ? ['issued'] : ['issued', 'refused', 'theft']));
  });
});
