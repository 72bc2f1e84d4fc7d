import { readPageCatalog } from '../../branding/brand/page-catalog.ts';
import { webDist } from '../../protocol/page/web-dist.ts';
import { inspectConfig } from '../config/config.ts';
import type { Env } from '../config/environment-reader.ts';
import { ownEnvironment } from '../config/own-environment.ts';
import { createSettingsRecord, type ShownSetting } from '../config/shown-settings.ts';
import { findMisspelt } from '../config/unknown-settings.ts';
import { askOnline } from '../start/online-checks.ts';
import { findStartProblems, findWarnings } from '../start/start-checks.ts';
import { environmentCommand } from './command.ts';

/** Settings of tests, which no configuration reads. */
const OTHERS = ['TEST_DATABASE_URL', 'CHROMIUM_PATH'];

/** All settings there are: some are read in production alone, and some elsewhere. */
const listKnown = (): string[] => {
  const record = createSettingsRecord({});
  for (const NODE_ENV of ['production', 'development'])
    inspectConfig({ NODE_ENV }, undefined, undefined, { onRead: record.onRead });
  return [...record.list().map(({ name }) => name), ...OTHERS];
};

/** What is wrong and what is probably not meant in an environment, with its settings. */
const check = async (env: Env, { online }: { online: boolean }) => {
  // The engine judges the clients of a file; no other command needs it.
  const { findClientFault } = await import('../../protocol/oidc/client-faults.ts');
  const record = createSettingsRecord(env);
  const inspected = inspectConfig(env, findClientFault, readPageCatalog(webDist), {
    onRead: record.onRead,
  });
  const { config } = inspected;
  const answers = online ? await askOnline(config) : undefined;
  const names = Object.keys(env).filter((name) => env[name]);
  return {
    settings: record.list(),
    brands: config.brands.map(({ id, origin }) => ({ id, origin })),
    problems: [...(await findStartProblems(inspected, { webDist })), ...(answers?.problems ?? [])],
    warnings: [
      ...findMisspelt(names, listKnown()).map(
        ({ name, nearest }) => `${name} is no setting: ${nearest} may be meant`,
      ),
      ...findWarnings(config),
      ...(answers?.warnings ?? []),
    ],
    ...(answers && { found: answers.found }),
  };
};

const sourceOf = ({ from, file }: ShownSetting) => (file ? `from ${file}` : from);

const tableOf = (settings: readonly ShownSetting[]): string[] => {
  const widthOf = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
  const names = widthOf(settings.map(({ name }) => name));
  const values = Math.min(48, widthOf(settings.map(({ value }) => value)));
  return settings.map(
    (setting) => `${setting.name.padEnd(names)}  ${setting.value.padEnd(values)}  ${sourceOf(setting)}`,
  );
};

export const configCommands = [
  environmentCommand({
    name: 'config check',
    summary: 'the settings of this environment, without secrets, and all that is wrong with them',
    options: {
      online: { does: 'ask the database and the names of gateways too; nothing is written or sent' },
    },
    example: 'config check --online',
    run: async ({ note, options: { online } }) => {
      const checked = await check(ownEnvironment(), { online });
      const { settings, brands, problems, warnings } = checked;
      for (const problem of problems) note(`wrong: ${problem}`);
      return {
        value: checked,
        lines: [
          ...tableOf(settings),
          '',
          ...brands.map(({ id, origin }) => `brand    ${id} ${origin}`),
          ...(checked.found ?? []).map((line) => `found    ${line}`),
          ...warnings.map((warning) => `warning  ${warning}`),
          problems.length > 0
            ? `a start would be refused: ${problems.length} ${problems.length === 1 ? 'thing is' : 'things are'} wrong, see standard error`
            : 'a start would not be refused for its settings; whether the ports are free was not tried',
        ],
        refused: problems.length > 0,
      };
    },
  }),
];
