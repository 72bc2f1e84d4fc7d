import { expect, test } from 'vitest';
import { openWith, sealFor } from '../protocol/oidc/refresh/successor.ts';
import { deriveKey, open, openWithAny, seal } from './seal.ts';

const key = deriveKey('a secret', 'a purpose');

test('a sealed value can be opened, and no two seals are alike', () => {
  for (const text of ['', 'a', 'Ж光💡', 'x'.repeat(100_000)]) expect(open(key, seal(key, text))).toBe(text);
  expect(seal(key, 'same')).not.toBe(seal(key, 'same'));
});

test('each secret and each purpose has its own key', () => {
  expect(deriveKey('a secret', 'a purpose')).toEqual(key);
  expect(key).toHaveLength(32);
  for (const other of [deriveKey('a secret', 'another purpose'), deriveKey('another secret', 'a purpose')]) {
    expect(other).not.toEqual(key);
    expect(() => open(other, seal(key, 'text'))).toThrow();
  }
});

test('a seal that is changed in any bit, cut short or made up is refused', () => {
  const sealed = Buffer.from(seal(key, 'text'), 'base64url');
  for (let index = 0; index < sealed.length; index += 1) {
    const forged = Buffer.from(sealed);
    forged.writeUInt8(forged.readUInt8(index) ^ 1, index);
    expect(() => open(key, forged.toString('base64url')), `byte ${index}`).toThrow();
    expect(() => open(key, sealed.subarray(0, index).toString('base64url')), `length ${index}`).toThrow();
  }
  expect(() => open(key, 'no seal at all')).toThrow();
});

test('of a list of keys the matching key opens a seal, and no other key does', () => {
  const older = deriveKey('an older secret', 'a purpose');
  expect(openWithAny([key, older], seal(older, 'text'))).toBe('text');
  expect(openWithAny([key, older], seal(key, 'text'))).toBe('text');
  expect(() => openWithAny([key], seal(older, 'text'))).toThrow();
  expect(() => openWithAny([], seal(key, 'text'))).toThrow('no key to open with');
});

test('only its predecessor opens a refresh token’s successor', () => {
  const sealed = sealFor('predecessor', 'successor');
  expect(openWith('predecessor', sealed)).toBe('successor');
  expect(() => openWith('successor', sealed)).toThrow();
});
