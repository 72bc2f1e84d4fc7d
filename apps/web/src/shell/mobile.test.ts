import { expect, test } from 'vitest';
import { isMobile } from './mobile.ts';

const desktop =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36';

test('a window of 600 px or less is mobile, whatever the user agent says', () => {
  expect(isMobile(desktop, 601)).toBe(false);
  expect(isMobile(desktop, 600)).toBe(true);
});

test('a mobile user agent is mobile, however wide', () => {
  expect(isMobile(phone, 1200)).toBe(true);
  expect(isMobile('Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)', 1024)).toBe(true);
});
