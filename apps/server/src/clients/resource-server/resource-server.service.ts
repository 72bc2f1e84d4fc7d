import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import { ofBrand } from '../../branding/brand/of-brand.ts';
import { type ChangeAwareCacheOptions, createChangeAwareCache } from '../../ground/db/change-aware-cache.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { compareFields, type EntryChange } from '../../ground/settings-file/entry-change.ts';
import { listResourceServers, upsertResourceServer } from './resource-server.repository.ts';
import type { ResourceServerRow } from './resource-server.table.ts';
import { ResourceServerEntries, type ResourceServerMetadata } from './resource-server-entry.ts';

/** A protected API that tokens are issued for. */
export interface ResourceServer extends ResourceServerMetadata {
  /** The resource indicator, compared exactly. */
  identifier: string;
  /** undefined: every brand's. */
  brand: string | undefined;
  /**
   * Of an API of the server itself: who may hold each scope. A machine, a machine that an operator registered, or the
   * brand's own app for a person. Absent: people approve it, and machines get it by registration.
   */
  holders?: Readonly<Record<string, 'machine' | 'operators-machine' | 'own-app'>>;
}

type Registry = ReadonlyMap<string, ResourceServer>;

/** All are cached under one key: there are few, and a look-up of an unknown one then costs no statement. */
const ALL = 'all';

export interface ResourceServerServiceOptions {
  db: Kysely<Database>;
  changes?: ChangeAwareCacheOptions<Registry>['changes'];
  /** Receives what was applied. */
  events?: EventSink;
  /** APIs of the server itself, which nobody registers. */
  builtIn?: readonly ResourceServer[];
}

export type ResourceServerService = ReturnType<typeof createResourceServerService>;

export const createResourceServerService = (options: ResourceServerServiceOptions) => {
  const { db, changes, events, builtIn = [] } = options;
  const load = async (): Promise<Registry> => {
    const rows = await listResourceServers(db);
    return new Map(
      rows.map(({ identifier, brand, metadata }) => [
        identifier,
        { ...metadata, identifier, brand: brand ?? undefined },
      ]),
    );
  };

  const cache = createChangeAwareCache({ table: 'resource_server', changes, load, keyOf: () => ALL });

  return {
    /** The resource server of that identifier, if the brand has it. */
    findResourceServer: async (identifier: string, brand: string): Promise<ResourceServer | undefined> =>
      ofBrand(
        builtIn.find((api) => api.identifier === identifier) ?? (await cache.get(ALL)).get(identifier),
        brand,
      ),

    /** All resource servers that the brand has. */
    listOfBrand: async (brand: string): Promise<ResourceServer[]> =>
      [...builtIn, ...(await cache.get(ALL)).values()].filter(
        (resource) => ofBrand(resource, brand) !== undefined,
      ),

    /** Those that operators registered. */
    listResourceServers: async (): Promise<ResourceServer[]> => [...(await load()).values()],

    /**
     * Registers or updates resource servers by identifier, all of them or none. Answers what each entry came to,
     * in their order; with `dryRun` what it would come to.
     * @throws z.core.$ZodError when an entry is not of the form.
     */
    applyResourceServers: async (entries: unknown, { dryRun = false } = {}): Promise<EntryChange[]> => {
      const values = z.parse(ResourceServerEntries, entries).map(({ identifier, brand, ...metadata }) => ({
        identifier,
        brand: brand ?? null,
        metadata,
      }));
      const rows = new Map((await listResourceServers(db)).map((row) => [row.identifier, row]));
      const outcomes = values.map((value) => compareWith(value, rows.get(value.identifier)));
      if (dryRun) return outcomes;
      // In one order, so that processes that apply at once wait for each other instead of locking up.
      const ordered = values.toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));
      const applied = await inTransaction(db, async (trx) => {
        const changed: string[] = [];
        for (const value of ordered)
          if (await upsertResourceServer(trx, value)) changed.push(value.identifier);
        return changed;
      });
      cache.forget(ALL);
      for (const identifier of applied) events?.emit('resource.applied', { detail: identifier });
      return outcomes;
    },
  };
};

type Stored = Pick<ResourceServerRow, 'brand' | 'metadata'>;

const fieldsOf = ({ brand, metadata }: Stored) => ({ ...metadata, brand: brand ?? undefined });

const compareWith = (value: Stored & { identifier: string }, row: Stored | undefined): EntryChange => {
  // As the database will have it: without what is undefined.
  const next = { ...value, metadata: JSON.parse(JSON.stringify(value.metadata)) };
  const changes = row ? compareFields(fieldsOf(row), fieldsOf(next)) : [];
  const outcome = row ? (changes.length > 0 ? 'changed' : 'unchanged') : 'added';
  return { id: value.identifier, outcome, changes, warnings: [] };
};
