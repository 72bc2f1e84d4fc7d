import { isHttps } from '@candela/contract/rules/is-https';
import { type GatewaySettings, SECRET_LENGTH } from './gateways.ts';
import { LEAST_POOL, type Places, poolOfWorker, type Settings } from './settings.ts';
import type { FileSettings } from './settings-files.ts';

/** All that the environment and its files say. */
export interface ReadSettings extends Places, Settings, FileSettings, GatewaySettings {}

export const findPortProblems = ({ port, playgroundPort, metricsPort }: Places): string[] => [
  ...(port === playgroundPort ? [`PORT and PLAYGROUND_PORT are both ${port}`] : []),
  ...Object.entries({ PORT: port, PLAYGROUND_PORT: playgroundPort })
    .filter(([, other]) => metricsPort > 0 && metricsPort === other)
    .map(([name]) => `${name} and METRICS_PORT are both ${metricsPort}`),
];

const isLoopback = (url: string) =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');

/** What production does not serve with: codes and secrets must not be read by others. */
const findProductionProblems = (settings: ReadSettings, missingGateways: readonly string[]): string[] => {
  const { secretKeys, cookieKeys, publicUrl, assetOrigin, brands, sms } = settings;
  const plainBrands = brands.filter(({ origin }) => origin !== publicUrl && !isHttps(origin));
  return [
    ...(secretKeys.length === 0 ? ['SECRET_KEY is required in production'] : []),
    ...(cookieKeys.length === 0 ? ['COOKIE_KEYS is required in production'] : []),
    ...(isHttps(publicUrl) ? [] : ['PUBLIC_URL must be https in production']),
    // Scripts of the static host run with all that a person may do.
    ...(assetOrigin && !isHttps(assetOrigin) ? ['ASSET_URL must be https in production'] : []),
    ...plainBrands.map(
      ({ id, origin }) => `BRANDS_FILE: the origin of "${id}" must be https in production, not ${origin}`,
    ),
    ...missingGateways.map((name) => `${name} is required in production: the outbox is for development`),
    // The gateway gets codes and phone numbers, which stay off networks only within this machine.
    ...(sms && !isHttps(sms.url) && !isLoopback(sms.url)
      ? ['SMS_URL must be https in production, but for a gateway on this machine']
      : []),
  ];
};

/** Whether only one machine or one network knows the host (RFC 6761, RFC 6762, RFC 8375, RFC 9476). */
const isPrivateHost = (host: string): boolean =>
  !host.includes('.') ||
  /\.(localhost|local|lan|internal|home\.arpa|test|example|invalid|alt)$/.test(host) ||
  /(^|\.)example\.(com|net|org)$/.test(host) ||
  /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host);

/** A server that people reach runs as production: elsewhere codes are printed. */
const findDevelopmentProblems = ({ publicUrl, brands }: ReadSettings): string[] =>
  [...new Set([publicUrl, ...brands.map(({ origin }) => origin)])]
    .filter((origin) => isHttps(origin) && !isPrivateHost(new URL(origin).hostname))
    .map((origin) => `NODE_ENV=production is needed to serve ${origin}, which is not a name for tests`);

const findPoolProblems = (settings: ReadSettings): string[] =>
  poolOfWorker(settings) < LEAST_POOL
    ? [
        `DATABASE_POOL must be ${LEAST_POOL * settings.workers} or more: all ${settings.workers} WORKERS share it, and each needs ${LEAST_POOL}`,
      ]
    : [];

const findDatabaseProblems = (settings: ReadSettings): string[] => {
  const { production, databaseUrl, workers, embeddedDatabase } = settings;
  if (databaseUrl) return findPoolProblems(settings);
  return [
    ...(workers > 1
      ? ['WORKERS above 1 needs DATABASE_URL: the embedded database is open to one process']
      : []),
    ...(production && !embeddedDatabase
      ? [
          'DATABASE_URL is required in production: a power cut may lose what the embedded database acknowledged, or all of it; EMBEDDED_DATABASE=accept-loss starts on it nonetheless',
        ]
      : []),
  ];
};

const findSecretProblems = ({ secretKeys, cookieKeys }: ReadSettings): string[] =>
  Object.entries({ SECRET_KEY: secretKeys, COOKIE_KEYS: cookieKeys })
    .filter(([, keys]) => keys.some((key) => key.length < SECRET_LENGTH))
    .map(([name]) => `${name} needs at least ${SECRET_LENGTH} characters in each of its keys`);

/** Processes that share a database share their secrets: both lists are set, or both are made. */
const findSharingProblems = ({ databaseUrl, secretKeys, cookieKeys }: ReadSettings): string[] => {
  const hasSecretKey = secretKeys.length > 0;
  if (!databaseUrl || hasSecretKey === cookieKeys.length > 0) return [];
  const [set, missing] = hasSecretKey ? ['SECRET_KEY', 'COOKIE_KEYS'] : ['COOKIE_KEYS', 'SECRET_KEY'];
  return [`${missing} is needed where DATABASE_URL and ${set} are set: every process needs the same`];
};

export interface ConflictOptions {
  /** false for a command, which needs no gateways, origins and cookies. */
  serves: boolean;
  /** Settings of gateways that are needed and not set. */
  missingGateways: readonly string[];
}

/** Settings that do not go together. */
export const findConflicts = (
  settings: ReadSettings,
  { serves, missingGateways }: ConflictOptions,
): string[] => {
  const findServingProblems = settings.production ? findProductionProblems : findDevelopmentProblems;
  return [
    ...findDatabaseProblems(settings),
    ...(serves ? findServingProblems(settings, missingGateways) : []),
    ...findSecretProblems(settings),
    ...(serves ? findSharingProblems(settings) : []),
  ];
};
