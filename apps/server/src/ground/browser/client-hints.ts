/** User-Agent Client Hints: details that browsers leave out of their user agent string. */
export interface ClientHints {
  /** Name and full version of the browser and of the engine it is built on, a name made up to confuse among them. */
  brands?: [name: string, version: string][];
  mobile?: boolean;
  platform?: string;
  platformVersion?: string;
}

/** The hints that pages ask for; browsers send the others with every request on https. */
export const ACCEPT_CH = 'Sec-CH-UA-Full-Version-List, Sec-CH-UA-Platform-Version';

const HEADER_LENGTH = 512;
const BRANDS = 8;
/** RFC 8941 section 3.3.3: printable ASCII, in which only the quote and the backslash are escaped. */
const STRING = String.raw`"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){0,64})"`;
const ITEM = new RegExp(`^${STRING}$`);
const MEMBER = new RegExp(`^\\s*${STRING};v=${STRING}\\s*(?:,|$)`);
const VERSION = /^\d{1,10}(\.\d{1,10}){0,4}$/;

const withoutEscapes = (text: string) => text.replaceAll(/\\(.)/g, '$1');

const readString = (header: string): string | undefined => {
  const [, text] = ITEM.exec(header.trim()) ?? [];
  return text ? withoutEscapes(text) : undefined;
};

const readVersion = (header: string): string | undefined => {
  const version = readString(header);
  return version !== undefined && VERSION.test(version) ? version : undefined;
};

const readBrands = (header: string): ClientHints['brands'] => {
  const brands: [string, string][] = [];
  let rest = header;
  while (rest && brands.length < BRANDS) {
    const [member, name = '', version = ''] = MEMBER.exec(rest) ?? [];
    if (!member) return undefined;
    if (VERSION.test(version)) brands.push([withoutEscapes(name), version]);
    rest = rest.slice(member.length);
  }
  return brands.length > 0 ? brands : undefined;
};

/** Reads the headers of a request; null where there are none, and nothing of what is not well-formed or too long. */
export const readClientHints = (headerOf: (name: string) => string): ClientHints | null => {
  const header = (name: string) => {
    const value = headerOf(`sec-ch-ua${name}`);
    return value.length > HEADER_LENGTH ? '' : value;
  };
  const brands = readBrands(header('-full-version-list')) ?? readBrands(header(''));
  const platform = readString(header('-platform'));
  const platformVersion = readVersion(header('-platform-version'));
  const mobile = header('-mobile');
  if (!brands && !platform) return null;
  return {
    ...(brands && { brands }),
    ...(platform !== undefined && { platform }),
    ...(platformVersion !== undefined && { platformVersion }),
    ...(/^\?[01]$/.test(mobile) && { mobile: mobile === '?1' }),
  };
};
