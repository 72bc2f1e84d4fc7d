import { describeEntryChanges, type EntryChange } from '../settings-file/entry-change.ts';
import type { CommandContext, CommandResult } from './command.ts';

/** The answer of a command that applied a file of clients or of protected APIs. */
export const reportApplied = (
  { flags, note }: Pick<CommandContext, 'flags' | 'note'>,
  entries: readonly EntryChange[],
): CommandResult => {
  const dryRun = flags.has('dry-run');
  for (const { warnings } of entries) for (const warning of warnings) note(`warning: ${warning}`);
  if (dryRun) note('dry run: nothing was written');
  return {
    value: { dryRun, entries },
    lines: entries.length === 0 ? ['the file names none'] : describeEntryChanges(entries),
  };
};

export const dryRunFlag = { 'dry-run': 'say what would change, field by field, and write nothing' };
