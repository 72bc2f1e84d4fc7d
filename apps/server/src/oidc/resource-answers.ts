import type { KoaContextWithOIDC } from 'oidc-provider';
import { toScopeKey } from '../resource-server/scope-key.ts';

/** How a person answered what was asked of one API, by names of its scopes. */
export interface ResourceAnswer {
  identifier: string;
  approved: readonly string[];
  declined: readonly string[];
}

type Grant = InstanceType<KoaContextWithOIDC['oidc']['provider']['Grant']>;

/** Adds the answers to a grant; what is declined is said to the engine too, or it asks again. */
export const addToGrant = (grant: Grant, answers: readonly ResourceAnswer[]): void => {
  for (const { identifier, approved, declined } of answers) {
    if (approved.length > 0) grant.addResourceScope(identifier, approved.join(' '));
    if (declined.length > 0) grant.rejectResourceScope(identifier, declined.join(' '));
  }
};

/** One side of the answers as it is remembered. */
export const keysOf = (answers: readonly ResourceAnswer[], which: 'approved' | 'declined'): string[] =>
  answers.flatMap((answer) => answer[which].map((name) => toScopeKey(answer.identifier, name)));

/** The names of scopes that a request asks of each API. */
const namesAsked = ({ oidc }: KoaContextWithOIDC): [identifier: string, names: string[]][] =>
  Object.entries(oidc.resourceServers ?? {}).map(([identifier, { scopes }]) => [
    identifier,
    [...oidc.requestParamScopes].filter((name) => scopes.has(name)),
  ]);

/** What a request asks of APIs, as it is remembered. */
export const keysAsked = (ctx: KoaContextWithOIDC): string[] =>
  namesAsked(ctx).flatMap(([identifier, names]) => names.map((name) => toScopeKey(identifier, name)));

/** What a request asks of APIs, approved but for what is declined. */
export const answerRequest = (
  ctx: KoaContextWithOIDC,
  isDeclined: (key: string) => boolean,
): ResourceAnswer[] =>
  namesAsked(ctx).map(([identifier, names]) => {
    const declines = (name: string) => isDeclined(toScopeKey(identifier, name));
    return {
      identifier,
      approved: names.filter((name) => !declines(name)),
      declined: names.filter(declines),
    };
  });
