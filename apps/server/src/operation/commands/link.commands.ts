import type { LinkCheckStep } from '@candela/contract';
import { databaseNow } from '../../ground/db/clock.ts';
import { linksLease } from '../../link/moved-link/moving.ts';
import { requireLines } from '../line-import/import-lines.ts';
import { createProgressPrinter, describeSummary } from '../line-import/progress.ts';
import { importLinks } from '../link-import/import-links.ts';
import { command, MisuseError } from './command.ts';
import { describeLinkCheck, describeLinkStep } from './describe-link-check.ts';
import { onClient, operator } from './operator-registry.ts';

const BUSY = 'another import of links runs, or was killed less than a minute ago: try again in a minute';

const NOT_BEGUN = 'the import did not begin, and refresh tokens are answered as before';

const INCOMPLETE =
  'the import did not complete: start it again within an hour. Until then unknown refresh tokens are answered 503; after that they are refused, and homes lose the links that were not imported';

export const linkCommands = [
  command({
    name: 'link check',
    summary: 'play the platform of a client against the running server, and say what would not work',
    args: ['CLIENT'],
    options: {
      brand: { value: 'BRAND', does: 'the brand to check at; the first, where it is left out' },
    },
    example: 'link check alexa',
    run: async ({ args: [id], options: { brand }, config, prepare, registrations, say }) => {
      await prepare();
      if (brand !== undefined && !config.brands.some((served) => served.id === brand))
        throw new MisuseError(
          `--brand ${brand}: served are ${config.brands.map((one) => one.id).join(', ')}`,
        );
      const { linkChecks } = await registrations();
      const onStep = (step: LinkCheckStep) => describeLinkStep(step).forEach(say);
      const check = await onClient(id, linkChecks.check(operator, id, { brand, onStep }));
      return { value: check, lines: [describeLinkCheck(check)], refused: !check.passed };
    },
  }),
  command({
    name: 'link import',
    summary: 'take approvals of another server over, with its refresh tokens (see docs/importing.md)',
    args: ['FILE'],
    example: 'link import links.jsonl',
    run: async ({
      config,
      connection,
      args: [file],
      note,
      pathOf,
      prepare,
      progress,
      registrations,
      signal,
    }) => {
      const path = pathOf(file);
      await requireLines(path).catch((error: unknown) => {
        note(NOT_BEGUN);
        throw error;
      });
      await prepare();
      const { resourceServers } = await registrations();
      const printer = createProgressPrinter(progress);
      const { db } = connection;
      const summary = await linksLease(db)
        .hold((isHeld) =>
          importLinks({
            db,
            path,
            brands: config.brands.map(({ id }) => id),
            resourceServers,
            beforeBatch: isHeld,
            now: databaseNow,
            onProgress: printer.update,
            signal,
          }),
        )
        .finally(printer.finish)
        .catch((error: unknown) => {
          note(INCOMPLETE);
          throw error;
        });
      if (!summary) throw new Error(BUSY);
      return { value: summary, lines: [describeSummary(summary)], refused: summary.refusedTotal > 0 };
    },
  }),
];
