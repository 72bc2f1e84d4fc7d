import { expect, test } from 'vitest';
import type { RefreshPolicy } from './policy.ts';
import { judgeRefresh, type PresentedToken, type RefreshVerdict } from './window.ts';

const NOW = 1_700_000_000;
const OVERLAP = 600;
const FAMILY_END = NOW + 50;

const policy: Omit<RefreshPolicy, 'term'> = {
  mode: 'overlap',
  overlapSeconds: OVERLAP,
  familyEnd: undefined,
};
const unused = (age: number) => ({ age, useAge: undefined });
const used = (useAge: number) => ({ age: useAge + 5, useAge });

const cases: [string, Partial<PresentedToken>, Partial<RefreshPolicy>, RefreshVerdict, number][] = [
  ['the newest', {}, {}, 'issued', NOW + 100],
  ['the newest in mode rotate', {}, { mode: 'rotate' }, 'issued', NOW + 100],
  ['the newest in mode static', {}, { mode: 'static' }, 'kept', NOW + 100],
  ['the newest at its end', { endsAt: NOW }, {}, 'over', NOW],
  ['the newest a second before its end', { endsAt: NOW + 1 }, {}, 'issued', NOW + 1],
  ['the newest of a family that ends', {}, { familyEnd: FAMILY_END }, 'issued', FAMILY_END],
  ['the newest of a family that has ended', {}, { familyEnd: NOW }, 'over', NOW],
  ['with a fresh successor', { successor: unused(0) }, {}, 'repeated', NOW + 100],
  [
    'with a fresh successor in mode static',
    { successor: unused(0) },
    { mode: 'static' },
    'repeated',
    NOW + 100,
  ],
  ['a second before the overlap ends', { successor: unused(OVERLAP - 1) }, {}, 'repeated', NOW + 1],
  ['when the overlap ends', { successor: unused(OVERLAP) }, {}, 'theft', NOW + 100],
  ['long after the overlap', { successor: unused(OVERLAP + 900) }, {}, 'theft', NOW + 100],
  ['past its end and its overlap', { endsAt: NOW, successor: unused(OVERLAP) }, {}, 'over', NOW],
  [
    'past its overlap, of a family that has ended',
    { successor: unused(OVERLAP) },
    { familyEnd: NOW },
    'over',
    NOW,
  ],
  [
    'in mode static, past the overlap with a successor of before',
    { successor: unused(OVERLAP) },
    { mode: 'static' },
    'theft',
    NOW + 100,
  ],
  ['when the successor was just used', { successor: used(0) }, {}, 'late', NOW + 100],
  ['a second before the grace ends', { successor: used(59) }, {}, 'late', NOW + 100],
  ['when the grace ends', { successor: used(60) }, {}, 'theft', NOW + 100],
  ['in mode rotate, a repeat', { successor: used(0) }, { mode: 'rotate' }, 'late', NOW + 100],
  [
    'in mode rotate, a repeat after the grace',
    { successor: used(60) },
    { mode: 'rotate' },
    'theft',
    NOW + 100,
  ],
  ['longer ago than the overlap', { successor: used(OVERLAP * 2) }, {}, 'theft', NOW + 100],
  ['past its end, though its successor was used', { endsAt: NOW, successor: used(60) }, {}, 'over', NOW],
  ['past its end, within the grace', { endsAt: NOW, successor: used(59) }, {}, 'late', NOW],
];

test.each(cases)('a token %s', (_name, token, more, verdict, goodUntil) => {
  const presented = { endsAt: NOW + 100, successor: undefined, ...token };
  expect(judgeRefresh(presented, { ...policy, ...more }, NOW)).toEqual({ verdict, goodUntil });
});
