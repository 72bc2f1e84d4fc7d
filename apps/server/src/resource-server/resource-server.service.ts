import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { ChangeFeed } from '../db/change-feed.ts';
import type { Database } from '../db/database.ts';
import { listResourceServers, upsertResourceServer } from './resource-server.repository.ts';
import { ResourceServerFile, type ResourceServerMetadata } from './resource-server-file.ts';

/** A protected API that tokens are issued for. */
export interface ResourceServer extends ResourceServerMetadata {
  /** The resource indicator, compared exactly. */
  identifier: string;
  /** undefined: every brand's. */
  brand: string | undefined;
}

/** What a process may still believe while it does not hear of changes. */
const UNTOLD_MS = 800;

export interface ResourceServerServiceOptions {
  db: Kysely<Database>;
  /** Tells of changes in whichever process; without it everything is read anew after 0.8 s. */
  changes?: Pick<ChangeFeed, 'on' | 'isLive'>;
}

export type ResourceServerService = ReturnType<typeof createResourceServerService>;

export const createResourceServerService = ({ db, changes }: ResourceServerServiceOptions) => {
  /** All of them: a brand has few APIs. */
  let cache: { readAt: number; byIdentifier: Promise<ReadonlyMap<string, ResourceServer>> } | undefined;
  const forget = () => {
    cache = undefined;
  };
  changes?.on('resource_server', forget);

  const load = async (): Promise<ReadonlyMap<string, ResourceServer>> => {
    const rows = await listResourceServers(db);
    return new Map(
      rows.map(({ identifier, brand, metadata }) => [
        identifier,
        { ...metadata, identifier, brand: brand ?? undefined },
      ]),
    );
  };

  const cached = (): Promise<ReadonlyMap<string, ResourceServer>> => {
    const now = Date.now();
    if (cache && (changes?.isLive() || cache.readAt + UNTOLD_MS > now)) return cache.byIdentifier;
    const reading = { readAt: now, byIdentifier: load() };
    cache = reading;
    reading.byIdentifier.catch(() => {
      if (cache === reading) cache = undefined;
    });
    return reading.byIdentifier;
  };

  return {
    /** The resource server of that identifier, if the brand has it. */
    findResourceServer: async (identifier: string, brand: string): Promise<ResourceServer | undefined> => {
      const found = (await cached()).get(identifier);
      return found && (found.brand === undefined || found.brand === brand) ? found : undefined;
    },

    listResourceServers: async (): Promise<ResourceServer[]> => [...(await load()).values()],

    /**
     * Registers or updates resource servers by identifier, all of them or none.
     * @throws z.core.$ZodError when an entry is not of the form.
     */
    applyResourceServers: async (entries: unknown): Promise<string[]> => {
      const values = z.parse(ResourceServerFile, entries).map(({ identifier, brand, ...metadata }) => ({
        identifier,
        brand: brand ?? null,
        metadata,
      }));
      // In one order, so that processes that apply at once wait for each other instead of locking up.
      const ordered = values.toSorted((a, b) => (a.identifier < b.identifier ? -1 : 1));
      await db.transaction().execute(async (trx) => {
        for (const value of ordered) await upsertResourceServer(trx, value);
      });
      forget();
      return values.map(({ identifier }) => identifier);
    },
  };
};
