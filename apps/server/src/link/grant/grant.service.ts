import type { Authorization, ClientSummary, LinkToReview, ResourceScope } from '@candela/contract';
import type { Kysely } from 'kysely';
import { readScopeKey } from '../../branding/scope/scope-key.ts';
import { readWords } from '../../branding/scope/space-separated.ts';
import type { ClientProfile, ClientService } from '../../clients/client/client.service.ts';
import { clientFingerprint } from '../../clients/client/client-fingerprint.ts';
import { toClientSummary } from '../../clients/client/client-summary.ts';
import type { ResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { readCursor, toPage } from '../../ground/paging/page-cursor.ts';
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
  /**
   * What the account answered the client before; undefined where it answered nothing, or answered another app: a
   * client of another name, or at another host, is another app although its id is the same.
   */
  recall(key: ConsentKey): Promise<RememberedConsent | undefined>;
}

/** Stands for a client that is no longer registered, while its grants live on. */
const nameless = (id: string): ClientProfile => ({
  id,
  brand: undefined,
  metadata: { client_id: id },
  firstParty: false,
  source: 'operator',
});

const toScopes = (text: string): Set<string> => new Set(readWords(text));

const scopesOf = ({ scope, has_refresh_token }: AuthorizationGrantRow): string[] => {
  const scopes = new Set([...toScopes(scope)].map((key) => readScopeKey(key).name));
  if (has_refresh_token) scopes.add('offline_access');
  return [...scopes];
};

export interface GrantServiceOptions {
  db: Kysely<Database>;
  clients: Pick<ClientService, 'findClient'>;
  resourceServers: Pick<ResourceServerService, 'findResourceServer'>;
}

/** What an account approved, as its owner reads it. */
export interface GrantService extends ConsentMemory {
  /** A page of the account's authorizations, newest first; `after` is the `next` of an earlier page. */
  listAuthorizations(accountId: string, after?: string): Promise<{ items: Authorization[]; next?: string }>;
  /** What stays connected when the password changes, for the person to review; newest first. */
  listLinks(accountId: string): Promise<LinkToReview[]>;
}

const summaryOf = async (
  { clients }: GrantServiceOptions,
  { client_id, brand }: AuthorizationGrantRow,
): Promise<ClientSummary> =>
  toClientSummary((await clients.findClient(client_id, brand)) ?? nameless(client_id));

/** The scopes of APIs, in the words of the APIs that are still registered. */
const resourceScopesOf = async (
  { resourceServers }: GrantServiceOptions,
  { scope, brand }: AuthorizationGrantRow,
): Promise<ResourceScope[]> => {
  const found = [...toScopes(scope)].map(async (key): Promise<ResourceScope | undefined> => {
    const { identifier, name } = readScopeKey(key);
    const resource = identifier && (await resourceServers.findResourceServer(identifier, brand));
    if (!resource) return undefined;
    const description = resource.scopes.find((known) => known.name === name)?.description;
    return { name, resource: resource.name, ...(description && { description }) };
  });
  return (await Promise.all(found)).filter((scopeFound) => scopeFound !== undefined);
};

const toAuthorization = async (
  options: GrantServiceOptions,
  row: AuthorizationGrantRow,
): Promise<Authorization> => {
  const resourceScopes = await resourceScopesOf(options, row);
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastAccessedAt: row.last_accessed_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    locale: row.locale,
    ...readBrowserFacts(row.user_agent, row.client_hints),
    grantMode: row.grant_mode,
    client: await summaryOf(options, row),
    scopes: scopesOf(row),
    ...(resourceScopes.length > 0 && { resourceScopes }),
  };
};

export const createGrantService = (options: GrantServiceOptions): GrantService => {
  const { db, clients } = options;

  return {
    recall: async (key) => {
      const row = await findRememberedConsent(db, key);
      const client = row && (await clients.findClient(key.clientId, key.brand));
      if (!row || !client) return undefined;
      const fingerprint = clientFingerprint(client.metadata);
      if (row.client_fingerprint === null) await updateMissingFingerprint(db, key, fingerprint);
      else if (row.client_fingerprint !== fingerprint) return undefined;
      return { approved: toScopes(row.scope), declined: toScopes(row.declined) };
    },

    listAuthorizations: async (accountId, after) => {
      const rows = await listGrants(db, accountId, { limit: PAGE + 1, after: readCursor(after) });
      const { page, ...next } = toPage(rows, PAGE, ({ id }) => id);
      return { items: await Promise.all(page.map((row) => toAuthorization(options, row))), ...next };
    },

    listLinks: async (accountId) => {
      const rows = await listLinks(db, accountId, LINKS_REVIEWED);
      return Promise.all(
        rows.map(async (row) => ({
          client: await summaryOf(options, row),
          scopes: scopesOf(row),
          createdAt: row.created_at.toISOString(),
          lastAccessedAt: row.last_accessed_at.toISOString(),
        })),
      );
    },
  };
};
