import { expect, test } from 'vitest';
import { faultOfAddress } from './address-fault.ts';

test.each([
  ['https://app.example/callback', undefined],
  ['http://localhost:8080/callback', undefined],
  ['http://[::1]:8080/', undefined],
  ['app.example/callback', 'uri_invalid'],
  ['http://app.example/callback', 'uri_not_https'],
  ['com.example.app:/callback', 'uri_not_https'],
  ['javascript:alert(1)', 'uri_scheme_refused'],
  ['data:text/html,x', 'uri_scheme_refused'],
  ['https://app.example/callback#x', 'uri_has_fragment'],
  ['https://*.app.example/', 'uri_has_wildcard'],
  ['https://lena:secret@app.example/', 'uri_has_credentials'],
])('%s of a web app: %s', (address, fault) => {
  expect(faultOfAddress(address, false)).toBe(fault);
});

test('an installed app has a scheme that is a reversed domain name', () => {
  expect(faultOfAddress('com.example.app:/callback', true)).toBeUndefined();
  expect(faultOfAddress('lamps:/callback', true)).toBe('uri_scheme_refused');
  expect(faultOfAddress('http://app.example/', true)).toBe('uri_not_https');
});
