import type { Authorization, LinkToReview, ResourceScope } from '@candela/contract';
import type { Kysely } from 'kysely';
import { readDevice } from '../browser/device-facts.ts';
import { type Client, type ClientService, toClientSummary } from '../client/client.service.ts';
import { clientFingerprint } from '../client/client-fingerprint.ts';
import type { Database } from '../db/database.ts';
import { readCursor, toPage } from '../paging/page-cursor.ts';
import type { ResourceServerService } from '../resource-server/resource-server.service.ts';
import { readScopeKey } from '../scope/scope-key.ts';
import { readWords } from '../scope/space-separated.ts';
import { listGrants, listLinks } from './grant.repository.ts';
import type { AuthorizationGrantRow } from './grant.table.ts';
import {
  type ConsentKey,
  findRememberedConsent,
  updateMissingFingerprint,
} from './remembered-consent.repository.ts';

const PAGE = 20;
/** More links than a person has homes. */
const LINKS_REVIEWED = 100;

/** How an account answered a client before, by scopes. */
export interface RememberedConsent {
  approved: ReadonlySet<string>;
  /** Left out of an approval, where the client lets people choose. */
  declined: ReadonlySet<string>;
}

export interface ConsentMemory {
  recall(key: ConsentKey): Promise<RememberedConsent | undefined>;
}

/** A client that was unregistered while its grants lived on. */
const nameless = (id: string): Client => ({
  id,
  brand: undefined,
  metadata: { client_id: id },
  firstParty: false,
});

const toScopes = (text: string): Set<string> => new Set(readWords(text));

const scopesOf = ({ scope, has_refresh_token }: AuthorizationGrantRow): string[] => {
  const scopes = new Set([...toScopes(scope)].map((key) => readScopeKey(key).name));
  if (has_refresh_token) scopes.add('offline_access');
  return [...scopes];
};

export interface GrantServiceOptions {
  db: Kysely<Database>;
  clients: ClientService;
  resourceServers: ResourceServerService;
}

export type GrantService = ReturnType<typeof createGrantService>;

export const createGrantService = ({ db, clients, resourceServers }: GrantServiceOptions) => {
  const summaryOf = async ({ client_id, brand }: AuthorizationGrantRow) =>
    toClientSummary((await clients.findClient(client_id, brand)) ?? nameless(client_id));

  /** In the words of the APIs that are still registered. */
  const resourceScopesOf = async ({ scope, brand }: AuthorizationGrantRow): Promise<ResourceScope[]> => {
    const told = [...toScopes(scope)].map(async (key): Promise<ResourceScope | undefined> => {
      const { identifier, name } = readScopeKey(key);
      const resource = identifier && (await resourceServers.findResourceServer(identifier, brand));
      if (!resource) return undefined;
      const description = resource.scopes.find((known) => known.name === name)?.description;
      return { name, resource: resource.name, ...(description && { description }) };
    });
    return (await Promise.all(told)).filter((found) => found !== undefined);
  };

  const toAuthorization = async (row: AuthorizationGrantRow): Promise<Authorization> => {
    const resourceScopes = await resourceScopesOf(row);
    return {
      id: row.id,
      createdAt: row.created_at.toISOString(),
      lastAccessedAt: row.last_accessed_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      locale: row.locale,
      ...readDevice(row.user_agent, row.client_hints),
      grantMode: row.grant_mode,
      client: await summaryOf(row),
      scopes: scopesOf(row),
      ...(resourceScopes.length > 0 && { resourceScopes }),
    };
  };

  return {
    /** Nothing of what was answered to another app of the same id: one of another name, or at another host. */
    recall: async (key: ConsentKey): Promise<RememberedConsent | undefined> => {
      const row = await findRememberedConsent(db, key);
      const client = row && (await clients.findClient(key.clientId, key.brand));
      if (!row || !client) return undefined;
      const fingerprint = clientFingerprint(client.metadata);
      if (row.client_fingerprint === null) await updateMissingFingerprint(db, key, fingerprint);
      else if (row.client_fingerprint !== fingerprint) return undefined;
      return { approved: toScopes(row.scope), declined: toScopes(row.declined) };
    },

    listAuthorizations: async (
      accountId: string,
      after?: string,
    ): Promise<{ items: Authorization[]; next?: string }> => {
      const rows = await listGrants(db, accountId, { limit: PAGE + 1, after: readCursor(after) });
      const { page, ...next } = toPage(rows, PAGE, ({ id }) => id);
      return { items: await Promise.all(page.map(toAuthorization)), ...next };
    },

    /** What stays connected when the password changes, for the person to review; newest first. */
    listLinks: async (accountId: string): Promise<LinkToReview[]> => {
      const rows = await listLinks(db, accountId, LINKS_REVIEWED);
      return Promise.all(
        rows.map(async (row) => ({
          client: await summaryOf(row),
          scopes: scopesOf(row),
          createdAt: row.created_at.toISOString(),
          lastAccessedAt: row.last_accessed_at.toISOString(),
        })),
      );
    },
  };
};
