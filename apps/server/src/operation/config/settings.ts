import { databaseEngines } from '../../ground/db/engine.ts';
import {
  CODES_PER_DAY,
  CODES_PER_MINUTE,
  CODES_PER_PREFIX_PER_HOUR,
} from '../../person/verification/send-limits.ts';
import { readDataDir } from './embedded-place.ts';
import type { EnvironmentReader } from './environment-reader.ts';

// Each variable is one row: its setting, its name, its default, its bounds. Times are in seconds.
// README.md says what each variable means; a test compares the names and the defaults.

const PORTS = { max: 65_535 };

/** Where the process listens, is reached, and keeps its data. */
export type Places = ReturnType<typeof readPlaces>;

export const readPlaces = (reader: EnvironmentReader) => {
  const { integer, oneOf, origin, databaseUrl: postgresUrl, url } = reader;
  const production = oneOf('NODE_ENV', ['production', 'development', 'test'], 'development') === 'production';
  const port = integer('PORT', 3000, { ...PORTS, min: 1 });
  const databaseUrl = postgresUrl('DATABASE_URL');
  return {
    production,
    host: reader.host('HOST', '127.0.0.1'),
    port,
    /** 0: no playground. */
    playgroundPort: production ? 0 : integer('PLAYGROUND_PORT', 3001, PORTS),
    /** 0: no metrics. */
    metricsPort: integer('METRICS_PORT', 0, PORTS),
    /** Where traces go; undefined: nothing is traced. */
    traceEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], 'such as http://localhost:4318'),
    dataDir: readDataDir(reader),
    databaseUrl,
    /** Leads past a pooler. */
    databaseDirectUrl: postgresUrl('DATABASE_DIRECT_URL') ?? databaseUrl,
    /** Origin of the default brand, without a path. */
    publicUrl: origin('PUBLIC_URL', `http://localhost:${port}`),
    /** An origin of its own for the desk; undefined: it is at every brand. */
    deskOrigin: origin('DESK_ORIGIN', undefined),
  };
};

const showBudget = ({ sms, all }: { sms: number; all: number }) => `${sms} SMS, ${all} codes`;

/** How verification codes are limited; 0 in a budget: no limit. */
const readCodeLimits = ({ integer, phonePrefixes }: EnvironmentReader) => ({
  ttlSeconds: integer('CODE_TTL_SECONDS', 300, { min: 1, max: 600 }),
  resendSeconds: integer('CODE_RESEND_SECONDS', 60),
  maxTries: integer('CODE_MAX_TRIES', 5, { min: 1 }),
  perHour: integer('CODE_PER_HOUR', 5),
  perDay: integer('CODE_PER_DAY', 10),
  perAddressPerHour: integer('CODE_PER_ADDRESS_PER_HOUR', 30),
  perPrefixPerHour: integer('CODE_PER_PREFIX_PER_HOUR', CODES_PER_PREFIX_PER_HOUR),
  /** undefined: the built-in budgets, which are smaller for SMS than for all codes. */
  globalPerMinute: integer('CODE_GLOBAL_PER_MINUTE', undefined, { shown: showBudget(CODES_PER_MINUTE) }),
  globalPerDay: integer('CODE_GLOBAL_PER_DAY', undefined, { shown: showBudget(CODES_PER_DAY) }),
  /** Beginnings of the phone numbers that codes are sent to; empty: all numbers. */
  phonePrefixes: phonePrefixes('CODE_PHONE_PREFIXES'),
});

const POOL_OF_WORKER = 10;
/** The fewest connections of a worker: one hears of changes, one is kept for token requests, and two are left. */
export const LEAST_POOL = 4;

/** The most connections of each worker, which share DATABASE_POOL. */
export const poolOfWorker = ({ databasePool, workers }: Pick<Settings, 'databasePool' | 'workers'>): number =>
  Math.floor(databasePool / workers);

const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** The settings that no file depends on. */
export type Settings = ReturnType<typeof readSettings>;

export const readSettings = (reader: EnvironmentReader, { production }: Pick<Places, 'production'>) => {
  const { integer, oneOf, list, origin, hosts, share, wordOrHosts } = reader;
  const workers = integer('WORKERS', 1, { min: 1, max: 256 });
  return {
    databaseEngine: oneOf('DATABASE_ENGINE', databaseEngines),
    /** Which requests are traced, by the names of the OpenTelemetry specification. */
    traceSampler: oneOf('OTEL_TRACES_SAMPLER', SAMPLERS),
    /** The share of requests that a `traceidratio` takes. */
    traceRatio: share('OTEL_TRACES_SAMPLER_ARG', 1),
    databasePrepared: oneOf('DATABASE_PREPARED', ['on', 'off']) === 'on',
    /** The most connections that all workers together have open, with those that hear of changes. */
    databasePool: integer('DATABASE_POOL', POOL_OF_WORKER * workers, { min: LEAST_POOL, max: 10_000 }),
    /** Whether production may run on the embedded database. */
    embeddedDatabase: oneOf('EMBEDDED_DATABASE', ['refuse', 'accept-loss']) === 'accept-loss',
    /** Newest first: the first key encrypts and hashes, the others still decrypt and verify. */
    secretKeys: list('SECRET_KEY'),
    /** Newest first: the first key signs, the others still verify. */
    cookieKeys: list('COOKIE_KEYS'),
    unknownAccount: oneOf('UNKNOWN_ACCOUNT', ['after-code', 'reveal', 'uniform']),
    passwordProfile: oneOf('PASSWORD_PROFILE', ['product', 'modern', 'strict']),
    codes: readCodeLimits(reader),
    /** Hosts of apps' logos that may be at any address and port. */
    logoHosts: hosts('LOGO_HOSTS'),
    /**
     * Whether clients register themselves: not at all, with an initial access token (RFC 7591 section 3), or, public
     * clients, without one too.
     */
    dynamicRegistration: oneOf('DYNAMIC_REGISTRATION', ['off', 'token', 'open']),
    /** Whose client id metadata documents are taken: nobody's, anybody's, or those at these hosts. */
    clientDocuments: wordOrHosts('CLIENT_DOCUMENTS', ['off', 'any']),
    /** Processes that serve the port. */
    workers,
    /** For how long /readyz says 503 before a process that stops accepts no more. */
    drainNoticeSeconds: integer('DRAIN_NOTICE_SECONDS', production ? 3 : 0, { max: 600 }),
    /** For how long signing keys sign; 0: until somebody rotates them. */
    keyRotationDays: integer('KEY_ROTATION_DAYS', 90, { max: 3650 }),
    /** How many proxies in front are believed in X-Forwarded-For. */
    trustProxy: integer('TRUST_PROXY', 0, { max: 100 }),
    /** Origin of the static host that has the files of the SPA; undefined: this server has them. */
    assetOrigin: origin('ASSET_URL', undefined),
    /** Whether `/reference` shows the REST API. */
    apiReference: oneOf('API_REFERENCE', ['on', 'off'], production ? 'off' : 'on') === 'on',
    /** What opens the desk: a second factor or a passkey, or a passkey alone. */
    deskAcr: oneOf('DESK_ACR', ['mfa', 'phr']),
    /** Whether people see in their activity that staff looked at their account. */
    deskShowsLooks: oneOf('DESK_SHOWS_LOOKS', ['off', 'on']) === 'on',
    logLevel: oneOf('LOG_LEVEL', ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent']),
  };
};
