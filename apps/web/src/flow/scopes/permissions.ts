import type { Authorization, ScopeAsked } from '@candela/contract';

/** A permission of an app as people read it. It may combine several scopes. */
export interface Permission {
  kind: 'personal' | 'profile' | 'offline' | 'resource' | 'other';
  scopes: string[];
  /** The keys of the scopes in an answer. */
  keys: string[];
  granted: boolean;
  optional: boolean;
  /** The name of the API that has the scope. */
  resource?: string;
  /** The API's description of the scope, by language. */
  description?: ScopeAsked['description'];
  /** Why the app asks, in its own words. */
  reasons?: string[];
}

const kinds: Record<string, Permission['kind']> = {
  openid: 'personal',
  email: 'personal',
  phone: 'personal',
  profile: 'profile',
  offline_access: 'offline',
};
const order: Permission['kind'][] = ['personal', 'profile', 'resource', 'other', 'offline'];

/** Combines the scopes of a request into permissions, apart for required, optional and granted scopes. */
export const toPermissions = (scopes: readonly ScopeAsked[]): Permission[] => {
  const found = new Map<string, Permission>();
  for (const { name, key: answered = name, granted, optional, resource, description, reason } of scopes) {
    const kind = resource === undefined ? (kinds[name] ?? 'other') : 'resource';
    const own = kind === 'other' || kind === 'resource' ? `${answered} ${resource}` : kind;
    const key = [own, granted, optional].join(' ');
    const words = { ...(resource !== undefined && { resource }), ...(description && { description }) };
    const permission = found.get(key) ?? { kind, scopes: [], keys: [], granted, optional, ...words };
    permission.scopes.push(name);
    permission.keys.push(answered);
    if (reason && !permission.reasons?.includes(reason))
      permission.reasons = [...(permission.reasons ?? []), reason];
    found.set(key, permission);
  }
  const all = [...found.values()];
  // openid adds nothing where another personal scope is listed.
  const saysMore = all.some(
    ({ kind, scopes: names }) => kind === 'personal' && names.some((name) => name !== 'openid'),
  );
  return all
    .filter(({ scopes: names }) => !(saysMore && names.length === 1 && names[0] === 'openid'))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
};

type Approved = Pick<Authorization, 'scopes' | 'resourceScopes' | 'optionalScopes'>;

const approvedIn = ({ scopes, resourceScopes = [] }: Approved): { name: string; key?: string }[] => {
  const told = resourceScopes.map(({ name }) => name);
  return [...scopes.filter((name) => !told.includes(name)).map((name) => ({ name })), ...resourceScopes];
};

/** The permissions of an approval. */
export const permissionsOf = (approved: Approved): Permission[] =>
  toPermissions(approvedIn(approved).map((scope) => ({ ...scope, granted: true, optional: false })));

/** The permissions of an approval, those apart that its person can take away. */
export const choicesOf = (approved: Approved): Permission[] =>
  toPermissions(
    approvedIn(approved).map((scope) => ({
      ...scope,
      granted: false,
      optional: approved.optionalScopes?.includes(scope.key ?? scope.name) ?? false,
    })),
  );

/** What stays of an approval without the scopes of these keys: a name stands for the scopes of all APIs that have it. */
export const keptOf = ({ scopes, resourceScopes = [] }: Approved, declined: readonly string[]): string[] => {
  const names = declined.map((key) => key.slice(key.indexOf('#') + 1));
  const keys = resourceScopes.map(({ key }) => key).filter((key) => !declined.includes(key));
  return [...scopes.filter((name) => !names.includes(name)), ...keys];
};
