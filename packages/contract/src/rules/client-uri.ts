/** RFC 8252 section 8.3 prefers the addresses; many tools use the name. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

const isLoopback = (hostname: string) => LOOPBACK_HOSTS.includes(hostname);

/** What is wrong with a URI, in a code of the API and in words. */
export type UriFault = readonly [
  code:
    | 'uri_invalid'
    | 'uri_not_https'
    | 'uri_scheme_refused'
    | 'uri_has_fragment'
    | 'uri_has_wildcard'
    | 'uri_has_credentials',
  text: string,
];

const NOT_LOOPBACK: UriFault = [
  'uri_not_https',
  `must be https: http is for this machine (${LOOPBACK_HOSTS.join(', ')})`,
];

/** Schemes that browsers and systems carry out themselves: no app answers there. */
const SYSTEM_SCHEMES: readonly string[] = [
  'about',
  'blob',
  'chrome',
  'data',
  'file',
  'filesystem',
  'ftp',
  'http',
  'https',
  'intent',
  'javascript',
  'mailto',
  'sms',
  'tel',
  'urn',
  'vbscript',
  'view-source',
  'ws',
  'wss',
];

/**
 * Whether a scheme, without its colon, is one that an app took without owning a domain name, such as `vscode`. Another
 * app of the device may take the same, so that an operator decides whether clients may have it.
 */
export const isUnownedScheme = (scheme: string): boolean =>
  /^[a-z][a-z0-9+-]*$/.test(scheme) && !SYSTEM_SCHEMES.includes(scheme);

const faultOfNativeUri = (
  { protocol, hostname }: URL,
  nativeSchemes: readonly string[],
): UriFault | undefined => {
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:') return isLoopback(hostname) ? undefined : NOT_LOOPBACK;
  // RFC 8252 section 7.1: the name is under the app's control, so that no two apps choose the same.
  if (!protocol.includes('.') && !nativeSchemes.includes(protocol.slice(0, -1)))
    return [
      'uri_scheme_refused',
      `has the scheme "${protocol}", which is no reversed domain name such as "com.example.app:"`,
    ];
  return undefined;
};

const faultOfWebUri = ({ protocol, hostname }: URL): UriFault | undefined => {
  if (protocol === 'https:') return undefined;
  if (protocol !== 'http:')
    return [
      'uri_scheme_refused',
      `has the scheme "${protocol}", which takes application_type "native": web apps are answered at https`,
    ];
  return isLoopback(hostname) ? undefined : NOT_LOOPBACK;
};

/** The characters of RFC 3986 section 2. Of others, such as a backslash, readers disagree where the host ends. */
const URI = /^[\w:/?#[\]@!$&'()*+,;=.~%-]+$/;

const STRANGE: UriFault = ['uri_invalid', 'has characters that no URI has: percent-encode them'];

/**
 * Why a redirect URI cannot serve an app of that type; undefined if it can.
 * @param nativeSchemes schemes, without their colons, that native apps may have beside reversed domain names.
 */
export const faultOfRedirectUri = (
  uri: string,
  applicationType: 'web' | 'native',
  nativeSchemes: readonly string[] = [],
): UriFault | undefined => {
  const url = URL.parse(uri);
  if (!url) return ['uri_invalid', 'must be an absolute URI'];
  if (!URI.test(uri)) return STRANGE;
  // RFC 6749 section 3.1.2.
  if (uri.includes('#')) return ['uri_has_fragment', 'must not have a fragment'];
  // RFC 9700 section 2.1: compared exactly, so a pattern would match nothing.
  if (uri.includes('*')) return ['uri_has_wildcard', 'must not have a wildcard: write out each address'];
  if (url.username !== '' || url.password !== '') return ['uri_has_credentials', 'must not have credentials'];
  return applicationType === 'native' ? faultOfNativeUri(url, nativeSchemes) : faultOfWebUri(url);
};

/** The same as far as a page knows it: which unowned schemes the operator lists, the server says. */
export const earlyFaultOf = (uri: string, applicationType: 'web' | 'native'): UriFault | undefined => {
  const scheme = URL.parse(uri)?.protocol.slice(0, -1) ?? '';
  return faultOfRedirectUri(uri, applicationType, isUnownedScheme(scheme) ? [scheme] : []);
};

/** Why people cannot be shown a link to a URI of an app; undefined if they can. */
export const faultOfShownUri = (uri: string): UriFault | undefined => {
  const url = URL.parse(uri);
  if (!url) return ['uri_invalid', 'must be an absolute URI'];
  if (!URI.test(uri)) return STRANGE;
  if (url.protocol === 'http:') return ['uri_not_https', 'must be https'];
  if (url.protocol !== 'https:')
    return ['uri_scheme_refused', `has the scheme "${url.protocol}": it must be https`];
  if (url.username !== '' || url.password !== '') return ['uri_has_credentials', 'must not have credentials'];
  return undefined;
};
