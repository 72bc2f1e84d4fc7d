/** What an approval is not possible without: who it is, and that the app stays connected. */
const REQUIRED = ['openid', 'offline_access'];

const readScopes = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(' ').filter(Boolean) : [];

/** Scopes that people may leave out of their approval, by the `optional_scopes` of the client's metadata. */
export const optionalScopesOf = (metadata: Record<string, unknown>): ReadonlySet<string> =>
  new Set(readScopes(metadata.optional_scopes).filter((scope) => !REQUIRED.includes(scope)));

/** Whether all that the text names can be left out. */
export const areOptional = (text: string): boolean =>
  !readScopes(text).some((scope) => REQUIRED.includes(scope));
