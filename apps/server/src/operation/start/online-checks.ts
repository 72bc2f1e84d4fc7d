import { lookup } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, connect } from '../../ground/db/connect.ts';
import { listPendingMigrations } from '../../ground/db/migrate.ts';
import { findWriteFault } from '../../ground/db/writability.ts';
import type { Config } from '../config/config.ts';
import { readGeneratedSecrets } from '../config/generated-secrets.ts';
import { findForeignCookieKeys } from '../secret-key/kept-key.service.ts';
import { asDatabaseRefusal } from './database-refusal.ts';
import { findDatabaseWarnings } from './database-warnings.ts';
import { requireOwnDatabase } from './prepare-database.ts';
import { findDatabaseProblems, problemsOf } from './start-checks.ts';

/** What the surroundings of a server answered; nothing was written or sent. */
export interface OnlineAnswers {
  /** Why a start would be refused. */
  problems: string[];
  /** What would go wrong later. */
  warnings: string[];
  /** What was asked, and found right. */
  found: string[];
}

const askHost = async (setting: string, url: string | undefined, answers: OnlineAnswers): Promise<void> => {
  if (!url) return;
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  await lookup(host).then(
    ({ address }) => answers.found.push(`${setting}: ${host} is ${address}`),
    ({ code }) => answers.warnings.push(`${setting}: the name ${host} does not resolve (${code})`),
  );
};

const askSchema = async (config: Config, connection: Connection, answers: OnlineAnswers): Promise<void> => {
  const pending = await listPendingMigrations(connection.db);
  if (pending.length === 0) answers.warnings.push(...(await findDatabaseWarnings(config, connection)));
  answers.found.push(
    pending.length > 0
      ? `the schema lacks ${pending.length} migrations, which a start applies: ${pending.join(', ')}`
      : 'the schema is that of this release',
  );
};

const askSecrets = async (config: Config, connection: Connection, answers: OnlineAnswers): Promise<void> => {
  const generated = readGeneratedSecrets(config.dataDir);
  const secretKeys =
    config.secretKeys.length > 0 ? config.secretKeys : generated ? [generated.secretKey] : undefined;
  const cookieKeys =
    config.cookieKeys.length > 0 ? config.cookieKeys : generated ? [generated.cookieKey] : undefined;
  if (!secretKeys || !cookieKeys) {
    answers.found.push('there are no secrets yet: whether they open the database was not asked');
    return;
  }
  const { databaseUrl } = config;
  await requireOwnDatabase({ secretKeys, generatedSecrets: generated, databaseUrl }, connection);
  const foreign = await findForeignCookieKeys({ db: connection.db, secretKeys, cookieKeys });
  if (foreign) answers.problems.push(foreign);
  else answers.found.push('SECRET_KEY opens the database, and COOKIE_KEYS is known to it');
};

const askPostgres = async (config: Config, databaseUrl: string, answers: OnlineAnswers): Promise<void> => {
  const unreachable = await findDatabaseProblems(config);
  if (unreachable.length > 0) {
    answers.problems.push(...unreachable);
    return;
  }
  const { dataDir, databasePrepared: prepared } = config;
  const connection = await connect({ databaseUrl, dataDir, poolSize: 1, prepared });
  try {
    const fault = await findWriteFault(connection.db);
    if (fault) answers.problems.push(`DATABASE_URL: the database takes no writes: ${fault}`);
    answers.found.push('the database answers');
    await askSchema(config, connection, answers);
    await askSecrets(config, connection, answers);
  } catch (error) {
    const refusal = asDatabaseRefusal(error, { setting: 'DATABASE_URL', url: databaseUrl });
    answers.problems.push(...problemsOf(refusal));
  } finally {
    await connection.close();
  }
};

/**
 * Asks what a start would ask: the database, its schema, whether the secrets are its own, and the names of gateways.
 * The embedded database is not opened, since opening writes.
 */
export const askOnline = async (config: Config): Promise<OnlineAnswers> => {
  const answers: OnlineAnswers = { problems: [], warnings: [], found: [] };
  await askHost('SMTP_URL', config.mail?.url, answers);
  await askHost('SMS_URL', config.sms?.url, answers);
  await askHost('LEGACY_SIGN_IN_URL', config.legacySignIn?.url, answers);
  if (config.databaseUrl) await askPostgres(config, config.databaseUrl, answers);
  else
    answers.found.push(
      existsSync(join(config.dataDir, 'db'))
        ? 'the embedded database was not opened: opening it would write'
        : 'there is no embedded database yet: a start makes it',
    );
  return answers;
};
