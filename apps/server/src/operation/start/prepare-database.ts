import type { Connection } from '../../ground/db/connect.ts';
import { migrate } from '../../ground/db/migrate.ts';
import { findWriteFault } from '../../ground/db/writability.ts';
import { StartError } from '../../ground/start-error.ts';
import { ensureSealedSalt } from '../../link/pairwise-salt/pairwise-salt.service.ts';
import type { Config } from '../config/config.ts';
import { forgetNewSecrets } from '../config/generated-secrets.ts';
import { requireSecretKey } from '../secret-key/secret-key.service.ts';

type Secrets = Pick<Config, 'secretKeys' | 'generatedSecrets' | 'databaseUrl'>;

/**
 * Refuses a database whose secrets SECRET_KEY does not open. Called before anything is written.
 * @throws StartError naming the setting.
 */
export const requireOwnDatabase = async (config: Secrets, { db }: Connection): Promise<void> => {
  try {
    await requireSecretKey({ db, secretKeys: config.secretKeys });
  } catch (error) {
    const { generatedSecrets: generated } = config;
    if (!(error instanceof StartError) || !generated) throw error;
    const { path, isNew, secretKey } = generated;
    forgetNewSecrets(generated);
    // COOKIE_KEYS alone was not set.
    if (!config.secretKeys.includes(secretKey)) throw error;
    const found = isNew
      ? `there is no ${path}, while this database has secrets already`
      : `the one of ${path} is not that of this database`;
    const hint = isNew ? 'restore that file, or set SECRET_KEY' : 'restore that file';
    const hintOfMany =
      'with DATABASE_URL every process and every command needs the same SECRET_KEY and COOKIE_KEYS';
    throw new StartError(`SECRET_KEY is not set, and ${found}: ${config.databaseUrl ? hintOfMany : hint}`, {
      cause: error,
    });
  }
};

/** @throws StartError where the database takes no writes: a start and a command that changes something would end halfway */
const requireWritable = async ({ db, kind }: Connection, setting: string): Promise<void> => {
  const fault = kind === 'postgres' ? await findWriteFault(db) : undefined;
  if (fault) throw new StartError(`${setting}: the database takes no writes: ${fault}`);
};

/**
 * Brings the schema up to date and binds the database to SECRET_KEY. Where two first processes have different keys,
 * the salt that is inserted first decides, before either process writes anything else.
 * @throws StartError when the database takes no writes, or is bound to another SECRET_KEY; what `migrate` throws.
 */
export const prepareDatabase = async (
  config: Secrets,
  connection: Connection,
  direct: Connection = connection,
): Promise<{ applied: readonly string[] }> => {
  await requireWritable(direct, direct === connection ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL');
  await requireOwnDatabase(config, connection);
  const migrated = await migrate(direct.db);
  await ensureSealedSalt({ db: connection.db, secretKeys: config.secretKeys });
  await requireOwnDatabase(config, connection);
  return migrated;
};
