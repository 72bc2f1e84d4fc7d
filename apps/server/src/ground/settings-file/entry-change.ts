import { isDeepStrictEqual } from 'node:util';

/** What applying an entry of a file did, or would do. */
type EntryOutcome = 'added' | 'changed' | 'unchanged';

/** A changed field of an entry. `from` is left out where the field is new, `to` where it is gone. */
export interface FieldChange {
  field: string;
  from?: unknown;
  to?: unknown;
  /** Stands in place of values that nobody may see. */
  note?: string | undefined;
}

/** What became of an entry of a file of clients or of protected APIs. */
export interface EntryChange {
  id: string;
  outcome: EntryOutcome;
  /** Ordered by field; empty unless the outcome is `changed`. */
  changes: FieldChange[];
  /** Faults of the entry that do not stop it from being applied. */
  warnings: string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that differ, ordered by name. An undefined field counts as left out. */
export const compareFields = (before: Fields, after: Fields): FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted().flatMap((field) => {
    const [from, to] = [before[field], after[field]];
    if (isDeepStrictEqual(from, to)) return [];
    return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });

const show = (value: unknown) => (value === undefined ? 'left out' : JSON.stringify(value));

/** The lines that show people which fields changed. */
export const describeFieldChanges = (changes: readonly FieldChange[]): string[] =>
  changes.map(({ field, from, to, note }) => `  ${field}: ${note ?? `${show(from)} -> ${show(to)}`}`);

/** The lines that show people what became of entries. */
export const describeEntryChanges = (entries: readonly EntryChange[]): string[] =>
  entries.flatMap(({ id, outcome, changes }) => [`${outcome}: ${id}`, ...describeFieldChanges(changes)]);

/** Counts entries by outcome: `1 added, 2 unchanged`. Empty for no entries. */
export const countOutcomes = (entries: readonly EntryChange[]): string =>
  (['added', 'changed', 'unchanged'] as const)
    .map((outcome) => [entries.filter((entry) => entry.outcome === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`)
    .join(', ');
