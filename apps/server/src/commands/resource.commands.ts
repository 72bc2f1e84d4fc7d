import { createResourceServerService } from '../resource-server/resource-server.service.ts';
import { readResourceServerFile } from '../resource-server/resource-server-file.ts';
import type { Command } from './command.ts';
import { dryRunFlag, reportApplied } from './report-applied.ts';

export const resourceCommands: readonly Command[] = [
  {
    name: 'resource list',
    summary: 'the protected APIs',
    example: 'resource list',
    run: async ({ connection }) => {
      const resources = await createResourceServerService({ db: connection.db }).listResourceServers();
      const lines = resources.map(({ identifier, name, brand }) =>
        [identifier, name, brand ?? 'every brand'].join('\t'),
      );
      return { value: resources, lines };
    },
  },
  {
    name: 'resource apply',
    summary: 'register or update the protected APIs of a JSON file (see RESOURCES_FILE in the README)',
    args: ['FILE'],
    flags: dryRunFlag,
    example: 'resource apply resources.json --dry-run',
    run: async (context) => {
      const { config, connection, events, args, flags, prepare } = context;
      const [file = ''] = args;
      const entries = readResourceServerFile({ path: file, name: file }, config.clientRules.brands);
      const dryRun = flags.has('dry-run');
      await prepare({ dryRun });
      const resources = createResourceServerService({ db: connection.db, events });
      return reportApplied(context, await resources.applyResourceServers(entries, { dryRun }));
    },
  },
];
