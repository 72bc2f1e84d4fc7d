import type { InteractionDetails, Prompt } from '@candela/contract';
import { prompts } from '@candela/contract/rules/prompts';
import { accountScopes } from '../../branding/scope/account-scopes.ts';
import { scopesOfClaims } from '../../branding/scope/scope-claims.ts';
import { toScopeKey } from '../../branding/scope/scope-key.ts';
import { readWords } from '../../branding/scope/space-separated.ts';
import type { AskedResource } from '../../clients/resource-server/asked-resources.ts';
import type { IdentifierKind } from '../../ground/identifier/identifier.ts';
import type { AccountFacts } from '../../person/account/account-facts.repository.ts';
import { LEAVING } from '../oidc/request/prompts.ts';
import type { Interaction } from '../oidc/seam/engine-types.ts';

type Params = Record<string, unknown>;

/** A request for a new authentication: nobody goes on as who is signed in (OpenID Connect Core 3.1.2.1). */
export const asksNewAuthentication = (params: Params): boolean =>
  readWords(params.prompt).includes('login') ||
  params.max_age !== undefined ||
  params.acr_values !== undefined;

/** Whether nothing is asked but to keep an account that is to be deleted. */
export const asksToKeep = ({ prompt }: Interaction): boolean =>
  prompt.name === 'login' && prompt.reasons.every((reason) => reason === LEAVING);

/** The page this interaction is at: signing in, whatever was asked, once another account is wanted. */
export const promptOf = (interaction: Interaction, switched: boolean): Prompt =>
  switched ? 'login' : (prompts.find((name) => name === interaction.prompt.name) ?? 'login');

/** The names in a claims parameter (OpenID Connect Core section 5.5), which the engine has checked. */
export const claimsAsked = (params: Params): string[] => {
  if (typeof params.claims !== 'string') return [];
  const { userinfo, id_token } = JSON.parse(params.claims) as Record<string, object | undefined>;
  return [userinfo, id_token].flatMap((claims) => Object.keys(claims ?? {}));
};

/** The scopes of a request that are the account's. */
export const accountScopesIn = (params: Params): string[] =>
  readWords(params.scope).filter((name) => accountScopes.includes(name));

export interface ScopesAsked {
  params: Params;
  /** What the person approved for this app before. */
  approved: ReadonlySet<string>;
  /** What the app lets people leave out. */
  optional: ReadonlySet<string>;
  /** What the app asks of APIs. */
  resources: readonly AskedResource[];
  /** Why the app asks, in its own words, by the name of a scope. */
  reasons: Readonly<Record<string, string>>;
  /** The app's policy issues refresh tokens: it stays connected, whatever scopes it asks for. */
  staysConnected: boolean;
}

export const scopesAsked = ({
  params,
  approved,
  optional,
  resources,
  reasons,
  staysConnected,
}: ScopesAsked): InteractionDetails['scopes'] => {
  const reasonFor = (name: string) => {
    const reason = Object.hasOwn(reasons, name) ? reasons[name] : undefined;
    return reason === undefined ? {} : { reason };
  };
  const names = new Set([...accountScopesIn(params), ...scopesOfClaims(claimsAsked(params))]);
  const ofResources = resources.flatMap(({ identifier, name: resource, scopes }) =>
    scopes.map(({ name, description }) => {
      const key = toScopeKey(identifier, name);
      return {
        name,
        key,
        granted: approved.has(key),
        optional: optional.has(name),
        resource,
        ...(description && { description }),
        ...reasonFor(name),
      };
    }),
  );
  const toAsked = (name: string) => ({
    name,
    granted: approved.has(name),
    optional: optional.has(name),
    ...reasonFor(name),
  });
  const stays = staysConnected && !names.has('offline_access') ? ['offline_access'] : [];
  return [...[...names].map(toAsked), ...ofResources, ...stays.map(toAsked)];
};

type ScopeAsked = InteractionDetails['scopes'][number];

const keyOf = ({ key, name }: ScopeAsked): string => key ?? name;

const contacts: readonly string[] = ['email', 'phone'] satisfies IdentifierKind[];

/** Whether a scope shows a contact of the account, which may have none. */
const isContact = ({ name, resource }: ScopeAsked): boolean =>
  resource === undefined && contacts.includes(name);

/** Marks the scopes that would show nothing of this account. */
export const markAbsent = (
  { identifiers }: Pick<AccountFacts, 'identifiers'>,
  scopes: readonly ScopeAsked[],
): ScopeAsked[] =>
  scopes.map((scope) =>
    isContact(scope) && !identifiers.some(({ kind }) => kind === scope.name)
      ? { ...scope, absent: true }
      : scope,
  );

/**
 * The keys of what is approved, by an answer of keys or names; undefined for one that names what was not asked or
 * leaves out what is not optional.
 */
export const readApproval = (
  asked: readonly ScopeAsked[],
  answer: readonly string[] | undefined,
): ReadonlySet<string> | undefined => {
  if (!answer) return new Set(asked.map(keyOf));
  const chosen = new Set(answer);
  const isApproved = (scope: ScopeAsked) => chosen.has(keyOf(scope)) || chosen.has(scope.name);
  const known = new Set(asked.flatMap((scope) => [keyOf(scope), scope.name]));
  if (answer.some((word) => !known.has(word))) return undefined;
  if (asked.some((scope) => !scope.optional && !isApproved(scope))) return undefined;
  return new Set(asked.filter(isApproved).map(keyOf));
};
