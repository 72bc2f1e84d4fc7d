import { expect, test } from 'vitest';
import { earlyFaultOf, faultOfRedirectUri, faultOfShownUri } from './client-uri.ts';

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

test('a scheme that an operator listed is for installed apps; a page leaves it to the server', () => {
  expect(faultOfRedirectUri('lamps:/callback', 'native', ['lamps'])).toBeUndefined();
  expect(faultOfRedirectUri('lamps:/callback', 'web', ['lamps'])?.[0]).toBe('uri_scheme_refused');
  expect(earlyFaultOf('lamps:/callback', 'native')).toBeUndefined();
  expect(earlyFaultOf('javascript:alert(1)', 'native')?.[0]).toBe('uri_scheme_refused');
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
