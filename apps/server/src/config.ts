import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PasswordProfile } from '@candela/contract';
import { type Brand, type BrandWithPlace, placeBrands, readBrandsFile } from './brand/brand.ts';
import type { TextCatalog } from './brand/brand-texts.ts';
import { builtInBrands } from './brand/built-in.ts';
import { parseOrigin } from './brand/origin.ts';
import type { ClientEntry } from './client/client-entry.ts';
import { type ClientFileRules, PLAYGROUND_CLIENT_ID, readClientFile } from './client/client-file.ts';
import { parseHost } from './client/outbound-request.ts';
import { messageTexts } from './delivery/message-texts.ts';
import { type GeneratedSecrets, loadGeneratedSecrets } from './generated-secrets.ts';
import { PORTAL_CLIENT_ID } from './oidc/portal-client.ts';
import type { ResourceServerEntry } from './resource-server/resource-server-entry.ts';
import { readResourceServerFile } from './resource-server/resource-server-file.ts';
import type { SettingsFile } from './settings-file.ts';
import { ConfigError } from './start-error.ts';
import { CODES_PER_PREFIX_PER_HOUR } from './verification/send-limits.ts';

const MODES = ['production', 'development', 'test'];
const SECRETS = ['SECRET_KEY', 'COOKIE_KEYS'];

export type UnknownAccountPolicy = 'after-code' | 'reveal' | 'uniform';

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
  /** What CLIENTS_FILE holds. */
  clients: readonly ClientEntry[];
  /** What RESOURCES_FILE holds. */
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

type Env = Record<string, string | undefined>;

const createReader = (env: Env, problems: string[]) => {
  const text = (name: string): string | undefined => {
    const file = env[`${name}_FILE`];
    if (file && !env[name]) {
      try {
        const content = readFileSync(file, 'utf8').trim();
        if (content === '') problems.push(`${name}_FILE ${file} is empty`);
        return content || undefined;
      } catch (error) {
        problems.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
      }
    }
    return env[name] || undefined;
  };
  const integer = <Fallback extends number | undefined>(
    name: string,
    fallback: Fallback,
    { min = 0, max = 2 ** 31 - 2 } = {},
  ): number | Fallback => {
    const value = text(name);
    if (value === undefined) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    problems.push(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
    return fallback;
  };
  const oneOf = <T extends string>(name: string, values: readonly [T, ...T[]]): T => {
    const value = text(name);
    const found = values.find((candidate) => candidate === value);
    if (value !== undefined && !found)
      problems.push(`${name} must be one of ${values.join(', ')}, not "${value}"`);
    return found ?? values[0];
  };
  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
  return { text, integer, oneOf, list };
};

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

const isLoopback = (url: string) =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');

const mailAddress = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

const readGateways = (text: (name: string) => string | undefined, problems: string[]) => {
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
  if (smtpUrl && !mailAddress.test(from))
    problems.push('MAIL_FROM must be one plain address such as account@example.com where SMTP_URL is set');
  if (smsUrl && secret.length < 32)
    problems.push('SMS_SECRET needs at least 32 characters where SMS_URL is set');
  return {
    mail: smtpUrl ? { url: smtpUrl, from } : undefined,
    sms: smsUrl ? { url: smsUrl, secret } : undefined,
  };
};

const checkProduction = (config: Config, env: { smtpUrl: unknown; smsUrl: unknown }, problems: string[]) => {
  if (config.secretKeys.length === 0) problems.push('SECRET_KEY is required in production');
  if (config.cookieKeys.length === 0) problems.push('COOKIE_KEYS is required in production');
  if (!config.publicUrl.startsWith('https:')) problems.push('PUBLIC_URL must be https in production');
  // Its scripts run with all that a person may do.
  if (config.assetOrigin && !config.assetOrigin.startsWith('https:'))
    problems.push('ASSET_URL must be https in production');
  for (const { id, origin } of config.brands) {
    if (origin !== config.publicUrl && !origin.startsWith('https:'))
      problems.push(`BRANDS_FILE: the origin of "${id}" must be https in production, not ${origin}`);
  }
  if (!env.smtpUrl) problems.push('SMTP_URL is required in production: the outbox is for development');
  if (!env.smsUrl) problems.push('SMS_URL is required in production: the outbox is for development');
  // It carries codes and phone numbers, which stay clear of networks only within this machine.
  if (config.sms && !config.sms.url.startsWith('https:') && !isLoopback(config.sms.url))
    problems.push('SMS_URL must be https in production, but for a gateway on this machine');
};

/** Names and addresses that only one machine or one network knows (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const isPrivateHost = (host: string): boolean =>
  !host.includes('.') ||
  /\.(localhost|local|lan|internal|home\.arpa|test|example|invalid|alt)$/.test(host) ||
  /(^|\.)example\.(com|net|org)$/.test(host) ||
  /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host);

/** Whoever serves people does so as in production: elsewhere codes are printed. */
const checkDevelopment = ({ publicUrl, brands }: Config, problems: string[]) => {
  for (const origin of new Set([publicUrl, ...brands.map((brand) => brand.origin)])) {
    const { protocol, hostname } = new URL(origin);
    if (protocol !== 'https:' || isPrivateHost(hostname)) continue;
    problems.push(`NODE_ENV=production is needed to serve ${origin}, which is not a name for tests`);
  }
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

/**
 * Reads the configuration from environment variables and the files that they name. `findClientFault` tells
 * why the engine would refuse a client of CLIENTS_FILE; `pageTexts` are the texts that a brand may replace.
 * @throws ConfigError naming everything that is wrong.
 */
export const readConfig = (
  env: Env = process.env,
  findClientFault: ClientFileRules['findFault'] = () => undefined,
  pageTexts?: TextCatalog['pages'],
): Config => {
  const problems: string[] = [];
  const { text, integer, oneOf, list } = createReader(env, problems);
  const mode = text('NODE_ENV') ?? 'development';
  if (!MODES.includes(mode)) problems.push(`NODE_ENV must be one of ${MODES.join(', ')}, not "${mode}"`);
  const production = mode === 'production';
  const port = integer('PORT', 3000, { min: 1, max: 65535 });
  const playgroundPort = production ? 0 : integer('PLAYGROUND_PORT', 3001, { max: 65535 });
  if (port === playgroundPort) problems.push(`PORT and PLAYGROUND_PORT are both ${port}`);
  const dataDir = resolve(text('DATA_DIR') ?? './data');
  const databaseUrl = text('DATABASE_URL');
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
    clients: clients ?? [],
    resources: resources ?? [],
    databaseUrl,
    databaseDirectUrl: text('DATABASE_DIRECT_URL') ?? databaseUrl,
    databasePrepared: oneOf('DATABASE_PREPARED', ['on', 'off']) === 'on',
    databasePool: integer('DATABASE_POOL', 10, { min: 4, max: 500 }),
    dataDir,
    playgroundPort,
    metricsPort: integer('METRICS_PORT', 0, { max: 65535 }),
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
    ...readGateways(text, problems),
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
  if (!production) checkDevelopment(config, problems);
  const embeddedAccepted = oneOf('EMBEDDED_DATABASE', ['refuse', 'accept-loss']) === 'accept-loss';
  if (production && !databaseUrl && !embeddedAccepted)
    problems.push(
      'DATABASE_URL is required in production: a power cut may lose what the embedded database acknowledged, or all of it; EMBEDDED_DATABASE=accept-loss starts on it nonetheless',
    );
  if (production) checkProduction(config, { smtpUrl: text('SMTP_URL'), smsUrl: text('SMS_URL') }, problems);
  for (const key of [...config.secretKeys, ...config.cookieKeys]) {
    if (key.length < 32) problems.push('SECRET_KEY and COOKIE_KEYS need at least 32 characters each');
  }
  if (databaseUrl && config.secretKeys.length > 0 !== config.cookieKeys.length > 0) {
    const [set, missing] = config.secretKeys.length > 0 ? SECRETS : SECRETS.toReversed();
    problems.push(`${missing} is needed where DATABASE_URL and ${set} are set: every process needs the same`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  if (config.secretKeys.length > 0 && config.cookieKeys.length > 0) return config;

  const generated = loadGeneratedSecrets(dataDir);
  return {
    ...config,
    generatedSecrets: generated,
    secretKeys: config.secretKeys.length > 0 ? config.secretKeys : [generated.secretKey],
    cookieKeys: config.cookieKeys.length > 0 ? config.cookieKeys : [generated.cookieKey],
  };
};
