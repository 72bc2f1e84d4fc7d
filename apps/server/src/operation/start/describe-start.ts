import { countOutcomes, type EntryChange } from '../../ground/settings-file/entry-change.ts';
import type { Config } from '../config/config.ts';
import { findWarnings } from './start-checks.ts';

/** Everything that a start did before it serves. */
export interface StartReport {
  /** Names of the migrations that it applied. */
  applied: readonly string[];
  clients: readonly EntryChange[];
  resources: readonly EntryChange[];
  playground: { url: string } | undefined;
  /** What the database made look like a mistake. */
  warnings: readonly string[];
}

const countEntries = (setting: string, entries: readonly EntryChange[]) =>
  `${entries.length} in ${setting}${entries.length > 0 ? `: ${countOutcomes(entries)}` : ''}`;

/** The lines that a start prints once it serves: addresses, storage, and warnings. */
export const describeStart = (config: Config, report: StartReport): string[] => {
  const { applied, clients, resources, playground } = report;
  const { brands, unservedBrands, databaseUrl, dataDir, mail, sms } = config;
  const channel = mail ? 'SMS in ' : sms ? 'mail in ' : '';
  const database = databaseUrl ? 'PostgreSQL' : `embedded in ${dataDir}/db`;
  const migrations = applied.length > 0 ? `, ${applied.length} migrations applied` : '';
  const warnings = [
    ...findWarnings(config),
    ...report.warnings,
    ...clients.flatMap((client) => client.warnings),
  ];
  return [
    ...brands.map(({ name, origin }) => `${name.padEnd(12)} ${origin}`),
    ...unservedBrands.map(
      (id) => `Not served   ${id}: it has no origin, and PUBLIC_URL is that of ${brands[0].id}`,
    ),
    ...(playground ? [`Playground   ${playground.url}`] : []),
    ...(mail && sms ? [] : [`Messages     ${channel}${dataDir}/outbox.jsonl, and printed here`]),
    `Database     ${database}${migrations}`,
    ...(config.clientsFile ? [`Clients      ${countEntries('CLIENTS_FILE', clients)}`] : []),
    ...(config.resourcesFile ? [`APIs         ${countEntries('RESOURCES_FILE', resources)}`] : []),
    ...(config.providers.length > 0
      ? [`Providers    ${config.providers.map(({ id }) => id).join(', ')}`]
      : []),
    ...(config.workers > 1 ? [`Workers      ${config.workers}`] : []),
    ...(config.passwordProfile === 'product'
      ? [
          'Passwords    PASSWORD_PROFILE=modern is recommended: longer passwords of any characters are harder to guess',
        ]
      : []),
    ...warnings.map((warning) => `Warning      ${warning}`),
    `Ready in ${process.uptime().toFixed(1)} s`,
  ];
};
