import { expect, test } from 'vitest';
import { faultOfRedirectUri, faultOfShownUri } from './client-uri.ts';

test.each([
  ['https://app.example/callback', undefined],
  ['http://localhost:8080/callback', undefined],
  ['http://[::1]:8080/', undefined],
  ['app.example/callback', 'uri_invalid'],
  ['http://app.example/callback', 'uri_not_https'],
  ['com.example.app:/callback', 'uri_scheme_refused'],
  ['javascript:alert(1)', 'uri_scheme_refused'],
  ['data:text/html,x', 'uri_scheme_refused'],
  ['https://app.example/callback#x', 'uri_has_fragment'],
  ['https://*.app.example/', 'uri_has_wildcard'],
  ['https://lena:secret@app.example/', 'uri_has_credentials'],
])('the return address %s of a web app: %s', (address, code) => {
  expect(faultOfRedirectUri(address, 'web')?.[0]).toBe(code);
});

test('an installed app has a scheme that is a reversed domain name', () => {
  expect(faultOfRedirectUri('com.example.app:/callback', 'native')).toBeUndefined();
  expect(faultOfRedirectUri('lamps:/callback', 'native')?.[0]).toBe('uri_scheme_refused');
  expect(faultOfRedirectUri('http://app.example/', 'native')?.[0]).toBe('uri_not_https');
});

test.each([
  ['https://app.example/privacy', undefined],
  ['http://localhost/privacy', 'uri_not_https'],
  ['javascript:alert(1)', 'uri_scheme_refused'],
  ['/privacy', 'uri_invalid'],
  ['https://lena:secret@app.example/', 'uri_has_credentials'],
])('the link %s: %s', (address, code) => {
  expect(faultOfShownUri(address)?.[0]).toBe(code);
});
