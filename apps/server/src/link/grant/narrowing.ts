import { scopesOfClaims } from '../../branding/scope/scope-claims.ts';
import { readScopeKey, toScopeKey } from '../../branding/scope/scope-key.ts';
import { readWords } from '../../branding/scope/space-separated.ts';
import { AppError } from '../../ground/errors.ts';
import type { AuthorizationGrantRow } from './grant.table.ts';

type Scopes = Pick<AuthorizationGrantRow, 'scope' | 'payload'>;

/** A grant with fewer scopes. */
export interface Narrowed extends Scopes {
  /** The keys of the scopes that it lost. */
  taken: readonly string[];
}

const nameOf = (key: string): string => readScopeKey(key).name;

const refuse = (code: 'scope_required' | 'scope_not_approved'): never => {
  throw new AppError(code, { fields: { scopes: code } });
};

/** The account's part of the payload. Claims that were asked for by name go with their scopes. */
const narrowAccount = (openid: unknown, isTaken: (key: string) => boolean): object | undefined => {
  if (typeof openid !== 'object' || openid === null) return undefined;
  const { scope, claims }: { scope?: unknown; claims?: unknown } = openid;
  const stays = (claim: unknown) => !scopesOfClaims([String(claim)]).some(isTaken);
  return {
    ...openid,
    scope: readWords(scope)
      .filter((name) => !isTaken(name))
      .join(' '),
    ...(Array.isArray(claims) && { claims: claims.filter(stays) }),
  };
};

/** The scopes of APIs in the payload; an API of which nothing is left is left out. */
const narrowResources = (resources: unknown, stays: (key: string) => boolean): object | undefined => {
  if (typeof resources !== 'object' || resources === null) return undefined;
  const left = Object.entries(resources).flatMap(([identifier, scope]) => {
    const names = readWords(scope).filter((name) => stays(toScopeKey(identifier, name)));
    return names.length > 0 ? [[identifier, names.join(' ')] as const] : [];
  });
  return Object.fromEntries(left);
};

/**
 * Takes scopes away from a grant. What is taken is not rejected, which would be an answer for good: the engine asks a
 * person again for what was neither granted nor rejected.
 * @param kept all that stays, by name or key; `offline_access` too for a link
 * @param optional the names of what can be taken away
 * @throws AppError scope_not_approved, scope_required
 */
export const narrow = (
  { scope, payload, has_refresh_token: isLink }: Scopes & Pick<AuthorizationGrantRow, 'has_refresh_token'>,
  kept: ReadonlySet<string>,
  optional: ReadonlySet<string>,
): Narrowed => {
  const keys = readWords(scope);
  const approved = new Set([
    ...keys.flatMap((key) => [key, nameOf(key)]),
    ...(isLink ? ['offline_access'] : []),
  ]);
  if ([...kept].some((word) => !approved.has(word))) refuse('scope_not_approved');
  const taken = new Set(keys.filter((key) => !kept.has(key) && !kept.has(nameOf(key))));
  const left = keys.filter((key) => !taken.has(key));
  const isOptional = (key: string) => optional.has(nameOf(key));
  const isEmpty = left.every((key) => key === 'offline_access');
  if ((isLink && !kept.has('offline_access')) || ![...taken].every(isOptional) || isEmpty)
    refuse('scope_required');
  const isTaken = (key: string) => taken.has(key);
  const openid = narrowAccount(payload.openid, isTaken);
  const resources = narrowResources(payload.resources, (key) => !isTaken(key));
  return {
    scope: left.join(' '),
    payload: { ...payload, ...(openid && { openid }), ...(resources && { resources }) },
    taken: [...taken],
  };
};
