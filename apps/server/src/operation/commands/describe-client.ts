import type { ClientChange, RegisteredClient } from '@candela/contract';
import { describeFieldChanges } from '../../ground/settings-file/entry-change.ts';
import type { ListedClient } from '../../registration/client-registry/client-registry.service.ts';

/** Facts in an order of their own, before all other metadata; the rest stands in no order that matters. */
const first = ['client_id', 'client_name', 'preset', 'brand'] as const;

/** Facts that lines of their own tell, or that repeat others. */
const apart = ['secrets', 'summary', 'links', 'role', 'createdAt', 'updatedAt'];

const show = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const describeSecret = ({ createdAt, lastUsedAt, expiresAt }: RegisteredClient['secrets'][number]) =>
  [
    `made ${createdAt}`,
    lastUsedAt ? `last used ${lastUsedAt}` : 'never used',
    ...(expiresAt ? [`ends ${expiresAt}`] : []),
  ].join(', ');

/** Rows of a name and a value, the values below each other. */
const align = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
};

/** All facts of a client, a line each; a list has a line for each of its values. */
export const describeClient = (client: RegisteredClient): string[] => {
  const others = Object.keys(client)
    .filter((name) => !apart.includes(name) && !first.some((other) => other === name))
    .toSorted();
  const metadata = [...first, ...others].flatMap((name) => {
    const value = client[name];
    if (value === undefined) return [];
    const values = Array.isArray(value) ? value : [value];
    return values.map((one, index) => [index === 0 ? name : '', show(one)] as const);
  });
  const secrets = client.secrets.map(
    (secret) => [`secret "${secret.name}"`, describeSecret(secret)] as const,
  );
  return align([
    ...metadata,
    ...secrets,
    ['links', String(client.links)],
    ['registered', client.createdAt],
    ['changed', client.updatedAt],
  ]);
};

/** A client in a list, in columns. */
export const describeListedClient = (client: ListedClient): string =>
  [
    client.client_id,
    client.client_name,
    client.brand ?? 'every brand',
    ...(client.disabled ? ['disabled'] : []),
  ].join('\t');

/** Whether somebody who is no operator gave the client a secret or a member. */
export const isOpenedByDeveloper = ({ action, by }: ClientChange): boolean =>
  (action === 'secret_added' || action === 'member_added') && by.kind !== 'operator' && by.kind !== 'file';

/** A change of a client, and below it a line for each field. */
export const describeChange = ({ at, action, by, changes }: ClientChange): string[] => [
  [at, action, by.name ? `${by.kind} ${by.name}` : by.kind].join('\t'),
  ...describeFieldChanges(changes),
];
