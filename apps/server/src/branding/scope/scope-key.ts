/**
 * The key of an API's scope, which no other API's scope has: the URI of the resource, which has no fragment (RFC 8707
 * section 2), with the scope as its fragment. It is remembered and stored beside the names of the account's scopes.
 */
export const toScopeKey = (identifier: string, name: string): string => `${identifier}#${name}`;

/** Reads a key back. A scope of the account, which has no `#`, has no `identifier`. */
export const readScopeKey = (key: string): { name: string; identifier?: string } => {
  const hash = key.indexOf('#');
  return hash < 0 ? { name: key } : { identifier: key.slice(0, hash), name: key.slice(hash + 1) };
};
