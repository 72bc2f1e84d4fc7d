import { open } from 'node:fs/promises';
import { createRecordReviewService, toLine } from '../../desk/record-review/record-review.service.ts';
import { command } from './command.ts';

/** Commands about the record of what staff and operators looked at and did. */
export const recordCommands = [
  command({
    name: 'record verify',
    summary: 'walk the chain of the record: whether every entry is as it was written, and none is missing',
    options: { export: { does: 'write the entries as JSON lines; the file must not exist', value: 'FILE' } },
    example: 'record verify --export record.jsonl',
    recorded: 'after',
    run: async ({ connection, options, pathOf, prepare }) => {
      await prepare({ dryRun: true });
      const records = createRecordReviewService(connection);
      const path = options.export === undefined ? undefined : pathOf(options.export);
      const file = path === undefined ? undefined : await open(path, 'wx', 0o600);
      const verified = await records
        .verify(async (row) => {
          await file?.write(toLine(row));
        })
        .finally(() => file?.close());
      const { entries, hash, brokenAt } = verified;
      const lines = [
        `${entries} entries, the last with the hash ${hash}`,
        ...(brokenAt === undefined ? [] : [`entry ${brokenAt} is not as it was written, or one is missing`]),
        ...(path === undefined ? [] : [`written to ${path}`]),
      ];
      return {
        value: { ...verified, ...(path !== undefined && { path }) },
        lines,
        refused: brokenAt !== undefined,
      };
    },
  }),
];
