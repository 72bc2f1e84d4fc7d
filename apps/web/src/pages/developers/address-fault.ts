import type { ClientErrorCode } from '@candela/contract';

const refusedSchemes = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'];
const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * What is wrong with an address to which people return, as far as the address itself tells. The server judges it
 * again, by the kind of app too.
 */
export const faultOfAddress = (address: string, isNative: boolean): ClientErrorCode | undefined => {
  const url = URL.parse(address);
  if (!url) return 'uri_invalid';
  if (refusedSchemes.includes(url.protocol)) return 'uri_scheme_refused';
  if (address.includes('#')) return 'uri_has_fragment';
  if (address.includes('*')) return 'uri_has_wildcard';
  if (url.username || url.password) return 'uri_has_credentials';
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.includes(url.hostname)))
    return undefined;
  // RFC 8252 section 7.1: a scheme of an app is a reversed domain name.
  if (isNative && url.protocol !== 'http:')
    return url.protocol.includes('.') ? undefined : 'uri_scheme_refused';
  return 'uri_not_https';
};
