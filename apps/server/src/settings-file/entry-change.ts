import { isDeepStrictEqual } from 'node:util';

/** What applying an entry of a file came to, or would come to. */
type EntryOutcome = 'added' | 'changed' | 'unchanged';

/** One field of an entry that changed; a side that is left out had none. */
export interface FieldChange {
  field: string;
  from?: unknown;
  to?: unknown;
  /** In place of values that are not for showing. */
  note?: string;
}

/** What became of one entry of a file of clients or of protected APIs. */
export interface EntryChange {
  id: string;
  outcome: EntryOutcome;
  /** By the names of the fields; empty unless it changed. */
  changes: FieldChange[];
  /** What is taken all the same, and better mended. */
  warnings: string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** How the fields differ, by name. A field that is undefined is one left out. */
export const compareFields = (before: Fields, after: Fields): FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted().flatMap((field) => {
    const [from, to] = [before[field], after[field]];
    if (isDeepStrictEqual(from, to)) return [];
    return [{ field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
  });

const show = (value: unknown) => (value === undefined ? 'left out' : JSON.stringify(value));

/** The lines in which people read what became of entries; `[]` says nothing at all. */
export const describeEntryChanges = (entries: readonly EntryChange[]): string[] =>
  entries.flatMap(({ id, outcome, changes }) => [
    `${outcome}: ${id}`,
    ...changes.map(({ field, from, to, note }) => `  ${field}: ${note ?? `${show(from)} -> ${show(to)}`}`),
  ]);

/** `1 added, 2 unchanged`; empty for no entry. */
export const countOutcomes = (entries: readonly EntryChange[]): string =>
  (['added', 'changed', 'unchanged'] as const)
    .map((outcome) => [entries.filter((entry) => entry.outcome === outcome).length, outcome] as const)
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${count} ${outcome}`)
    .join(', ');
