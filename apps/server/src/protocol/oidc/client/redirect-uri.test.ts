import { expect, test } from 'vitest';
import { extendedUri, withoutValues } from './redirect-uri.ts';

const registered = ['https://open.bot.tmall.com/oauth/callback'];
const [base = ''] = registered;
const names = ['skillId', 'token'];

test.each([
  [`${base}?skillId=861&token=MjIxMTExMTMk1NUFGRUhJTkZEVlE=`],
  [`${base}?token=a%2Bb&skillId=861`],
  [`${base}?skillId=1&token=${'x'.repeat(512)}`],
])('a URI with both parameters, each once, extends the registered one: %s', (uri) => {
  expect(extendedUri(uri, registered, names)).toBe(base);
});

test.each([
  ['with nothing', base],
  ['with one of the two', `${base}?skillId=1`],
  ['with one twice', `${base}?skillId=1&token=2&token=3`],
  ['with one twice in place of the other', `${base}?token=2&token=3`],
  ['with another beside', `${base}?skillId=1&token=2&next=https://evil.example/`],
  ['with a name in other letters', `${base}?skillid=1&token=2`],
  ['with a name that is encoded', `${base}?skillI%64=1&token=2`],
  ['without a value', `${base}?skillId=1&token=`],
  ['that is too long', `${base}?skillId=1&token=${'x'.repeat(513)}`],
  ['that is not encoded', `${base}?skillId=1&token=a b`],
  ['that is encoded badly', `${base}?skillId=1&token=%E0%A4%A`],
  ['with a fragment', `${base}?skillId=1&token=2#here`],
  ['at another path', `${base}/x?skillId=1&token=2`],
  ['at another host', 'https://evil.example/oauth/callback?skillId=1&token=2'],
  ['with credentials', 'https://open.bot.tmall.com@evil.example/oauth/callback?skillId=1&token=2'],
])('a URI %s extends none', (_name, uri) => {
  expect(extendedUri(uri, registered, names)).toBeUndefined();
});

test('a client without such parameters has no other URIs than its own', () => {
  expect(extendedUri(`${base}?`, registered, [])).toBeUndefined();
  expect(extendedUri(base, registered, [])).toBeUndefined();
});

test('what was added for a person is not shown', () => {
  expect(withoutValues(`${base}?skillId=1&token=secret&token=other#x`, names)).toBe(
    `${base}?skillId=…&token=…&token=…#x`,
  );
});
