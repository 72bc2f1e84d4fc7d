import type { ScopeAsked } from '@candela/contract';

/** One thing an app may do, told in words; several scopes may stand behind it. */
export interface Permission {
  kind: 'personal' | 'profile' | 'offline' | 'other';
  scopes: string[];
  granted: boolean;
  optional: boolean;
}

const kinds: Record<string, Permission['kind']> = {
  openid: 'personal',
  email: 'personal',
  phone: 'personal',
  profile: 'profile',
  offline_access: 'offline',
};
const order: Permission['kind'][] = ['personal', 'profile', 'other', 'offline'];

/** The scopes of a request as the few things a person decides on; what differs in how it may be answered stays apart. */
export const toPermissions = (scopes: readonly ScopeAsked[]): Permission[] => {
  const found = new Map<string, Permission>();
  for (const { name, granted, optional } of scopes) {
    const kind = kinds[name] ?? 'other';
    const key = [kind === 'other' ? name : kind, granted, optional].join(' ');
    const permission = found.get(key) ?? { kind, scopes: [], granted, optional };
    permission.scopes.push(name);
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
