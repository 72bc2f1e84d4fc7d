import { describe, expect, test } from 'vitest';
import { BY_PASSWORD, BY_TOTP, byPasskey, byProvider, splitProofs } from './proof.ts';
import {
  type Demand,
  type Holdings,
  ofFactor,
  ofIdentity,
  ofOwner,
  ofPasskey,
  opensChange,
  stillDue,
} from './seniority.ts';

const day = (count: number) => new Date(Date.UTC(2026, 0, count));
const email = { kind: 'email' as const, value: 'ada@example.com', verified_at: day(2) };
const phone = { kind: 'phone' as const, value: '+8613800138000', verified_at: day(5) };
const identifiers = [email, phone];
const none = { passkeys: [], identities: [], factorSince: undefined, at: day(30) };
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
    expect(opensChange(proofs, target, { ...none, identifiers, password: setOn(9) })).toBe(opened);
  });

  test('by a code to an identifier bound at the same moment', () => {
    const twin = { ...phone, value: '+8613800138001', verified_at: email.verified_at };
    const standing = { ...none, identifiers: [email, twin], password: undefined };
    expect(opensChange([twin.value], email, standing)).toBe('twin');
  });

  test('not by a code to an identifier older than the proof, but younger than the identifier that it replaced', () => {
    const next = { ...email, value: 'new@example.com', verified_at: day(9), bound_since: email.verified_at };
    const standing = { ...none, identifiers: [phone, next], password: setOn(3) };
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
    expect(opensChange([BY_PASSWORD], email, { ...none, identifiers, password })).toBe(opened);
  });
});

describe('what is younger cannot keep out what is older', () => {
  /** An account with an e-mail of the 2nd, a phone of the 5th, and what is named, at the end of the 30th. */
  const holding = (more: Partial<Holdings> = {}): Holdings => ({ ...none, identifiers, ...more });
  const passkey = (added: number) => ({ id: `of-${added}`, created_at: day(added) });
  const proofOf = (added: number) => splitProofs(byPasskey(`of-${added}`));
  const identity = (added: number) => ({ id: `at-${added}`, linked_at: day(added) });
  /** Made through a provider on the 1st, with a first contact since then. */
  const root = (bound: number): Partial<Holdings> => ({
    identities: [identity(1)],
    identifiers: [{ ...email, verified_at: day(bound) }],
  });

  test.each<[string, string[], Partial<Holdings>, (holdings: Holdings) => Demand, string[]]>([
    ['a first factor takes the oldest contact', [email.value], {}, ofFactor, []],
    ['a password adds no factor', [BY_PASSWORD], {}, ofFactor, ['email']],
    ['nor does a younger contact', [phone.value, BY_PASSWORD], {}, ofFactor, ['email']],
    ['a kept passkey adds a factor', proofOf(10), { passkeys: [passkey(10)] }, ofFactor, []],
    ['a young passkey does not', proofOf(29), { passkeys: [passkey(29)] }, ofFactor, ['email']],
    [
      'a passkey that is gone does not',
      proofOf(9),
      { passkeys: [passkey(8)] },
      ofFactor,
      ['email', 'passkey'],
    ],
    [
      'nor does it open the factor that is on',
      proofOf(9),
      { passkeys: [passkey(8)], factorSince: day(9) },
      ofFactor,
      ['totp'],
    ],
    [
      'a first contact does not outrank the provider before it',
      [email.value],
      root(29),
      ofFactor,
      ['provider'],
    ],
    ['the provider does', [byProvider('at-1')], root(29), ofFactor, []],
    ['a first contact is kept after three days', [email.value], root(26), ofFactor, []],
    ['a password removes no provider', [BY_PASSWORD], root(9), ofIdentity(day(1)), ['provider']],
    ['a younger contact removes none', [email.value], root(9), ofIdentity(day(1)), ['provider']],
    ['a provider removes itself', [byProvider('at-1')], root(9), ofIdentity(day(1)), []],
    ['any proof removes one that nobody comes through', [email.value], root(9), ofIdentity(undefined), []],
    ['a factor that is on is asked for', [email.value], { factorSince: day(9) }, ofFactor, ['totp']],
    ['a young factor opens what it protects', [BY_TOTP], { factorSince: day(29) }, ofFactor, []],
    ['a young factor alone is not the owner', [BY_TOTP], { factorSince: day(29) }, ofOwner, ['email']],
    ['with the oldest contact it is', [BY_TOTP, email.value], { factorSince: day(29) }, ofOwner, []],
    ['a kept factor is', [BY_TOTP], { factorSince: day(9) }, ofOwner, []],
    ['a factor that is off proves nothing', [BY_TOTP], {}, ofOwner, ['email']],
    [
      'a contact older than a young passkey removes it',
      [phone.value],
      { passkeys: [passkey(29)] },
      ofPasskey('of-29'),
      [],
    ],
    ['not a kept one', [phone.value], { passkeys: [passkey(9)] }, ofPasskey('of-9'), ['email', 'passkey']],
    ['a passkey removes itself', proofOf(29), { passkeys: [passkey(29)] }, ofPasskey('of-29'), []],
    [
      'a young passkey does not remove a kept one',
      proofOf(29),
      { passkeys: [passkey(9), passkey(29)] },
      ofPasskey('of-9'),
      ['email', 'passkey'],
    ],
  ])('%s', (_, proofs, more, demandOf, due) => {
    const holdings = holding(more);
    expect(stillDue(proofs, holdings, demandOf(holdings))).toEqual(due);
  });

  test.each<[string, Partial<Holdings>, string | undefined]>([
    ['a kept factor', { factorSince: day(9) }, 'twin'],
    ['a young factor', { factorSince: day(29) }, undefined],
  ])('%s and the oldest contact', (_, more, opened) => {
    expect(opensChange([BY_TOTP], email, { ...holding(more), password: undefined })).toBe(opened);
  });
});
