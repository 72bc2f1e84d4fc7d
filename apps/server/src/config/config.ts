import { resolve } from 'node:path';
import type { PasswordProfile } from '@candela/contract';
import type { UnknownAccountPolicy } from '../account/unknown-account-policy.ts';
import { type Brand, type BrandWithPlace, placeBrands, readBrandsFile } from '../brand/brand.ts';
import type { TextCatalog } from '../brand/brand-texts.ts';
import { builtInBrands } from '../brand/built-in.ts';
import { parseOrigin } from '../brand/origin.ts';
import type { ClientEntry } from '../client/client-entry.ts';
import { type ClientFileRules, PLAYGROUND_CLIENT_ID, readClientFile } from '../client/client-file.ts';
import { messageTexts } from '../delivery/message-texts.ts';
import { PORTAL_CLIENT_ID } from '../oidc/client/portal-client.ts';
import { parseHost } from '../outbound/outbound-request.ts';
import type { ResourceServerEntry } from '../resource-server/resource-server-entry.ts';
import { readResourceServerFile } from '../resource-server/resource-server-file.ts';
import type { SettingsFile } from '../settings-file/settings-file.ts';
import { ConfigError } from '../start-error.ts';
import { CODES_PER_PREFIX_PER_HOUR } from '../verification/send-limits.ts';
import { checkDevelopment, checkProduction } from './config-checks.ts';
import { createReader, type Env } from './environment-reader.ts';
import { type GeneratedSecrets, loadGeneratedSecrets, readGeneratedSecrets } from './generated-secrets.ts';

const MODES = ['production', 'development', 'test'];
const SECRETS = ['SECRET_KEY', 'COOKIE_KEYS'] as const;
const SECRET_LENGTH = 32;

/** Everything the environment decides; see the table of the README. Times are in seconds. */
export interface Config {
  production: boolean;
  host: string;
  port: number;
  /** Origin of the default brand, without a path. */
  publicUrl: string;
  /** Those served, the one of `publicUrl` first. */
  brands: readonly [Brand, ...Brand[]];
  /** Ids of those of BRANDS_FILE that no host leads to: they have no origin, and PUBLIC_URL is another's. */
  unservedBrands: readonly string[];
  /** Brands and ids that the entries of a file of clients may and may not have. */
  clientRules: Omit<ClientFileRules, 'findFault'>;
  /** Whether CLIENTS_FILE is set, and what it holds. */
  clientsFile: boolean;
  clients: readonly ClientEntry[];
  /** Whether RESOURCES_FILE is set, and what it holds. */
  resourcesFile: boolean;
  resources: readonly ResourceServerEntry[];
  databaseUrl: string | undefined;
  databaseDirectUrl: string | undefined;
  databasePrepared: boolean;
  /** Connections that a process has open at most, the one that hears of changes among them. */
  databasePool: number;
  dataDir: string;
  /** 0: no playground. */
  playgroundPort: number;
  /** 0: no metrics. */
  metricsPort: number;
  /** Newest first; the first encrypts and signs, the others still decrypt and verify. */
  secretKeys: readonly string[];
  cookieKeys: readonly string[];
  /** Those of DATA_DIR, where a list above is not set. */
  generatedSecrets: GeneratedSecrets | undefined;
  unknownAccount: UnknownAccountPolicy;
  passwordProfile: PasswordProfile;
  codes: {
    ttlSeconds: number;
    resendSeconds: number;
    maxTries: number;
    perHour: number;
    perDay: number;
    perAddressPerHour: number;
    perPrefixPerHour: number;
    /** Undefined: the usual ones, which are smaller for SMS than for all codes. */
    globalPerMinute: number | undefined;
    globalPerDay: number | undefined;
    /** Beginnings of the phone numbers that codes are sent to; empty: all of them. */
    phonePrefixes: readonly string[];
  };
  /** Undefined: mail goes to the outbox. */
  mail: { url: string; from: string } | undefined;
  /** Undefined: SMS go to the outbox. */
  sms: { url: string; secret: string } | undefined;
  /** Processes that serve the port. */
  workers: number;
  /** For how long /readyz says 503 before a process that was told to stop accepts no more. */
  drainNoticeSeconds: number;
  /** For how long signing keys sign; 0: until somebody rotates them. */
  keyRotationDays: number;
  /** How many proxies in front may be believed in X-Forwarded-For. */
  trustProxy: number;
  /** Origin of the static host that has the SPA's files; undefined: they are served here. */
  assetOrigin: string | undefined;
  logLevel: string;
  /** Hosts of apps' logos that may be at any address and port. */
  logoHosts: readonly string[];
  /** Hosts of apps that the server itself calls, which may be at any address and port, and without TLS. */
  backchannelHosts: readonly string[];
}

const DRAIN_NOTICE_SECONDS = 3;

const readOrigin = (name: string, value: string, problems: string[]): string => {
  const origin = parseOrigin(value);
  if (!origin) problems.push(`${name} must be an origin such as https://id.example.com, not "${value}"`);
  return origin ?? 'http://localhost:3000';
};

const readHosts = (name: string, values: readonly string[], problems: string[]): string[] =>
  values.flatMap((value) => {
    const host = parseHost(value);
    if (!host)
      problems.push(`${name} must be hosts such as hub.internal or hub.internal:8443, not "${value}"`);
    return host ?? [];
  });

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
  KEY_ROTATION_DAYS: config.keyRotationDays,
  TRUST_PROXY: config.trustProxy,
  WORKERS: config.workers,
  LOG_LEVEL: config.logLevel,
});

/** What `read` gives; undefined when it throws a ConfigError, whose problems join the others. */
const collect = <T>(problems: string[], read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
};

const fileOf = (name: string, path: string | undefined): SettingsFile | undefined =>
  path === undefined ? undefined : { path, name: `${name} ${path}` };

const readDatabaseUrl = (name: string, value: string | undefined, problems: string[]) => {
  if (value === undefined || /^(postgres|postgresql):$/.test(URL.parse(value)?.protocol ?? '')) return value;
  // The value is not repeated: it may hold a password.
  problems.push(
    `${name} must be a URL such as postgres://user:password@host:5432/candela; what is not a letter or digit in a password is percent-encoded`,
  );
  return undefined;
};

const mailAddress = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

const readGateways = (
  text: (name: string) => string | undefined,
  problems: string[],
  { production }: { production: boolean },
) => {
  /** Told with what is wrong with the gateway itself, so that one start tells all. */
  const isNeeded = (gateway: string) => production || text(gateway) !== undefined;
  const readUrl = (name: string, protocols: string[]) => {
    const value = text(name);
    if (value === undefined || protocols.includes(URL.parse(value)?.protocol ?? '')) return value;
    // The value is not repeated: it may hold a password.
    problems.push(`${name} must be a URL of ${protocols.join('// or ')}//`);
    return undefined;
  };
  const smtpUrl = readUrl('SMTP_URL', ['smtp:', 'smtps:']);
  const smsUrl = readUrl('SMS_URL', ['http:', 'https:']);
  const from = text('MAIL_FROM') ?? '';
  const secret = text('SMS_SECRET') ?? '';
  if (isNeeded('SMTP_URL') && !mailAddress.test(from))
    problems.push('MAIL_FROM must be one plain address such as account@example.com where SMTP_URL is set');
  if (isNeeded('SMS_URL') && secret.length < SECRET_LENGTH)
    problems.push(`SMS_SECRET needs at least ${SECRET_LENGTH} characters where SMS_URL is set`);
  return {
    mail: smtpUrl ? { url: smtpUrl, from } : undefined,
    sms: smsUrl ? { url: smsUrl, secret } : undefined,
  };
};

const readBrands = (
  file: SettingsFile | undefined,
  publicUrl: string,
  catalog: TextCatalog,
  problems: string[],
) => {
  const known: readonly BrandWithPlace[] | undefined = collect(problems, () => readBrandsFile(file, catalog));
  const served = known && collect(problems, () => placeBrands(known, publicUrl));
  const ids = served?.map(({ id }) => id);
  return {
    served: served ?? placeBrands(builtInBrands, publicUrl),
    /** Undefined where the file says nothing that could be relied on. */
    ids,
    unserved: file ? (known ?? []).map(({ id }) => id).filter((id) => ids && !ids.includes(id)) : [],
  };
};

/** What the environment comes to, and all that is wrong with it; nothing is made or written. */
export interface InspectedConfig {
  /** With the secrets of the environment alone. */
  config: Config;
  problems: string[];
}

/**
 * Reads the configuration from environment variables and the files that they name. `findClientFault` tells
 * why the engine would refuse a client of CLIENTS_FILE; `pageTexts` are the texts that a brand may replace. A
 * command, which does not serve, needs no gateways, origins and cookies.
 */
export const inspectConfig = (
  env: Env = process.env,
  findClientFault: ClientFileRules['findFault'] = () => undefined,
  pageTexts?: TextCatalog['pages'],
  { serves = true } = {},
): InspectedConfig => {
  const problems: string[] = [];
  const { text, integer, oneOf, list } = createReader(env, problems);
  const mode = text('NODE_ENV') ?? 'development';
  if (!MODES.includes(mode)) problems.push(`NODE_ENV must be one of ${MODES.join(', ')}, not "${mode}"`);
  const production = mode === 'production';
  const port = integer('PORT', 3000, { min: 1, max: 65535 });
  const playgroundPort = production ? 0 : integer('PLAYGROUND_PORT', 3001, { max: 65535 });
  const metricsPort = integer('METRICS_PORT', 0, { max: 65535 });
  if (port === playgroundPort) problems.push(`PORT and PLAYGROUND_PORT are both ${port}`);
  for (const [name, other] of [
    ['PORT', port],
    ['PLAYGROUND_PORT', playgroundPort],
  ] as const)
    if (metricsPort > 0 && metricsPort === other)
      problems.push(`${name} and METRICS_PORT are both ${metricsPort}`);
  const dataDir = resolve(text('DATA_DIR') ?? './data');
  const databaseUrl = readDatabaseUrl('DATABASE_URL', text('DATABASE_URL'), problems);
  const directUrl = readDatabaseUrl('DATABASE_DIRECT_URL', text('DATABASE_DIRECT_URL'), problems);
  const publicUrl = readOrigin('PUBLIC_URL', text('PUBLIC_URL') ?? `http://localhost:${port}`, problems);
  const assetUrl = text('ASSET_URL');
  const catalog = { messages: messageTexts, pages: pageTexts };
  const brandsFile = fileOf('BRANDS_FILE', text('BRANDS_FILE'));
  const brands = readBrands(brandsFile, publicUrl, catalog, problems);
  const clientRules = {
    brands: brands.ids,
    reserved: [PORTAL_CLIENT_ID, ...(playgroundPort > 0 ? [PLAYGROUND_CLIENT_ID] : [])],
    backchannelHosts: readHosts('BACKCHANNEL_HOSTS', list('BACKCHANNEL_HOSTS'), problems),
  };
  const clientsFile = fileOf('CLIENTS_FILE', text('CLIENTS_FILE'));
  const clients =
    clientsFile &&
    collect(problems, () => readClientFile(clientsFile, { ...clientRules, findFault: findClientFault }));
  const resourcesFile = fileOf('RESOURCES_FILE', text('RESOURCES_FILE'));
  const resources =
    resourcesFile && collect(problems, () => readResourceServerFile(resourcesFile, brands.ids));

  const config: Config = {
    production,
    host: text('HOST') ?? '127.0.0.1',
    port,
    publicUrl,
    brands: brands.served,
    unservedBrands: brands.unserved,
    clientRules,
    clientsFile: clientsFile !== undefined,
    clients: clients ?? [],
    resourcesFile: resourcesFile !== undefined,
    resources: resources ?? [],
    databaseUrl,
    databaseDirectUrl: directUrl ?? databaseUrl,
    databasePrepared: oneOf('DATABASE_PREPARED', ['on', 'off']) === 'on',
    databasePool: integer('DATABASE_POOL', 10, { min: 4, max: 500 }),
    dataDir,
    playgroundPort,
    metricsPort,
    secretKeys: list('SECRET_KEY'),
    cookieKeys: list('COOKIE_KEYS'),
    generatedSecrets: undefined,
    unknownAccount: oneOf('UNKNOWN_ACCOUNT', ['after-code', 'reveal', 'uniform']),
    passwordProfile: oneOf('PASSWORD_PROFILE', ['product', 'modern', 'strict']),
    codes: {
      ttlSeconds: integer('CODE_TTL_SECONDS', 300, { min: 1, max: 600 }),
      resendSeconds: integer('CODE_RESEND_SECONDS', 60),
      maxTries: integer('CODE_MAX_TRIES', 5, { min: 1 }),
      perHour: integer('CODE_PER_HOUR', 5),
      perDay: integer('CODE_PER_DAY', 10),
      perAddressPerHour: integer('CODE_PER_ADDRESS_PER_HOUR', 30),
      perPrefixPerHour: integer('CODE_PER_PREFIX_PER_HOUR', CODES_PER_PREFIX_PER_HOUR),
      globalPerMinute: integer('CODE_GLOBAL_PER_MINUTE', undefined),
      globalPerDay: integer('CODE_GLOBAL_PER_DAY', undefined),
      phonePrefixes: list('CODE_PHONE_PREFIXES'),
    },
    ...readGateways(text, problems, { production: production && serves }),
    logoHosts: readHosts('LOGO_HOSTS', list('LOGO_HOSTS'), problems),
    backchannelHosts: clientRules.backchannelHosts,
    workers: integer('WORKERS', 1, { min: 1, max: 256 }),
    drainNoticeSeconds: integer('DRAIN_NOTICE_SECONDS', production ? DRAIN_NOTICE_SECONDS : 0, { max: 600 }),
    keyRotationDays: integer('KEY_ROTATION_DAYS', 90, { max: 3650 }),
    trustProxy: integer('TRUST_PROXY', 0, { max: 100 }),
    assetOrigin: assetUrl === undefined ? undefined : readOrigin('ASSET_URL', assetUrl, problems),
    logLevel: oneOf('LOG_LEVEL', ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent']),
  };

  if (config.workers > 1 && !databaseUrl)
    problems.push('WORKERS above 1 needs DATABASE_URL: the embedded database is open to one process');
  if (serves && !production) checkDevelopment(config, problems);
  const embeddedAccepted = oneOf('EMBEDDED_DATABASE', ['refuse', 'accept-loss']) === 'accept-loss';
  if (production && !databaseUrl && !embeddedAccepted)
    problems.push(
      'DATABASE_URL is required in production: a power cut may lose what the embedded database acknowledged, or all of it; EMBEDDED_DATABASE=accept-loss starts on it nonetheless',
    );
  if (serves && production)
    checkProduction(config, { smtpUrl: text('SMTP_URL'), smsUrl: text('SMS_URL') }, problems);
  for (const [name, keys] of [
    ['SECRET_KEY', config.secretKeys],
    ['COOKIE_KEYS', config.cookieKeys],
  ] as const) {
    if (keys.some((key) => key.length < SECRET_LENGTH))
      problems.push(`${name} needs at least ${SECRET_LENGTH} characters in each of its keys`);
  }
  if (serves && databaseUrl && config.secretKeys.length > 0 !== config.cookieKeys.length > 0) {
    const [set, missing] = config.secretKeys.length > 0 ? SECRETS : SECRETS.toReversed();
    problems.push(`${missing} is needed where DATABASE_URL and ${set} are set: every process needs the same`);
  }
  return { config, problems };
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
export const completeConfig = ({ config, problems }: InspectedConfig): Config => {
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
