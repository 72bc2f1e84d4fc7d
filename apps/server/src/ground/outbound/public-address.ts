import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Special-purpose blocks of IPv4 (RFC 6890 and its registry at IANA), and multicast. */
const ipv4Blocks: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Special blocks inside global unicast: protocol assignments with Teredo, documentation, and 6to4, which holds IPv4. */
const ipv6Blocks: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [net, prefix] of ipv4Blocks) special.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of ipv6Blocks) special.addSubnet(net, prefix, 'ipv6');

/** The block of IPv6 that the Internet routes (RFC 4291 section 2.4), without mapped, translated and local addresses. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is one of the Internet, and not of this machine, its network or a special use. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return isIPv6(address) && globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
};
