import type { ClientRow } from '../../clients/client/client.table.ts';
import { type PolicyMetadata, REFRESH_TOKEN_SECONDS } from '../../clients/client/policy-metadata.ts';
import type { ResourceServer } from '../../clients/resource-server/resource-server.service.ts';
import { createOpaqueToken } from '../../ground/opaque-token.ts';
import type { KnownToken, MovedLink, MovedToken } from '../../link/moved-link/moved-link.repository.ts';
import { movedGrantPayload, movedTokenPayload } from '../../protocol/oidc/refresh/moved-link.ts';
import type { LinkRow } from './link-row.ts';
import { resolveLinkScopes, type ScopeRefusal } from './link-scopes.ts';

/** Why a link is refused that its line describes well. */
export type LinkRefusal =
  | ScopeRefusal
  | 'brand_missing'
  | 'brand_unknown'
  | 'client_unknown'
  | 'client_disabled'
  | 'client_of_other_brand'
  | 'client_without_refresh_tokens'
  | 'account_unknown'
  | 'token_taken'
  | 'link_over';

/** What a batch is judged by. */
export interface LinkContext {
  /** The ids of all brands. */
  brands: readonly string[];
  clients: ReadonlyMap<string, ClientRow>;
  apis: ReadonlyMap<string, readonly ResourceServer[]>;
  /** Seconds since the epoch. */
  now: number;
}

/** The account of a link. */
export interface LinkOwner {
  id: string;
  locale: string;
}

export const tokenKey = ({ brand, idHash }: MovedToken): string => `${brand} ${idHash}`;

/** The client and the brand of a line. */
export const placeLink = (
  { clientId, brand: named }: Pick<LinkRow, 'clientId' | 'brand'>,
  { brands, clients }: LinkContext,
): { client: ClientRow; brand: string } | LinkRefusal => {
  if (named !== undefined && !brands.includes(named)) return 'brand_unknown';
  const client = clients.get(clientId);
  if (!client) return 'client_unknown';
  if (named !== undefined && client.brand !== null && client.brand !== named) return 'client_of_other_brand';
  const [only, ...others] = brands;
  const brand = named ?? client.brand ?? (others.length === 0 ? only : undefined);
  if (brand === undefined) return 'brand_missing';
  return { client, brand };
};

const hasRefreshTokens = ({ metadata }: ClientRow): boolean =>
  Array.isArray(metadata.grant_types) && metadata.grant_types.includes('refresh_token');

/** When a link ends that is moved now: its token by its lifetime, and all by that of its family, which began with the link. */
const endsOf = ({ since }: LinkRow, metadata: PolicyMetadata, now: number) => {
  const { refresh_token_ttl: seconds = REFRESH_TOKEN_SECONDS, refresh_family_ttl: family } = metadata;
  const endsAt = family === undefined ? null : since + family;
  return { expiresAt: Math.min(now + seconds, endsAt ?? Number.POSITIVE_INFINITY), endsAt };
};

/** What becomes of a line whose client, brand and account are found. `known` is what is known of its token. */
export const judgeLink = (
  row: LinkRow,
  { client, brand, owner }: { client: ClientRow; brand: string; owner: LinkOwner },
  known: KnownToken | undefined,
  { apis, now }: LinkContext,
): MovedLink | 'unchanged' | LinkRefusal => {
  if (known) {
    const isItsOwn =
      known.accountId === null || (known.accountId === owner.id && known.clientId === client.id);
    return isItsOwn ? 'unchanged' : 'token_taken';
  }
  if (client.disabled) return 'client_disabled';
  if (!hasRefreshTokens(client)) return 'client_without_refresh_tokens';
  const asking = {
    metadata: { ...client.metadata, client_id: client.id },
    source: client.source,
    firstParty: client.first_party,
  };
  const found = resolveLinkScopes(row.scopes, asking, apis.get(brand) ?? []);
  if (typeof found === 'string') return found;
  const ends = endsOf(row, client.metadata as PolicyMetadata, now);
  if (ends.expiresAt <= now) return 'link_over';
  const grantId = createOpaqueToken();
  const link = { ...found, accountId: owner.id, clientId: client.id, grantId, since: row.since };
  return {
    brand,
    idHash: row.idHash,
    grantId,
    accountId: owner.id,
    clientId: client.id,
    scope: found.keys.join(' '),
    locale: owner.locale,
    since: row.since,
    ...ends,
    grantPayload: movedGrantPayload(link),
    tokenPayload: movedTokenPayload(link),
  };
};
