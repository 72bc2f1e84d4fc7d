import { databaseNow } from '../../ground/db/clock.ts';
import { createProgressPrinter, describeSummary } from '../line-import/progress.ts';
import { importLinks } from '../link-import/import-links.ts';
import { command } from './command.ts';

export const linkCommands = [
  command({
    name: 'link import',
    summary: 'take approvals of another server over, with its refresh tokens (see docs/importing.md)',
    args: ['FILE'],
    example: 'link import links.jsonl',
    run: async ({ config, connection, args: [file], pathOf, prepare, progress, registrations, signal }) => {
      await prepare();
      const { resourceServers } = await registrations();
      const printer = createProgressPrinter(progress);
      const summary = await importLinks({
        db: connection.db,
        path: pathOf(file),
        brands: config.brands.map(({ id }) => id),
        resourceServers,
        now: databaseNow,
        onProgress: printer.update,
        signal,
      }).finally(printer.finish);
      return { value: summary, lines: [describeSummary(summary)], refused: summary.refusedTotal > 0 };
    },
  }),
];
