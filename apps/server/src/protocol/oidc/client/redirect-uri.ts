/** The longest value of a parameter that a platform adds for a person, in characters. */
const LONGEST = 512;

/** Characters of RFC 3986 section 3.4 that a value may have, some of them percent-encoded. */
const VALUE = /^(?:[\w.~!$'()*+,;:@/?=-]|%[0-9a-f]{2})+$/i;

const isValue = (value: string): boolean => {
  if (!VALUE.test(value)) return false;
  try {
    return decodeURIComponent(value).length <= LONGEST;
  } catch {
    return false;
  }
};

/** A redirect URI without its query, and the parameters of the query as they are written. */
const partsOf = (uri: string): { base: string; parameters: [name: string, value: string][] } => {
  const [base = '', ...rest] = uri.split('?');
  const pairs = rest.length > 0 ? rest.join('?').split('&') : [];
  return {
    base,
    parameters: pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name, value.join('=')];
    }),
  };
};

/**
 * The registered URI that a redirect URI extends: it is the same character by character, but for a query of the
 * parameters `names`, each of them once. Undefined where it extends none. RFC 9700 section 2.1 wants exact matches; a
 * platform that has other parameters for each person leaves no other way.
 */
export const extendedUri = (
  uri: string,
  registered: readonly string[],
  names: readonly string[],
): string | undefined => {
  const { base, parameters } = partsOf(uri);
  const isExact =
    names.length > 0 &&
    parameters.length === names.length &&
    names.every((name) => parameters.some(([other]) => other === name)) &&
    parameters.every(([, value]) => isValue(value));
  return isExact && registered.includes(base) ? base : undefined;
};

/** A redirect URI in which nobody reads what a platform added for a person. */
export const withoutValues = (uri: string, names: readonly string[]): string =>
  names.reduce((text, name) => text.replaceAll(new RegExp(`([?&]${name}=)[^&#]*`, 'g'), '$1…'), uri);
