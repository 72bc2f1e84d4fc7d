import { describe, expect, test } from 'vitest';
import { acrOf, acrValues } from './authentication-context.ts';

describe('the authentication context class', () => {
  test.each([
    [['pwd'], 'pwd'],
    [['otp'], 'otp'],
    [['pwd', 'otp'], 'otp'],
  ])('of %j is %s, and published', (amr, acr) => {
    expect(acrOf(amr)).toBe(acr);
    expect(acrValues).toContain(acr);
  });
});
