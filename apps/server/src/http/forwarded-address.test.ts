import { expect, test } from 'vitest';
import { readForwardedAddress } from './forwarded-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  // Without brackets the last group is part of the address.
  ['2001:db8::1:4711', '2001:db8::1:4711'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
])('%s is the address %s', (entry, address) => {
  expect(readForwardedAddress(entry)).toBe(address);
});

test.each([
  '',
  'unknown',
  '_hidden',
  '192.0.2.1:',
  '192.0.2.1:port',
  '192.0.2.1:123456',
  '192.0.2.1:1:2',
  '999.1.1.1:80',
  '[192.0.2.1]:80',
  '[]',
  '[2001:db8::1]x',
  '[2001:db8::1',
])('PL2: %j is none', (entry) => {
  expect(readForwardedAddress(entry)).toBeUndefined();
});
