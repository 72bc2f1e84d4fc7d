import type { Authorization, ScopeAsked } from '@candela/contract';

/** One thing an app may do, told in words; several scopes may stand behind it. */
export interface Permission {
  kind: 'personal' | 'profile' | 'offline' | 'resource' | 'other';
  scopes: string[];
  /** What an answer calls these scopes. */
  keys: string[];
  granted: boolean;
  optional: boolean;
  /** The API whose scope it is. */
  resource?: string;
  /** In the API's words, by language. */
  description?: ScopeAsked['description'];
}

const kinds: Record<string, Permission['kind']> = {
  openid: 'personal',
  email: 'personal',
  phone: 'personal',
  profile: 'profile',
  offline_access: 'offline',
};
const order: Permission['kind'][] = ['personal', 'profile', 'resource', 'other', 'offline'];

/** The scopes of a request as the few things a person decides on; what differs in how it may be answered stays apart. */
export const toPermissions = (scopes: readonly ScopeAsked[]): Permission[] => {
  const found = new Map<string, Permission>();
  for (const { name, key: answered = name, granted, optional, resource, description } of scopes) {
    const kind = resource === undefined ? (kinds[name] ?? 'other') : 'resource';
    const own = kind === 'other' || kind === 'resource' ? `${answered} ${resource}` : kind;
    const key = [own, granted, optional].join(' ');
    const words = { ...(resource !== undefined && { resource }), ...(description && { description }) };
    const permission = found.get(key) ?? { kind, scopes: [], keys: [], granted, optional, ...words };
    permission.scopes.push(name);
    permission.keys.push(answered);
    found.set(key, permission);
  }
  const all = [...found.values()];
  // openid says nothing of its own where another personal scope is listed.
  const saysMore = all.some(
    ({ kind, scopes: names }) => kind === 'personal' && names.some((name) => name !== 'openid'),
  );
  return all
    .filter(({ scopes: names }) => !(saysMore && names.length === 1 && names[0] === 'openid'))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
};

/** What an approval allows. */
export const permissionsOf = ({
  scopes,
  resourceScopes = [],
}: Pick<Authorization, 'scopes' | 'resourceScopes'>): Permission[] => {
  const told = resourceScopes.map(({ name }) => name);
  const others = scopes.filter((name) => !told.includes(name)).map((name) => ({ name }));
  return toPermissions(
    [...others, ...resourceScopes].map((scope) => ({ ...scope, granted: true, optional: false })),
  );
};
