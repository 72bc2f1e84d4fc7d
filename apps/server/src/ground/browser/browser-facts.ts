import type { Session } from '@candela/contract';
import { UAParser } from 'ua-parser-js';
import type { ClientHints } from './client-hints.ts';

type BrowserFacts = Pick<Session, 'browser' | 'platform' | 'os' | 'userAgent'>;
type Software = BrowserFacts['browser'];

/** Keeps what was read of a user agent string: most people use one of few browsers. */
const KEPT = 1_000;
const kept = new Map<string, BrowserFacts>();

const isFrozen = (name: string, version: string): boolean =>
  name === 'macOS' && /^10\.15(\.7)?$/.test(version);

/** The facts of a user agent string; empty strings for those that it lacks. */
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

/** Names as their makers and people write them; a name that is not listed is taken from the string. */
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

const browserOf = ({ brands = [] }: ClientHints, declared: Software): Software => {
  const [known] = brands.flatMap(([brand, version]) =>
    Object.hasOwn(browserNames, brand) ? [{ name: browserNames[brand] ?? brand, version }] : [],
  );
  // Only the full list says more than the major version that the string has too.
  return known
    ? { name: known.name, version: known.version.includes('.') ? known.version : declared.version }
    : declared;
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

const systemOf = ({ platform, platformVersion: version }: ClientHints, declared: Software): Software => {
  if (!version) return declared;
  if (platform === 'Windows') return { name: 'Windows', version: windowsOf(version) ?? declared.version };
  if (platform === 'macOS' || platform === 'Android')
    return { name: platform, version: withoutZeros(version) };
  return declared;
};

/** The facts of a browser, from its hints where it sends them and else from its user agent string. */
export const readBrowserFacts = (userAgent: string, hints: ClientHints | null): BrowserFacts => {
  let declared = kept.get(userAgent);
  if (!declared) {
    declared = readUserAgent(userAgent);
    if (kept.size >= KEPT) kept.clear();
    kept.set(userAgent, declared);
  }
  if (!hints) return declared;
  return {
    userAgent,
    browser: browserOf(hints, declared.browser),
    platform: hints.mobile ? 'mobile' : declared.platform,
    os: systemOf(hints, declared.os),
  };
};
