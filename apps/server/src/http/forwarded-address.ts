import { isIP, isIPv6 } from 'node:net';

/**
 * The address of an entry of X-Forwarded-For, to which some proxies add the port: `192.0.2.1:4711`,
 * `[2001:db8::1]:4711`. undefined for anything that is no address.
 */
export const readForwardedAddress = (entry: string): string | undefined => {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : undefined;
  const bare = /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) ? bare : undefined;
};
