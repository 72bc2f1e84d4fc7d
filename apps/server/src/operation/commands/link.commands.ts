import { databaseNow } from '../../ground/db/clock.ts';
import { linksLease } from '../../link/moved-link/moving.ts';
import { createProgressPrinter, describeSummary } from '../line-import/progress.ts';
import { importLinks } from '../link-import/import-links.ts';
import { command } from './command.ts';

const BUSY = 'another import of links runs, or was killed less than a minute ago: try again in a minute';

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
      const { db } = connection;
      const summary = await linksLease(db)
        .hold((isHeld) =>
          importLinks({
            db,
            path: pathOf(file),
            brands: config.brands.map(({ id }) => id),
            resourceServers,
            beforeBatch: isHeld,
            now: databaseNow,
            onProgress: printer.update,
            signal,
          }),
        )
        .finally(printer.finish);
      if (!summary) throw new Error(BUSY);
      return { value: summary, lines: [describeSummary(summary)], refused: summary.refusedTotal > 0 };
    },
  }),
];
