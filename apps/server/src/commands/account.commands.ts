import { importAccounts } from '../account-import/import-accounts.ts';
import { createProgressPrinter, describeSummary } from '../account-import/progress.ts';
import { databaseNow } from '../db/clock.ts';
import { command } from './command.ts';

export const accountCommands = [
  command({
    name: 'account import',
    summary: 'take people over from a file of one JSON object a line (see docs/importing.md)',
    args: ['FILE'],
    example: 'account import people.jsonl',
    run: async ({ config, connection, args: [file], pathOf, prepare, progress, signal }) => {
      await prepare();
      const printer = createProgressPrinter(progress);
      const summary = await importAccounts({
        db: connection.db,
        path: pathOf(file),
        secretKeys: config.secretKeys,
        now: databaseNow,
        onProgress: printer.update,
        signal,
      }).finally(printer.finish);
      return { value: summary, lines: [describeSummary(summary)], refused: summary.refusedTotal > 0 };
    },
  }),
];
