import { describeEntryChanges, type EntryChange } from '../../ground/settings-file/entry-change.ts';
import type { CommandContext, CommandResult } from './command.ts';

export const dryRunOption = {
  'dry-run': { does: 'say what would change, field by field, and write nothing' },
} as const;

/** The answer of a command that applied a file of clients or of protected APIs. */
export const reportApplied = (
  { options, note }: Pick<CommandContext<typeof dryRunOption>, 'options' | 'note'>,
  entries: readonly EntryChange[],
): CommandResult => {
  const dryRun = options['dry-run'];
  for (const { warnings } of entries) for (const warning of warnings) note(`warning: ${warning}`);
  if (dryRun) note('dry run: nothing was written');
  return {
    value: { dryRun, entries },
    lines: entries.length === 0 ? ['the file names none'] : describeEntryChanges(entries),
  };
};
