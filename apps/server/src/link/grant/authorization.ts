import type { Authorization, ClientSummary, EndedAuthorization, Link } from '@candela/contract';
import { optionalScopesOf } from '../../branding/scope/optional-scopes.ts';
import { readScopeKey } from '../../branding/scope/scope-key.ts';
import { readWords } from '../../branding/scope/space-separated.ts';
import type { Client, ClientProfile, ClientService } from '../../clients/client/client.service.ts';
import { toClientSummary } from '../../clients/client/client-summary.ts';
import type { ResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import { readBrowserFacts } from '../../ground/browser/browser-facts.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import type { EndedLinkRow } from '../../person/signal/signal.table.ts';
import type { AuthorizationGrantRow } from './grant.table.ts';
import { QUIET_DAYS } from './quiet-days.ts';

const DAY_MS = 86_400_000;
const COUNTED_DAYS = 7;

export interface DescriptionOptions {
  clients: Pick<ClientService, 'findClient'>;
  resourceServers: Pick<ResourceServerService, 'findResourceServer'>;
}

type ApprovedResourceScope = NonNullable<Authorization['resourceScopes']>[number];

/** What a person approved, whether it lives or ended. */
type Approved = Pick<AuthorizationGrantRow, 'id' | 'brand' | 'client_id' | 'scope' | 'label'>;

/** The names of scopes that people can take away. They are not asked for the brand's own app, which gets all of them. */
export const optionalFor = (client: Client | undefined): ReadonlySet<string> =>
  client && !client.isVouchedFor ? optionalScopesOf(client.metadata) : new Set();

/** Stands for a client that is no longer registered, while its grants live on. */
const nameless = (id: string): ClientProfile => ({
  id,
  brand: undefined,
  metadata: { client_id: id },
  firstParty: false,
  source: 'operator',
});

/** The app of an approval, as people see it. */
export const summaryOf = async (
  { clients }: Pick<DescriptionOptions, 'clients'>,
  { client_id, brand }: Pick<Approved, 'client_id' | 'brand'>,
): Promise<ClientSummary> =>
  toClientSummary((await clients.findClient(client_id, brand)) ?? nameless(client_id));

/** The names of the scopes; a link also stays connected. */
export const scopesOf = ({ scope }: Pick<Approved, 'scope'>, isLink: boolean): string[] => {
  const scopes = new Set(readWords(scope).map((key) => readScopeKey(key).name));
  if (isLink) scopes.add('offline_access');
  return [...scopes];
};

/** The scopes of APIs, in the words of the APIs that are still registered. */
const resourceScopesOf = async (
  { resourceServers }: DescriptionOptions,
  { scope, brand }: Approved,
): Promise<ApprovedResourceScope[]> => {
  const found = [...new Set(readWords(scope))].map(
    async (key): Promise<ApprovedResourceScope | undefined> => {
      const { identifier, name } = readScopeKey(key);
      const resource = identifier && (await resourceServers.findResourceServer(identifier, brand));
      if (!resource) return undefined;
      const description = resource.scopes.find((known) => known.name === name)?.description;
      return { name, key, resource: resource.name, ...(description && { description }) };
    },
  );
  return (await Promise.all(found)).filter((scopeFound) => scopeFound !== undefined);
};

const describe = async (options: DescriptionOptions, approved: Approved, isLink: boolean) => {
  const resourceScopes = await resourceScopesOf(options, approved);
  return {
    id: approved.id,
    client: await summaryOf(options, approved),
    scopes: scopesOf(approved, isLink),
    ...(resourceScopes.length > 0 && { resourceScopes }),
    ...(approved.label !== null && { label: approved.label }),
  };
};

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** How often a link was refreshed, today and on the six days before. */
const refreshesOf = ({ refreshes }: AuthorizationGrantRow, now: number): number => {
  const first = dayOf(now - (COUNTED_DAYS - 1) * DAY_MS);
  return Object.entries(refreshes ?? {}).reduce((sum, [day, count]) => (day >= first ? sum + count : sum), 0);
};

const linkOf = (row: AuthorizationGrantRow): Link => {
  const now = databaseNow().getTime();
  const isQuiet = row.last_accessed_at.getTime() < now - QUIET_DAYS * DAY_MS;
  return {
    since: row.created_at.toISOString(),
    lastRefreshAt: row.last_accessed_at.toISOString(),
    refreshes7d: refreshesOf(row, now),
    state: isQuiet ? 'quiet' : 'working',
    ...(row.ends_at && { endsAt: row.ends_at.toISOString() }),
  };
};

/** What can be taken away from a grant. A scope of an API that is no longer registered goes by its name. */
const optionalScopesIn = async (
  { clients }: DescriptionOptions,
  { client_id, brand, scope }: AuthorizationGrantRow,
  known: readonly ApprovedResourceScope[],
): Promise<string[]> => {
  const optional = optionalFor(await clients.findClient(client_id, brand));
  const keys = readWords(scope).filter((key) => optional.has(readScopeKey(key).name));
  return [...new Set(keys.map((key) => (known.some((of) => of.key === key) ? key : readScopeKey(key).name)))];
};

/** A grant, as its person sees it. */
export const toAuthorization = async (
  options: DescriptionOptions,
  row: AuthorizationGrantRow,
): Promise<Authorization> => {
  const described = await describe(options, row, row.has_refresh_token);
  const optionalScopes = await optionalScopesIn(options, row, described.resourceScopes ?? []);
  return {
    ...described,
    ...(optionalScopes.length > 0 && { optionalScopes }),
    createdAt: row.created_at.toISOString(),
    lastAccessedAt: row.last_accessed_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    locale: row.locale,
    ...readBrowserFacts(row.user_agent, row.client_hints),
    grantMode: row.grant_mode,
    ...(row.has_refresh_token && { link: linkOf(row) }),
  };
};

/** A link that ended, as its person sees it. */
export const toEndedAuthorization = async (
  options: DescriptionOptions,
  row: EndedLinkRow,
): Promise<EndedAuthorization> => ({
  ...(await describe(options, row, true)),
  endedAt: row.ended_at.toISOString(),
  link: { since: row.since.toISOString(), refreshes7d: 0, state: 'ended', endedBecause: row.reason },
});
