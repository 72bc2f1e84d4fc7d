import { readWords } from './space-separated.ts';

/** An approval always has these: they say who the person is, and that the app stays connected. */
const REQUIRED = ['openid', 'offline_access'];

/** Scopes that people may leave out of their approval, by the `optional_scopes` of the client's metadata. */
export const optionalScopesOf = (metadata: Record<string, unknown>): ReadonlySet<string> =>
  new Set(readWords(metadata.optional_scopes).filter((scope) => !REQUIRED.includes(scope)));

/** Whether people can leave out each scope that the text names. */
export const areOptional = (text: string): boolean =>
  !readWords(text).some((scope) => REQUIRED.includes(scope));
