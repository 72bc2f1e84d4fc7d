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

/**
 * What limits count a caller by: an IPv4 address whole, an IPv6 address by its /64, since one subscriber
 * has all of it; IPv4-mapped addresses (RFC 4291 section 2.5.5.2) as the IPv4 address. All that cannot be
 * read shares one key, so that nonsense is no way around a limit.
 */
export const addressKey = (address: string): string => {
  const [bare = ''] = address.split('%');
  const version = isIP(bare);
  if (version === 4) return bare;
  if (version !== 6) return 'unknown';
  const groups = toGroups(bare);
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return toIpv4(groups[6] ?? '0', groups[7] ?? '0');
  return `${groups.slice(0, 4).join(':')}::/64`;
};
