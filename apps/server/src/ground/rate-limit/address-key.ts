import { isIP } from 'node:net';

const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));

/** The eight groups of an IPv6 address, without leading zeros; URL writes any spelling in its canonical one. */
const toGroups = (address: string): string[] => {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  if (tail === undefined) return groupsOf(head);
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
};

const toIpv4 = (high: string, low: string): string =>
  [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.');

type Networks = readonly [narrowest: string, ...wider: string[]];

const networksOfIpv4 = (address: string): Networks => [
  address,
  `${address.slice(0, address.lastIndexOf('.'))}.0/24`,
];

const networksOfIpv6 = ([one = '0', two = '0', three = '0', four = '0']: string[]): Networks => {
  const half = (Number.parseInt(four, 16) & 0xff00).toString(16);
  return [
    `${one}:${two}:${three}:${four}::/64`,
    `${one}:${two}:${three}:${half}::/56`,
    `${one}:${two}:${three}::/48`,
  ];
};

/**
 * The beginnings of addresses that end with an IPv4 address: IPv4-mapped ones (RFC 4291 section 2.5.5.2), and those by
 * which a translator shows who comes from IPv4 (RFC 6052 section 2.1). An operator's own prefix for that, also one of
 * 64:ff9b:1::/48 (RFC 8215), says nothing about where in the address the IPv4 address is.
 */
const beforeIpv4 = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0']);

/**
 * The networks under which an address is counted, the narrowest first. An IPv4 address is counted whole and by its
 * /24. An IPv6 address is counted by its /64, /56 and /48: one subscriber has all of a /64, and anybody can get a
 * /48. An IPv6 address that stands for an IPv4 one is counted as that. All text that is no address shares one key, so
 * that nonsense is no way around a limit.
 */
export const networksOf = (address: string): Networks => {
  const [bare = ''] = address.split('%');
  const version = isIP(bare);
  if (version === 4) return networksOfIpv4(bare);
  if (version !== 6) return ['unknown'];
  const groups = toGroups(bare);
  if (beforeIpv4.has(groups.slice(0, 6).join(':')))
    return networksOfIpv4(toIpv4(groups[6] ?? '0', groups[7] ?? '0'));
  return networksOfIpv6(groups);
};

/** The narrowest network under which an address is counted: that of one subscriber. */
export const addressKey = (address: string): string => networksOf(address)[0];

/** The widest network under which an address is counted: one attacker may have all of it. */
export const neighbourhoodOf = (address: string): string => networksOf(address).at(-1) ?? 'unknown';
