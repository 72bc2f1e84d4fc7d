import { authenticationClasses, isAtLeast } from '@candela/contract/rules/authentication-classes';
import { describe, expect, test } from 'vitest';
import { acrOf, answeredAcr, askedStrength, meets, weakestAsked } from './authentication-context.ts';

describe('the authentication context class', () => {
  test.each([
    [['pwd'], 'pwd'],
    [['otp'], 'otp'],
    [['pwd', 'otp'], 'otp'],
    [['pwd', 'otp', 'mfa'], 'mfa'],
    [['otp', 'mfa'], 'mfa'],
    [['swk', 'user', 'mfa'], 'phr'],
    [['hwk', 'user', 'mfa'], 'phrh'],
    [['pwd', 'swk', 'user', 'mfa'], 'phr'],
    [[], 'pwd'],
  ])('of %j is %s', (amr, acr) => {
    expect(acrOf(amr)).toBe(acr);
  });

  test('a class stands for itself and for all that are weaker', () => {
    const table = authenticationClasses.map((held) =>
      authenticationClasses.filter((asked) => isAtLeast(held, asked)),
    );
    expect(table).toEqual([
      ['pwd'],
      ['pwd', 'otp'],
      ['pwd', 'otp', 'mfa'],
      ['pwd', 'otp', 'mfa', 'phr'],
      ['pwd', 'otp', 'mfa', 'phr', 'phrh'],
    ]);
  });

  test.each([undefined, 'urn:of:a:later:release'])('a session of the class %s is the weakest', (held) => {
    expect([isAtLeast(held, 'pwd'), isAtLeast(held, 'otp')]).toEqual([true, false]);
  });
});

const claims = (acr: unknown) => ({ claims: JSON.stringify({ id_token: { acr } }) });

describe('what an app asks', () => {
  test.each([
    ['nothing', {}, undefined],
    ['a wish', { acr_values: 'mfa' }, { essential: false, classes: ['mfa'] }],
    ['a wish with unknown names', { acr_values: '1 mfa urn:x' }, { essential: false, classes: ['mfa'] }],
    ['a wish of unknown names alone', { acr_values: '1 2' }, undefined],
    ['a wish among the claims', claims({ value: 'phr' }), { essential: false, classes: ['phr'] }],
    ['an acr of any value', claims(null), undefined],
    ['an essential acr of any value', claims({ essential: true }), undefined],
    ['one class', claims({ essential: true, value: 'phr' }), { essential: true, classes: ['phr'] }],
    [
      'classes and a wish',
      { ...claims({ essential: true, values: ['mfa', 'gold'] }), acr_values: 'pwd' },
      { essential: true, classes: ['mfa'] },
    ],
    ['unknown classes', claims({ essential: true, values: ['gold'] }), { essential: true, classes: [] }],
    ['no class', claims({ essential: true, values: [] }), { essential: true, classes: [] }],
    ['claims of userinfo', { claims: '{"userinfo":{"email":null}}' }, undefined],
  ])('%s', (_what, params, asked) => {
    expect(askedStrength(params)).toEqual(asked);
  });

  test.each([
    ['pwd', ['otp'], false, 'pwd'],
    ['otp', ['otp'], true, 'otp'],
    ['phr', ['otp'], true, 'otp'],
    ['phr', ['mfa', 'phrh', 'otp'], true, 'mfa'],
    ['phrh', ['phr', 'mfa'], true, 'phr'],
    ['mfa', ['phr', 'phrh'], false, 'mfa'],
    [undefined, ['pwd'], true, 'pwd'],
  ] as const)('a session of %s, asked for %j: met %s, told %s', (held, classes, isMet, told) => {
    const asked = { essential: true, classes };
    expect([meets(held, asked), answeredAcr(held, asked)]).toEqual([isMet, told]);
  });

  test('the weakest of several is enough', () => {
    expect(weakestAsked({ essential: true, classes: ['phrh', 'mfa', 'phr'] })).toBe('mfa');
    expect(weakestAsked({ essential: true, classes: [] })).toBeUndefined();
  });
});
