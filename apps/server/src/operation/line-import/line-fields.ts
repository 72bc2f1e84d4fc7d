import { isStorable } from '../../ground/db/storable-text.ts';

/** Why no import reads a line. */
export type FieldRefusal = 'line_invalid' | 'field_unknown';

/** The fields that a line may have: texts, and flags, which are true or left out. */
type FieldKinds = Readonly<Record<string, 'text' | 'flag'>>;

export type LineFields<Kinds extends FieldKinds> = {
  [Name in keyof Kinds]?: Kinds[Name] extends 'flag' ? true : string;
};

/** A line that is refused, and why. */
export class RefusedLine<Refusal extends string> extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

const isAbsent = (value: unknown) => value === null || value === '' || value === false;

/** One text that the database cannot hold would end the whole import. */
const isText = (value: unknown) => typeof value === 'string' && isStorable(value);

/**
 * Reads the JSON object of a line. Fields that are null or empty are left out.
 * @throws RefusedLine line_invalid, field_unknown
 */
const readFields = <Kinds extends FieldKinds>(text: string, kinds: Kinds): LineFields<Kinds> => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new RefusedLine<FieldRefusal>('line_invalid');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new RefusedLine<FieldRefusal>('line_invalid');
  const row: Record<string, string | true> = {};
  for (const [name, value] of Object.entries(parsed)) {
    // A misspelled field would be lost silently.
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!kind) throw new RefusedLine<FieldRefusal>('field_unknown');
    const isRight = kind === 'flag' ? typeof value === 'boolean' : isText(value);
    if (value !== null && value !== '' && !isRight) throw new RefusedLine<FieldRefusal>('line_invalid');
    if (!isAbsent(value)) row[name] = value as string | true;
  }
  return row as LineFields<Kinds>;
};

/**
 * Makes a row of a line, or answers why the line is refused.
 * @param text undefined for a line that is too long or not UTF-8.
 * @param toRow may throw RefusedLine.
 */
export const parseLine = <Row extends object, Refusal extends string, Kinds extends FieldKinds>(
  text: string | undefined,
  kinds: Kinds,
  toRow: (fields: LineFields<Kinds>) => Row,
): Row | Refusal | FieldRefusal => {
  if (text === undefined) return 'line_invalid';
  try {
    return toRow(readFields(text, kinds));
  } catch (error) {
    if (error instanceof RefusedLine) return error.refusal as Refusal;
    throw error;
  }
};
