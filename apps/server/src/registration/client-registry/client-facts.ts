import type { RegisteredClient } from '@candela/contract';
import type { PresetName } from '@candela/contract/rules/client-presets';
import { logoPath } from '../../branding/picture/picture-path.ts';
import type { HeldClient } from '../../clients/client/client.repository.ts';
import type { ClientProfile } from '../../clients/client/client.service.ts';
import type { ClientRow } from '../../clients/client/client.table.ts';
import type { ClientMemberRow } from '../../clients/client/client-member.table.ts';
import type { ClientSecretRow } from '../../clients/client/client-secret.table.ts';
import { toClientSummary } from '../../clients/client/client-summary.ts';
import { presets } from '../../clients/client/presets.ts';
import { methodOf } from '../../clients/client/registration.ts';
import {
  actsForItself,
  heldByItself,
  scopesByOperators,
} from '../../clients/resource-server/machine-scopes.ts';
import type { ResourceServer } from '../../clients/resource-server/resource-server.service.ts';

export interface ClientFacts {
  row: ClientRow & { logo?: string | null };
  role: ClientMemberRow['role'];
  secrets: readonly ClientSecretRow[];
  links: number;
  /** The protected APIs, of all brands. */
  apis: readonly ResourceServer[];
}

/** A secret as developers see it, without its value. */
export const toSecretFacts = ({ name, created_at, last_used_at, expires_at }: ClientSecretRow) => ({
  name,
  createdAt: created_at.toISOString(),
  ...(last_used_at && { lastUsedAt: last_used_at.toISOString() }),
  ...(expires_at && { expiresAt: expires_at.toISOString() }),
});

const isPreset = (value: unknown): value is PresetName =>
  typeof value === 'string' && Object.hasOwn(presets, value);

const namesOf = ({ id, metadata, brand }: Pick<ClientRow, 'id' | 'metadata' | 'brand'>) => ({
  client_id: id,
  client_name: typeof metadata.client_name === 'string' ? metadata.client_name : id,
  ...(isPreset(metadata.preset) && { preset: metadata.preset }),
  ...(brand !== null && { brand }),
});

const texts = (value: unknown, otherwise: string[]): string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : otherwise;

/** What developers give the client, and what it has. */
const toApiScopes = (apis: readonly ResourceServer[], { brand, metadata }: ClientRow) => {
  const reserved: ReadonlySet<string> = actsForItself(metadata)
    ? scopesByOperators(apis, brand ?? undefined)
    : new Set();
  const held = heldByItself(metadata);
  const scopes = apis
    .filter((api) => brand === null || api.brand === undefined || api.brand === brand)
    .flatMap(({ name: resource, scopes }) =>
      scopes.map(({ name, description }) => ({ name, resource, ...(description && { description }) })),
    )
    .filter(({ name }) => !reserved.has(name) || held.includes(name));
  return scopes.length > 0 ? { apiScopes: scopes } : {};
};

/** A client as its developers see it. */
export const toRegisteredClient = ({ row, role, secrets, links, apis }: ClientFacts): RegisteredClient => {
  const { metadata } = row;
  const client: ClientProfile = {
    id: row.id,
    brand: row.brand ?? undefined,
    metadata: { ...metadata, client_id: row.id },
    firstParty: row.first_party,
    source: row.source,
    ...(row.logo && { logo: row.logo }),
  };
  return {
    ...metadata,
    ...namesOf(row),
    redirect_uris: texts(metadata.redirect_uris, []),
    post_logout_redirect_uris: texts(metadata.post_logout_redirect_uris, []),
    // The defaults of RFC 7591 section 2.
    grant_types: texts(metadata.grant_types, ['authorization_code']),
    response_types: texts(metadata.response_types, ['code']),
    application_type: String(metadata.application_type ?? 'web'),
    token_endpoint_auth_method: methodOf(metadata),
    first_party: row.first_party,
    verified: row.first_party || metadata.verified === true,
    disabled: row.disabled,
    source: row.source,
    role,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    secrets: secrets.map(toSecretFacts),
    summary: toClientSummary(client),
    ...toApiScopes(apis, row),
    links,
  };
};

/** A client in a list. */
export const toListedClient = (row: HeldClient) => ({
  ...namesOf(row),
  ...(row.logo && { logo: logoPath(row.logo) }),
  disabled: row.disabled,
  verified: row.first_party || row.metadata.verified === true,
  role: row.role,
  ...(row.role === 'member' && row.member_since && { sharedAt: row.member_since.toISOString() }),
  createdAt: row.created_at.toISOString(),
  source: row.source,
});
