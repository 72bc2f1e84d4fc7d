import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../testing/databases.ts';
import { loadGeneratedSecrets } from '../config/generated-secrets.ts';
import { prepareDatabase, requireOwnDatabase } from './prepare-database.ts';

test('a start says whether the file of secrets is missing, of another database, or overruled by a wrong SECRET_KEY', async () => {
  const connection = await openTestDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'candela-prepare-'));
  const path = join(directory, 'secrets.json');
  const own = { secretKeys: ['k'.repeat(32)], generatedSecrets: undefined, databaseUrl: undefined };
  await prepareDatabase(own, connection);
  const startWith = (secretKeys?: string[]) => {
    const generatedSecrets = loadGeneratedSecrets(directory);
    const config = { ...own, secretKeys: secretKeys ?? [generatedSecrets.secretKey], generatedSecrets };
    return requireOwnDatabase(config, connection);
  };

  await expect(startWith()).rejects.toThrow(
    `SECRET_KEY is not set, and there is no ${path}, while this database has secrets already: restore that file, or set SECRET_KEY`,
  );
  expect(existsSync(path)).toBe(false);
  loadGeneratedSecrets(directory);
  await expect(startWith()).rejects.toThrow(
    `SECRET_KEY is not set, and the one of ${path} is not that of this database: restore that file`,
  );
  await expect(startWith(['w'.repeat(32)])).rejects.toThrow(/^SECRET_KEY does not open /);
  rmSync(directory, { recursive: true });
  await connection.close();
});
