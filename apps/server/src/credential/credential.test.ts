import { hash as argon2Hash } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { parseIdentifier } from '../identifier/identifier.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { createPasswordPolicy } from './password-policy.ts';

describe('the hasher', () => {
  const hasher = createPasswordHasher({ concurrency: 2, maxQueue: 10 });

  test('makes argon2id hashes and knows those of other parameters', async () => {
    const hash = await hasher.hash('sunny42day');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hasher.needsRehash(hash)).toBe(false);
    expect(hasher.needsRehash(await argon2Hash('sunny42day', { memoryCost: 8192 }))).toBe(true);
  });

  test('compares all of a password, in its case', async () => {
    const long = 'a'.repeat(72);
    const hash = await hasher.hash(`${long}b`);
    expect(await hasher.verify(hash, `${long}b`)).toBe(true);
    for (const wrong of [`${long}c`, long, `${long}B`, ''])
      expect(await hasher.verify(hash, wrong)).toBe(false);
  });

  test('takes composed and decomposed letters for the same, and compatibility forms for others', async () => {
    const hash = await hasher.hash('re\u0301sume\u0301');
    expect(await hasher.verify(hash, 'r\u00e9sum\u00e9')).toBe(true);
    expect(await hasher.verify(await hasher.hash('ﬁre'), 'fire')).toBe(false);
  });

  test('does the same work without a hash and answers false', async () => {
    const hash = await hasher.hash('sunny42day');
    const timeOf = async (stored: string | undefined) => {
      const started = performance.now();
      expect(await hasher.verify(stored, 'wrong42day')).toBe(false);
      return performance.now() - started;
    };
    const ratios: number[] = [];
    for (let turn = 0; turn < 15; turn += 1) {
      const known = await timeOf(hash);
      ratios.push((await timeOf(undefined)) / known);
    }
    const ratio = ratios.toSorted((a, b) => a - b)[7] ?? 0;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test('refuses what its queue cannot hold and serves the rest', async () => {
    const small = createPasswordHasher({ concurrency: 1, maxQueue: 2 });
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => small.hash('sunny42day')));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toHaveLength(3);
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'busy', details: { retryAfterSeconds: expect.any(Number) } });
    }
    await small.hash('sunny42day');
  });
});

describe('the rule', () => {
  const own = [parseIdentifier('ada.lovelace@example.com'), parseIdentifier('+8613800138000')];
  const judge = (profile: 'product' | 'modern' | 'strict', password: string): string => {
    try {
      createPasswordPolicy({ profile, brandNames: ['Aurelia', 'Borealis'] }).check(password, own);
      return 'ok';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      expect(error.details.fields).toEqual({ password: error.code });
      return error.code;
    }
  };

  test.each([
    ['Lamp4', 'password_too_short'],
    ['Lamp42', 'ok'],
    ['Lamp 42', 'password_has_symbols'],
    ['Lamp42!', 'password_has_symbols'],
    ['лампа42', 'password_has_symbols'],
    ['檯燈檯燈42', 'password_has_symbols'],
    ['x1'.repeat(64), 'ok'],
    ['x1'.repeat(65), 'password_too_long'],
  ])('of the product says of %j: %s', (password, verdict) => {
    expect(judge('product', password)).toBe(verdict);
  });

  test.each([
    ['sevenish', 'ok'],
    ['seven12', 'password_too_short'],
    ['a lamp, warm', 'ok'],
    ['檯燈很溫暖，真的', 'ok'],
    ['💡'.repeat(7), 'password_too_short'],
    ['💡🔦🕯️🌟✨🌞🌝💫', 'ok'],
    ['x1'.repeat(64), 'ok'],
    ['x1'.repeat(65), 'password_too_long'],
  ])('of today says of %j: %s', (password, verdict) => {
    expect(judge('modern', password)).toBe(verdict);
  });

  test('strict asks for fifteen characters', () => {
    expect(judge('strict', 'fourteen chars')).toBe('password_too_short');
    expect(judge('strict', 'fifteen letters')).toBe('ok');
  });

  test.each([
    'password',
    'PASSWORD',
    'Password1',
    '123456',
    '12345678',
    'qwerty',
    'qwertyuiop',
    'iloveyou',
    '111111',
    'abc123',
    '1q2w3e4r',
    'woaini1314',
    'a123456',
    'aurelia',
    'Borealis2026',
    'zzzzzzz',
    'ada.lovelace@example.com',
    'AdaLovelace',
    'adalovelace1815',
    '13800138000',
    '8613800138000',
    '00138000',
  ])('no profile takes %j', (password) => {
    const verdicts = [judge('product', password), judge('modern', password)];
    expect(verdicts).not.toContain('ok');
    expect(verdicts).toContain('password_too_common');
  });
});
