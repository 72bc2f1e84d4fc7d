import type { Kysely } from 'kysely';
import type { ResourceServerService } from '../../clients/resource-server/resource-server.service.ts';
import type { Database } from '../../ground/db/database.ts';
import { type ImportSummary, importLines, type LineImportOptions } from '../line-import/import-lines.ts';
import type { LinkRefusal } from './judge-link.ts';
import { importLinkBatch } from './link-batch.ts';
import { type LinkRow, type LinkRowRefusal, parseLinkLine } from './link-row.ts';

export interface LinkImportOptions extends LineImportOptions {
  db: Kysely<Database>;
  /** The ids of all brands. */
  brands: readonly string[];
  resourceServers: Pick<ResourceServerService, 'listOfBrand'>;
  /** Is called before each batch. */
  beforeBatch?: () => Promise<unknown>;
  now: () => Date;
}

/**
 * Imports links from a file: see `importLines`. A token that was taken over before stays as it is, also where its link has
 * ended since.
 * @throws as `importLines`
 */
export const importLinks = async ({
  db,
  brands,
  resourceServers,
  beforeBatch,
  now,
  ...options
}: LinkImportOptions): Promise<ImportSummary<LinkRowRefusal | LinkRefusal>> =>
  importLines<LinkRow, LinkRowRefusal | LinkRefusal>(options, {
    parse: (text) => parseLinkLine(text, now()),
    store: async (rows) => {
      await beforeBatch?.();
      const apis = new Map(
        await Promise.all(
          brands.map(async (brand) => [brand, await resourceServers.listOfBrand(brand)] as const),
        ),
      );
      return importLinkBatch({ db, brands, apis, now: now() }, rows);
    },
  });
