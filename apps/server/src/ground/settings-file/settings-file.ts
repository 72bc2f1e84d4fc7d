import { readFileSync } from 'node:fs';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import * as z from 'zod/mini';
import { ConfigError } from '../start-error.ts';

/** A file of settings, and the name that messages give it. */
export interface SettingsFile {
  path: string;
  /** The setting and the path: `BRANDS_FILE /etc/brands.json`. */
  name: string;
}

/** Describes the first fault of the JSON. It does not quote the text, which may be a secret. */
const findJsonFault = (text: string): string | undefined => {
  const faults: ParseError[] = [];
  parseTree(text, faults, { disallowComments: true });
  const [first] = faults;
  if (!first) return undefined;
  const before = text.slice(0, first.offset).split('\n');
  const what = printParseErrorCode(first.error)
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}`;
};

const readText = ({ path, name }: SettingsFile): string => {
  try {
    // Some editors write a byte order mark.
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${name} ${code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`}`]);
  }
};

const readJson = (file: SettingsFile): unknown => {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError([`${file.name} is not JSON: ${findJsonFault(text) ?? 'it cannot be parsed'}`]);
  }
};

const isAbsent = (data: unknown, path: readonly PropertyKey[]): boolean => {
  let value: unknown = data;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value === undefined;
};

/** The message where the schema has none: what else is loaded may give zod sentences of its own. */
const NO_SENTENCE = '';

const describe = (issue: z.core.$ZodIssue, data: unknown): string[] => {
  const at = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${at}.${key} is unknown`);
  if (isAbsent(data, issue.path)) return [`${at} is missing`];
  if (issue.message !== NO_SENTENCE) return [`${at || 'the whole'} ${issue.message}`];
  if (issue.code === 'invalid_type') return [`${at || 'the whole'} must be of type ${issue.expected}`];
  return [`${at || 'the whole'} is not of the right form`];
};

/** What a file holds, and what of it has not the form that it should have. */
export interface InspectedFile {
  data: unknown;
  faults: { path: readonly PropertyKey[]; problem: string }[];
}

/**
 * Reads a JSON file whose path came from a setting or the command line, and compares it with a schema.
 * @throws ConfigError where the file cannot be read, or is not JSON.
 */
export const inspectSettingsFile = (file: SettingsFile, schema: z.ZodMiniType): InspectedFile => {
  const data = readJson(file);
  const issues = z.safeParse(schema, data, { error: () => NO_SENTENCE }).error?.issues ?? [];
  const faults = issues.flatMap((issue) =>
    describe(issue, data).map((problem) => ({ path: issue.path, problem })),
  );
  return { data, faults };
};

/** The error that names each place of a file that is wrong. */
export const faultyFile = ({ name }: SettingsFile, problems: readonly string[]): ConfigError =>
  new ConfigError(problems.map((problem) => `${name}: ${problem}`));

/**
 * Reads a JSON file whose path came from a setting or the command line.
 * @throws ConfigError naming the file, and each place in it that is wrong.
 */
export const readSettingsFile = <Schema extends z.ZodMiniType>(
  file: SettingsFile,
  schema: Schema,
): z.infer<Schema> => {
  const { data, faults } = inspectSettingsFile(file, schema);
  if (faults.length === 0) return z.parse(schema, data) as z.infer<Schema>;
  throw faultyFile(
    file,
    faults.map(({ problem }) => problem),
  );
};
