import type { DeskAccount } from '@candela/contract';
import { expect, test } from 'vitest';
import { findingsOf, verdictOf } from './findings.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

const account = (part: Partial<DeskAccount> = {}): DeskAccount => ({
  id: 'a',
  nickname: 'Ada',
  locale: 'en',
  createdAt: hoursAgo(9_000),
  contacts: [],
  signIn: { can: true, states: [] },
  messages: { items: [] },
  ways: { passkeys: [], trustedBrowsers: 0 },
  sessions: [],
  apps: [],
  endedApps: [],
  activity: { items: [] },
  caller: { state: 'none' },
  acts: [],
  notes: [],
  ...part,
});

const keysOf = (part: Partial<DeskAccount>) => findingsOf(account(part), NOW).map(({ key }) => key);

const message = (id: string, hours: number, purpose = 'login') => ({
  id,
  at: hoursAgo(hours),
  purpose,
  channel: 'email' as const,
  to: 'a•••@example.com',
  state: 'taken' as const,
  tries: 1,
});

const ended = (id: string, hours: number, endedBecause: 'withdrawn' | 'expired') => ({
  id,
  client: { id: 'hub', name: 'Hub', host: 'hub.example', verified: true },
  scopes: [],
  endedAt: hoursAgo(hours),
  link: { since: hoursAgo(900), refreshes7d: 0, state: 'ended' as const, endedBecause },
});

test('an account about which nothing is the matter has no finding', () => {
  expect(keysOf({})).toEqual([]);
});

test('what keeps the person out comes first, what only needs to be known last', () => {
  const states = [
    { kind: 'factor_on', blocks: false, since: hoursAgo(900) },
    { kind: 'recovery_waits', blocks: false, until: hoursAgo(-40) },
    { kind: 'disabled', blocks: true, since: hoursAgo(2) },
  ] as const;
  expect(keysOf({ signIn: { can: false, states: [...states] } })).toEqual([
    'disabled',
    'recovery_waits',
    'factor_on',
  ]);
});

test('a link that ended is one for a week, unless the person ended it', () => {
  const endedApps = [
    ended('new', 20, 'expired'),
    ended('own', 20, 'withdrawn'),
    ended('old', 200, 'expired'),
  ];
  expect(keysOf({ endedApps })).toEqual(['ended new']);
});

test('codes are one from the third in a day on; other messages are none', () => {
  const two = [message('1', 1), message('2', 2)];
  expect(keysOf({ messages: { items: [...two, message('3', 30), message('4', 1, 'new_browser')] } })).toEqual(
    [],
  );
  expect(keysOf({ messages: { items: [...two, message('3', 3, 'recover')] } })).toEqual(['codes']);
});

test('a new browser is one until its person has said that it was somebody else', () => {
  const seen = { id: '1', at: hoursAgo(3), kind: 'new_browser' as const, disputable: false };
  expect(keysOf({ activity: { items: [seen] } })).toEqual(['newBrowser']);
  expect(keysOf({ activity: { items: [{ ...seen, disputedAt: hoursAgo(1) }] } })).toEqual([]);
});

test.each([
  [true, undefined, 'can'],
  [true, 'factor_on', 'can'],
  [true, 'password_tries', 'canPartly'],
  [true, 'codes_spent', 'canPartly'],
  [false, 'disabled', 'cannot'],
] as const)('where sign-in is possible: %s, with %s, the first line says: %s', (can, kind, said) => {
  const states = kind ? [{ kind, blocks: !can }] : [];
  expect(verdictOf(account({ signIn: { can, states } }))).toBe(said);
});
