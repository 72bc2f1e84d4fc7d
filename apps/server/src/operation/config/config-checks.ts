import { isHttps } from '@candela/contract/rules/is-https';
import { type GatewaySettings, SECRET_LENGTH } from './gateways.ts';
import type { LegacySetting } from './legacy-setting.ts';
import { LEAST_POOL, type Places, poolOfWorker, type Settings } from './settings.ts';
import type { FileSettings } from './settings-files.ts';

/** All that the environment and its files say. */
export interface ReadSettings extends Places, Settings, FileSettings, GatewaySettings, LegacySetting {}

/** A fault, and the settings that it follows from: where one of them is wrong itself, only that is worth telling. */
interface Conflict {
  of: readonly string[];
  problem: string;
}

const conflict = (of: string | readonly string[], problem: string): Conflict => ({
  of: [of].flat(),
  problem,
});

/** What is to be told, beside the faults of single settings. */
const tell = (conflicts: readonly Conflict[], faulty: ReadonlySet<string>): string[] =>
  conflicts.filter(({ of }) => !of.some((name) => faulty.has(name))).map(({ problem }) => problem);

export const findPortProblems = (
  { port, playgroundPort, metricsPort }: Places,
  faulty: ReadonlySet<string>,
): string[] => {
  const pairs = [
    ['PORT', port, 'PLAYGROUND_PORT', playgroundPort],
    ['PORT', port, 'METRICS_PORT', metricsPort],
    ['PLAYGROUND_PORT', playgroundPort, 'METRICS_PORT', metricsPort],
  ] as const;
  const conflicts = pairs
    .filter(([, one, , other]) => one > 0 && one === other)
    .map(([one, number, other]) => {
      // Production has no playground.
      const mode = [one, other].includes('PLAYGROUND_PORT') ? ['NODE_ENV'] : [];
      return conflict([one, other, ...mode], `${one} and ${other} are both ${number}`);
    });
  return tell(conflicts, faulty);
};

const isLoopback = (url: string) =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(url)?.hostname ?? '');

/** Whether others on a network could read what is sent to the URL. */
const isOpenToReaders = (url: string) => !isHttps(url) && !isLoopback(url);

/** What production does not serve with: codes and secrets must not be read by others. */
const findProductionProblems = (settings: ReadSettings, missingGateways: readonly string[]): Conflict[] => {
  const { secretKeys, cookieKeys, publicUrl, assetOrigin, brands, sms, legacySignIn, deskOrigin } = settings;
  const plainBrands = brands.filter(
    ({ origin, forStaff }) => origin !== publicUrl && !forStaff && !isHttps(origin),
  );
  const needed = (name: string) => conflict(name, `${name} is required in production`);
  const mustBeHttps = (name: string, of = '') => conflict(name, `${name} must be https in production${of}`);
  return [
    ...(secretKeys.length === 0 ? [needed('SECRET_KEY')] : []),
    ...(cookieKeys.length === 0 ? [needed('COOKIE_KEYS')] : []),
    ...(isHttps(publicUrl) ? [] : [mustBeHttps('PUBLIC_URL')]),
    ...(deskOrigin && !isHttps(deskOrigin) ? [mustBeHttps('DESK_ORIGIN')] : []),
    // Scripts of the static host run with all that a person may do.
    ...(assetOrigin && !isHttps(assetOrigin) ? [mustBeHttps('ASSET_URL')] : []),
    ...plainBrands.map(({ id, origin }) =>
      conflict(
        'BRANDS_FILE',
        `BRANDS_FILE: the origin of "${id}" must be https in production, not ${origin}`,
      ),
    ),
    ...missingGateways.map((name) =>
      conflict(name, `${name} is required in production: the outbox is for development`),
    ),
    // The gateway gets codes and phone numbers, which stay off networks only within this machine.
    ...(sms && isOpenToReaders(sms.url)
      ? [mustBeHttps('SMS_URL', ', but for a gateway on this machine')]
      : []),
    ...(legacySignIn && isOpenToReaders(legacySignIn.url)
      ? [mustBeHttps('LEGACY_SIGN_IN_URL', ', but for a system on this machine')]
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
const findDevelopmentProblems = ({ publicUrl, brands }: ReadSettings): Conflict[] =>
  [...new Set([publicUrl, ...brands.map(({ origin }) => origin)])]
    .filter((origin) => isHttps(origin) && !isPrivateHost(new URL(origin).hostname))
    .map((origin) =>
      conflict('NODE_ENV', `NODE_ENV=production is needed to serve ${origin}, which is not a name for tests`),
    );

const findPoolProblems = (settings: ReadSettings): Conflict[] =>
  poolOfWorker(settings) < LEAST_POOL
    ? [
        conflict(
          ['DATABASE_POOL', 'WORKERS'],
          `DATABASE_POOL must be ${LEAST_POOL * settings.workers} or more: all ${settings.workers} WORKERS share it, and each needs ${LEAST_POOL}`,
        ),
      ]
    : [];

const findDatabaseProblems = (settings: ReadSettings): Conflict[] => {
  const { production, databaseUrl, databaseDirectUrl, workers, embeddedDatabase } = settings;
  if (databaseUrl) return findPoolProblems(settings);
  return [
    ...(databaseDirectUrl
      ? [
          conflict(
            ['DATABASE_URL', 'DATABASE_DIRECT_URL'],
            'DATABASE_DIRECT_URL needs DATABASE_URL: it leads past the pooler of that one',
          ),
        ]
      : []),
    ...(workers > 1
      ? [
          conflict(
            'DATABASE_URL',
            'WORKERS above 1 needs DATABASE_URL: the embedded database is open to one process',
          ),
        ]
      : []),
    ...(production && !embeddedDatabase
      ? [
          conflict(
            ['DATABASE_URL', 'EMBEDDED_DATABASE'],
            'DATABASE_URL is required in production: a power cut may lose what the embedded database acknowledged, or all of it; EMBEDDED_DATABASE=accept-loss starts on it nonetheless',
          ),
        ]
      : []),
  ];
};

const findSecretProblems = ({ secretKeys, cookieKeys }: ReadSettings): Conflict[] =>
  Object.entries({ SECRET_KEY: secretKeys, COOKIE_KEYS: cookieKeys })
    .filter(([, keys]) => keys.some((key) => key.length < SECRET_LENGTH))
    // Beside another fault of the setting, too: it is one of its own.
    .map(([name]) => conflict([], `${name} needs at least ${SECRET_LENGTH} characters in each of its keys`));

/** Processes that share a database share their secrets: both lists are set, or both are made. */
const findSharingProblems = ({
  production,
  databaseUrl,
  secretKeys,
  cookieKeys,
}: ReadSettings): Conflict[] => {
  const hasSecretKey = secretKeys.length > 0;
  // Production needs both wherever its database is.
  if (production || !databaseUrl || hasSecretKey === cookieKeys.length > 0) return [];
  const [set, missing] = hasSecretKey ? ['SECRET_KEY', 'COOKIE_KEYS'] : ['COOKIE_KEYS', 'SECRET_KEY'];
  return [
    conflict(
      missing,
      `${missing} is needed where DATABASE_URL and ${set} are set: every process needs the same`,
    ),
  ];
};

export interface ConflictOptions {
  /** false for a command, which needs no gateways, origins and cookies. */
  serves: boolean;
  /** Settings of gateways that are needed and not set. */
  missingGateways: readonly string[];
  /** Settings that are wrong by themselves. */
  faulty: ReadonlySet<string>;
}

/** Settings that do not go together. */
export const findConflicts = (
  settings: ReadSettings,
  { serves, missingGateways, faulty }: ConflictOptions,
): string[] => {
  const findServingProblems = settings.production ? findProductionProblems : findDevelopmentProblems;
  const conflicts = [
    ...findDatabaseProblems(settings),
    ...(serves ? findServingProblems(settings, missingGateways) : []),
    ...findSecretProblems(settings),
    ...(serves ? findSharingProblems(settings) : []),
  ];
  return tell(conflicts, faulty);
};
