import { createSecretKey } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { deriveKey } from '../../ground/seal.ts';
import { type ImportSummary, importLines, type LineImportOptions } from '../line-import/import-lines.ts';
import { loadKeptKeys } from '../secret-key/kept-key.service.ts';
import { importBatch } from './import-batch.ts';
import { type ImportRefusal, type ImportRow, parseImportLine } from './import-row.ts';

export interface ImportOptions extends LineImportOptions {
  db: Kysely<Database>;
  /** SECRET_KEYs, newest first: new ids are made under the newest, and ids under all of them are recognised. */
  secretKeys: readonly string[];
  now: () => Date;
}

/**
 * Imports people from a file: see `importLines`. People who are there already stay unchanged.
 * @throws as `importLines`
 */
export const importAccounts = async ({
  db,
  secretKeys,
  now,
  ...options
}: ImportOptions): Promise<ImportSummary<ImportRefusal>> => {
  const idKeys = [
    ...secretKeys.map((secret) => deriveKey(secret, 'ids of imported accounts')),
    ...(await loadKeptKeys({ db, secretKeys }, 'ids of imported accounts')),
  ].map((key) => createSecretKey(key));
  return importLines<ImportRow, ImportRefusal>(options, {
    parse: (text) => parseImportLine(text, idKeys),
    store: (rows) => importBatch(db, rows, now()),
  });
};
