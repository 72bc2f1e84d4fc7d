import type { TextCatalog } from '../../branding/brand/brand-texts.ts';
import type { ClientFileRules } from '../../clients/client/client-file.ts';
import { ConfigError } from '../../ground/start-error.ts';
import { messageTexts } from '../../person/delivery/message-texts.ts';
import { findConflicts, findPortProblems, type ReadSettings } from './config-checks.ts';
import { createReader, type Env, type OnRead } from './environment-reader.ts';
import { findMissingGateways, readGateways } from './gateways.ts';
import { type GeneratedSecrets, loadGeneratedSecrets, readGeneratedSecrets } from './generated-secrets.ts';
import { readLegacySetting } from './legacy-setting.ts';
import { ownEnvironment } from './own-environment.ts';
import { readPlaces, readSettings } from './settings.ts';
import { readFileSettings } from './settings-files.ts';

/** Everything that the environment decides; README.md says what each setting means. Times are in seconds. */
export interface Config extends ReadSettings {
  /** Secrets kept in DATA_DIR, in place of lists that the environment does not set. */
  generatedSecrets: GeneratedSecrets | undefined;
}

/** What a log may hold of the configuration: no secret, and no URL that could hold one. */
export const describeConfig = (config: Config): Record<string, string | number | boolean> => ({
  NODE_ENV: config.production ? 'production' : 'development',
  PUBLIC_URL: config.publicUrl,
  brands: config.brands.map(({ id, origin }) => `${id} ${origin}`).join(', '),
  database: config.databaseUrl ? 'PostgreSQL' : 'embedded',
  clients: config.clients.length,
  resources: config.resources.length,
  mail: config.mail ? 'SMTP' : 'outbox',
  sms: config.sms ? 'webhook' : 'outbox',
  secretKeys: config.secretKeys.length,
  cookieKeys: config.cookieKeys.length,
  secretsFrom: config.generatedSecrets ? 'DATA_DIR' : 'environment',
  UNKNOWN_ACCOUNT: config.unknownAccount,
  PASSWORD_PROFILE: config.passwordProfile,
  CLIENT_DOCUMENTS: [config.clientDocuments].flat().join(', '),
  KEY_ROTATION_DAYS: config.keyRotationDays,
  TRUST_PROXY: config.trustProxy,
  WORKERS: config.workers,
  LOG_LEVEL: config.logLevel,
});

/** A configuration with all that is wrong with it; nothing is made or written. */
export interface InspectedConfig {
  /** With the secrets of the environment alone. */
  config: Config;
  problems: string[];
  /** Settings that are wrong by themselves: `config` has stand-ins for them. */
  faulty: ReadonlySet<string>;
}

/**
 * Reads the configuration from environment variables and the files that they name.
 * @param findClientFault answers why the engine would refuse a client of CLIENTS_FILE.
 * @param pageTexts the texts of the pages that a brand may replace.
 * @param options.serves false for a command, which needs no gateways, origins and cookies.
 * @param options.onRead hears of every setting.
 */
export const inspectConfig = (
  env: Env = ownEnvironment(),
  findClientFault: ClientFileRules['findFault'] = () => undefined,
  pageTexts?: TextCatalog['pages'],
  { serves = true, onRead }: { serves?: boolean; onRead?: OnRead } = {},
): InspectedConfig => {
  const problems: string[] = [];
  const reader = createReader(env, problems, onRead);
  const places = readPlaces(reader);
  problems.push(...findPortProblems(places, reader.faulty));
  const needsGateways = places.production && serves;
  const catalog = { messages: messageTexts, pages: pageTexts };
  const settings: ReadSettings = {
    ...places,
    ...readFileSettings(reader, { places, catalog, findClientFault, problems }),
    ...readSettings(reader, places),
    ...readGateways(reader, { required: needsGateways, problems }),
    ...readLegacySetting(reader, problems),
  };
  const missingGateways = needsGateways ? findMissingGateways(reader) : [];
  problems.push(...findConflicts(settings, { serves, missingGateways, faulty: reader.faulty }));
  return { config: { ...settings, generatedSecrets: undefined }, problems, faulty: reader.faulty };
};

const withGenerated = (config: Config, generated: GeneratedSecrets | undefined): Config => ({
  ...config,
  generatedSecrets: generated,
  secretKeys: config.secretKeys.length > 0 || !generated ? config.secretKeys : [generated.secretKey],
  cookieKeys: config.cookieKeys.length > 0 || !generated ? config.cookieKeys : [generated.cookieKey],
});

/**
 * The configuration, with secrets that are made and kept in DATA_DIR where the environment has none.
 * @throws ConfigError naming everything that is wrong.
 */
export const completeConfig = ({
  config,
  problems,
}: Pick<InspectedConfig, 'config' | 'problems'>): Config => {
  if (problems.length > 0) throw new ConfigError(problems);
  const hasSecrets = config.secretKeys.length > 0 && config.cookieKeys.length > 0;
  return hasSecrets ? config : withGenerated(config, loadGeneratedSecrets(config.dataDir));
};

/**
 * The configuration of a server.
 * @throws ConfigError naming everything that is wrong.
 */
export const readConfig = (...from: Parameters<typeof inspectConfig>): Config =>
  completeConfig(inspectConfig(...from));

/**
 * The configuration of a command, which makes no secrets and signs no cookies.
 * @throws ConfigError naming everything that is wrong.
 */
export const readCommandConfig = (env?: Env): Config => {
  const { config, problems } = inspectConfig(env, undefined, undefined, { serves: false });
  if (problems.length > 0) throw new ConfigError(problems);
  if (config.secretKeys.length > 0) return config;
  const generated = readGeneratedSecrets(config.dataDir);
  if (generated) return withGenerated(config, generated);
  throw new ConfigError([
    `SECRET_KEY is not set, and ${config.dataDir} has no secrets.json: a command makes no secrets, and needs the SECRET_KEY or the DATA_DIR of the server`,
  ]);
};
