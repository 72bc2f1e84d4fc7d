import { importAccounts } from '../account-import/import-accounts.ts';
import { createProgressPrinter, describeSummary } from '../account-import/progress.ts';
import { databaseNow } from '../db/clock.ts';
import type { Command } from './command.ts';

export const accountCommands: readonly Command[] = [
  {
    name: 'account import',
    summary: 'take people over from a file of one JSON object a line (see docs/importing.md)',
    args: ['FILE'],
    example: 'account import people.jsonl',
    run: async ({ config, connection, args: [file = ''], prepare }) => {
      await prepare();
      const progress = createProgressPrinter(process.stderr);
      const summary = await importAccounts({
        db: connection.db,
        path: file,
        secretKeys: config.secretKeys,
        now: databaseNow,
        onProgress: progress.update,
      }).finally(progress.finish);
      return { value: summary, lines: [describeSummary(summary)], refused: summary.refusedTotal > 0 };
    },
  },
];
