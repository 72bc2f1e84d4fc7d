import { describe, expect, test } from 'vitest';
import { opensChange } from './identifier-seniority.ts';
import { BY_PASSWORD } from './proof.ts';

const day = (count: number) => new Date(Date.UTC(2026, 0, count));
const email = { value: 'ada@example.com', verified_at: day(2) };
const phone = { value: '+8613800138000', verified_at: day(5) };
const identifiers = [email, phone];
const setOn = (count: number, doubted?: number) => ({
  changed_at: day(count),
  doubted_at: doubted === undefined ? null : day(doubted),
});

describe('an identifier is removed at once', () => {
  test.each([
    ['by a code to itself', [email.value], email, 'code'],
    ['by a code to an older one', [email.value], phone, 'code'],
    ['by one of several proofs', [BY_PASSWORD, phone.value], phone, 'code'],
    ['not by a code to a younger one', [phone.value], email, undefined],
    ['not by a code to one that is not of the account', ['bob@example.com'], email, undefined],
    ['not without a proof', [], phone, undefined],
  ])('%s', (_, proofs, target, opened) => {
    expect(opensChange(proofs, target, { identifiers, password: setOn(9) })).toBe(opened);
  });

  test('by a code to an identifier bound at the same moment', () => {
    const twin = { value: '+8613800138001', verified_at: email.verified_at };
    const standing = { identifiers: [email, twin], password: undefined };
    expect(opensChange([twin.value], email, standing)).toBe('twin');
  });

  test('not by a code to an identifier older than the proof, but younger than the identifier that it replaced', () => {
    const next = { value: 'new@example.com', verified_at: day(9), bound_since: email.verified_at };
    const standing = { identifiers: [phone, next], password: setOn(3) };
    expect(opensChange([phone.value], next, standing)).toBeUndefined();
    expect(opensChange([BY_PASSWORD], next, standing)).toBeUndefined();
    expect(opensChange([next.value], phone, standing)).toBe('code');
  });

  test.each([
    ['by a password that was set before', setOn(1), 'password'],
    ['by a password that was set with it, at registration', setOn(2), 'password'],
    ['not by a password that was set later', setOn(3), undefined],
    ['not by a password that is doubted since', setOn(1, 3), undefined],
    ['not by the password of an account that has none', undefined, undefined],
  ])('%s', (_, password, opened) => {
    expect(opensChange([BY_PASSWORD], email, { identifiers, password })).toBe(opened);
  });
});
