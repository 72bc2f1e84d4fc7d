import { expect, test } from 'vitest';
import { readClientHints } from './client-hints.ts';

const read = (headers: Record<string, string>) => readClientHints((name) => headers[name] ?? '');

const windows = {
  'sec-ch-ua': '"Google Chrome";v="140", "Not=A?Brand";v="24", "Chromium";v="140"',
  'sec-ch-ua-full-version-list':
    '"Google Chrome";v="140.0.7339.81", "Not=A?Brand";v="24.0.0.0", "Chromium";v="140.0.7339.81"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'sec-ch-ua-platform-version': '"15.0.0"',
};

test('every hint that a browser sends is read', () => {
  expect(read(windows)).toEqual({
    brands: [
      ['Google Chrome', '140.0.7339.81'],
      ['Not=A?Brand', '24.0.0.0'],
      ['Chromium', '140.0.7339.81'],
    ],
    mobile: false,
    platform: 'Windows',
    platformVersion: '15.0.0',
  });
});

test('without the full version list the short list counts, and without hints the result is empty', () => {
  const { 'sec-ch-ua-full-version-list': _, ...short } = windows;
  expect(read(short)?.brands?.[0]).toEqual(['Google Chrome', '140']);
  expect(read({})).toBeNull();
  expect(read({ 'sec-ch-ua-mobile': '?1' })).toBeNull();
});

test('escapes are read as in structured fields (RFC 8941)', () => {
  expect(read({ 'sec-ch-ua': String.raw`"(Not\\A\"Brand";v="8"` })?.brands).toEqual([['(Not\\A"Brand', '8']]);
});

test.each([
  ['no string', { 'sec-ch-ua-platform': 'Windows' }],
  ['no list', { 'sec-ch-ua': 'Google Chrome;v=140' }],
  ['half a list', { 'sec-ch-ua': '"Google Chrome";v="140", <script>' }],
  ['too long a text', { 'sec-ch-ua-platform': `"${'x'.repeat(65)}"` }],
  ['too long a header', { 'sec-ch-ua': Array(40).fill('"Google Chrome";v="140"').join(', ') }],
  ['letters beyond ASCII', { 'sec-ch-ua-platform': '"Windows\u202e"' }],
  ['control characters', { 'sec-ch-ua-platform': '"Win\u0007dows"' }],
])('%s is not read', (_, headers) => {
  expect(read(headers)).toBeNull();
});

test('a version of other characters than digits and dots is dropped', () => {
  for (const version of ['"<b>"', '"1.2.3.4.5.6"', '"1e9"', '""', '13', '"99999999999"']) {
    const hints = read({ ...windows, 'sec-ch-ua-platform-version': version });
    expect([version, hints?.platformVersion]).toEqual([version, undefined]);
  }
  expect(read({ 'sec-ch-ua': '"A";v="x", "B";v="1"' })?.brands).toEqual([['B', '1']]);
});

test('stored values are bounded, and hostile input is read fast', () => {
  const many = Array.from({ length: 20 }, (_, index) => `"${index}";v="1"`).join(',');
  expect(read({ 'sec-ch-ua': many })?.brands).toHaveLength(8);
  const started = performance.now();
  for (const text of ['"', '\\"', '"a', ' ', ',', '";v="']) {
    read({ 'sec-ch-ua': text.repeat(100_000), 'sec-ch-ua-platform': text.repeat(100) });
    read({ 'sec-ch-ua': text.repeat(100) });
  }
  expect(performance.now() - started).toBeLessThan(200);
});
