import type { ParsedUrlQuery } from 'node:querystring';
import type { SignInRequest } from './authorization-server.ts';

export const scopes = [
  { name: 'openid', isDefault: true },
  { name: 'profile', isDefault: true },
  { name: 'email', isDefault: true },
  { name: 'phone', isDefault: true },
  { name: 'offline_access', isDefault: false },
] as const;

export const prompts = ['none', 'login', 'consent', 'select_account', 'create'] as const;

/**
 * Reads the options of a sign-in.
 * @throws RangeError with a sentence for the person if one of them cannot be sent
 */
export function readSignInOptions(query: ParsedUrlQuery): SignInRequest {
  const prompt = single(query, 'prompt');
  if (prompt !== undefined && !(prompts as readonly string[]).includes(prompt)) {
    throw new RangeError(`prompt must be one of ${prompts.join(', ')}.`);
  }
  const maxAge = single(query, 'max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    throw new RangeError('max_age must be a number of seconds.');
  }
  return {
    scope: readScope(query),
    prompt,
    uiLocales: single(query, 'ui_locales'),
    loginHint: single(query, 'login_hint'),
    maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge),
  };
}

function readScope(query: ParsedUrlQuery): string {
  const asked = [query.scope ?? []].flat().flatMap((value) => value.split(' '));
  const known = scopes.filter(({ name, isDefault }) =>
    asked.length === 0 ? isDefault : asked.includes(name),
  );
  if (known.length === 0) throw new RangeError('None of these scopes is known.');
  return known.map(({ name }) => name).join(' ');
}

function single(query: ParsedUrlQuery, name: string): string | undefined {
  const value = [query[name] ?? []].flat()[0]?.trim();
  return value === '' ? undefined : value;
}
