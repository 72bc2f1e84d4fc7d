import { describe, expect, test } from 'vitest';
import { readBrowserFacts } from './browser-facts.ts';
import type { ClientHints } from './client-hints.ts';

const agents = {
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  android:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  linux:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  oldMac:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_6) AppleWebKit/601.7.7 (KHTML, like Gecko) Version/9.1.2 Safari/601.7.7',
  firefox: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
};

const chrome = (version: string): NonNullable<ClientHints['brands']> => [
  ['Not=A?Brand', '24.0.0.0'],
  ['Chromium', version],
  ['Google Chrome', version],
];

const shortly = ({ browser, platform, os }: ReturnType<typeof readBrowserFacts>) =>
  [browser.name, browser.version, platform, os.name, os.version].join('|');

describe('by the user agent string alone', () => {
  test.each([
    [agents.windows, 'Chrome|140.0.0.0|desktop|Windows|10'],
    [agents.firefox, 'Firefox|140.0|desktop|Windows|10'],
    [agents.iphone, 'Mobile Safari|18.6|mobile|iOS|18.6'],
    [agents.oldMac, 'Safari|9.1.2|desktop|macOS|10.11.6'],
    ['curl/8.5.0', '||||'],
    ['', '||||'],
  ])('%s', (userAgent, expected) => {
    expect(shortly(readBrowserFacts(userAgent, null))).toBe(expected);
  });

  test('the frozen version that every Mac reports is not shown', () => {
    expect(shortly(readBrowserFacts(agents.mac, null))).toBe('Chrome|140.0.0.0|desktop|macOS|');
  });
});

describe('with hints', () => {
  test.each<[string, ClientHints, string]>([
    [
      agents.windows,
      { platform: 'Windows', platformVersion: '13.0.0' },
      'Chrome|140.0.0.0|desktop|Windows|11',
    ],
    [
      agents.windows,
      { platform: 'Windows', platformVersion: '10.0.0' },
      'Chrome|140.0.0.0|desktop|Windows|10',
    ],
    [
      agents.windows,
      { platform: 'Windows', platformVersion: '0.3.0' },
      'Chrome|140.0.0.0|desktop|Windows|8.1',
    ],
    [agents.windows, { platform: 'Windows' }, 'Chrome|140.0.0.0|desktop|Windows|10'],
    [agents.mac, { platform: 'macOS', platformVersion: '15.6.1' }, 'Chrome|140.0.0.0|desktop|macOS|15.6.1'],
    [agents.mac, { platform: 'macOS', platformVersion: '26.0.0' }, 'Chrome|140.0.0.0|desktop|macOS|26'],
    [
      agents.android,
      { platform: 'Android', platformVersion: '16.0.0', mobile: true, brands: chrome('140.0.7339.81') },
      'Chrome|140.0.7339.81|mobile|Android|16',
    ],
    [agents.linux, { platform: 'Linux', platformVersion: '6.8.0' }, 'Chrome|140.0.0.0|desktop|Linux|'],
  ])('%s %j', (userAgent, hints, expected) => {
    expect(shortly(readBrowserFacts(userAgent, hints))).toBe(expected);
  });

  test('a browser built on Chromium is shown by its own name', () => {
    const brands: ClientHints['brands'] = [
      ['Chromium', '138.0.7204.50'],
      ['YaBrowser', '25.8.1.100'],
    ];
    expect(readBrowserFacts(agents.windows, { brands }).browser).toEqual({
      name: 'Yandex',
      version: '25.8.1.100',
    });
  });

  test('unknown names change nothing', () => {
    for (const name of ['Not=A?Brand', '<img src=x>', 'constructor', '__proto__']) {
      expect(readBrowserFacts(agents.windows, { brands: [[name, '1.2']] }).browser.name).toBe('Chrome');
    }
  });
});
