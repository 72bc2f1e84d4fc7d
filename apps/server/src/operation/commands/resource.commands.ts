import { readResourceServerFile } from '../../clients/resource-server/resource-server-file.ts';
import { command } from './command.ts';
import { dryRunOption, reportApplied } from './report-applied.ts';

export const resourceCommands = [
  command({
    name: 'resource list',
    summary: 'the protected APIs',
    example: 'resource list',
    run: async ({ prepare, registrations }) => {
      await prepare({ dryRun: true });
      const { resourceServers } = await registrations();
      const resources = await resourceServers.listResourceServers();
      const lines = resources.map(({ identifier, name, brand }) =>
        [identifier, name, brand ?? 'every brand'].join('\t'),
      );
      return { value: resources, lines };
    },
  }),
  command({
    name: 'resource apply',
    summary: 'register or update the protected APIs of a JSON file (see RESOURCES_FILE in the README)',
    args: ['FILE'],
    options: dryRunOption,
    example: 'resource apply resources.json --dry-run',
    run: async (context) => {
      const { config, args, options, pathOf, prepare, registrations } = context;
      const [file] = args;
      const entries = readResourceServerFile({ path: pathOf(file), name: file }, config.clientRules.brands);
      const dryRun = options['dry-run'];
      await prepare({ dryRun });
      const { resourceServers } = await registrations();
      return reportApplied(context, await resourceServers.applyResourceServers(entries, { dryRun }));
    },
  }),
];
