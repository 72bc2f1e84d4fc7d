/**
 * A resource's scope as it is remembered and stored beside the account's scopes, of two APIs that call theirs
 * alike too: the URI of the resource, which has no fragment (RFC 8707 section 2), with the scope as its fragment.
 */
export const toScopeKey = (identifier: string, name: string): string => `${identifier}#${name}`;

/** @returns without `identifier` what is a scope of the account; none of these has a `#`. */
export const readScopeKey = (key: string): { name: string; identifier?: string } => {
  const hash = key.indexOf('#');
  return hash < 0 ? { name: key } : { identifier: key.slice(0, hash), name: key.slice(hash + 1) };
};
