import type { Session } from '@candela/contract';
import { UAParser } from 'ua-parser-js';
import type { ClientHints } from './client-hints.ts';

type BrowserFacts = Pick<Session, 'browser' | 'platform' | 'os' | 'userAgent'>;
type Software = BrowserFacts['browser'];

/** Most people use one of few browsers: what was read once is kept. */
const KEPT = 1_000;
const kept = new Map<string, BrowserFacts>();

const isFrozen = (name: string, version: string): boolean =>
  name === 'macOS' && /^10\.15(\.7)?$/.test(version);

/** What a user agent string tells; empty strings where it does not. */
const readUserAgent = (userAgent: string): BrowserFacts => {
  const { browser, os, device } = new UAParser(userAgent).getResult();
  const name = (value: string | undefined) => value ?? '';
  const system = { name: os.name === 'Mac OS' ? 'macOS' : name(os.name), version: name(os.version) };
  return {
    browser: { name: name(browser.name), version: name(browser.version) },
    platform: name(device.type) || (os.name ? 'desktop' : ''),
    // Every browser on a Mac says 10.15, whatever it runs on.
    os: isFrozen(system.name, system.version) ? { ...system, version: '' } : system,
    userAgent,
  };
};

/** Names as their makers and people write them; what is not listed here is the string's to tell. */
const browserNames: Record<string, string> = {
  'Google Chrome': 'Chrome',
  'Microsoft Edge': 'Edge',
  Brave: 'Brave',
  Opera: 'Opera',
  Vivaldi: 'Vivaldi',
  YaBrowser: 'Yandex',
  Yandex: 'Yandex',
  'Samsung Internet': 'Samsung Internet',
};

const browserOf = ({ brands = [] }: ClientHints, told: Software): Software => {
  const [known] = brands.flatMap(([brand, version]) =>
    Object.hasOwn(browserNames, brand) ? [{ name: browserNames[brand] ?? brand, version }] : [],
  );
  // Only the full list says more than the major version that the string has too.
  return known
    ? { name: known.name, version: known.version.includes('.') ? known.version : told.version }
    : told;
};

/** What Windows calls itself, by the version of its UniversalApiContract. */
const windowsOf = (version: string): string | undefined => {
  const major = Number(version.split('.')[0]);
  if (major >= 13) return '11';
  return major >= 1
    ? '10'
    : ({ '0.3': '8.1', '0.2': '8', '0.1': '7' } as Record<string, string>)[version.slice(0, 3)];
};

const withoutZeros = (version: string): string => version.replace(/(\.0)+$/, '');

const systemOf = ({ platform, platformVersion: version }: ClientHints, told: Software): Software => {
  if (!version) return told;
  if (platform === 'Windows') return { name: 'Windows', version: windowsOf(version) ?? told.version };
  if (platform === 'macOS' || platform === 'Android')
    return { name: platform, version: withoutZeros(version) };
  return told;
};

/** What a browser tells of itself, by its hints where it gives them and by its user agent string else. */
export const readBrowserFacts = (userAgent: string, hints: ClientHints | null): BrowserFacts => {
  let told = kept.get(userAgent);
  if (!told) {
    told = readUserAgent(userAgent);
    if (kept.size >= KEPT) kept.clear();
    kept.set(userAgent, told);
  }
  if (!hints) return told;
  return {
    userAgent,
    browser: browserOf(hints, told.browser),
    platform: hints.mobile ? 'mobile' : told.platform,
    os: systemOf(hints, told.os),
  };
};
