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

/** The message of zod/mini where the schema has no message. */
const NO_SENTENCE = 'Invalid input';

const describe = (issue: z.core.$ZodIssue, data: unknown): string[] => {
  const at = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${at}.${key} is unknown`);
  if (isAbsent(data, issue.path)) return [`${at} is missing`];
  if (issue.message !== NO_SENTENCE) return [`${at || 'the whole'} ${issue.message}`];
  if (issue.code === 'invalid_type') return [`${at || 'the whole'} must be of type ${issue.expected}`];
  return [`${at || 'the whole'} is not of the right form`];
};

/**
 * Reads a JSON file whose path came from a setting or the command line.
 * @throws ConfigError naming the file, and each place in it that is wrong.
 */
export const readSettingsFile = <Schema extends z.ZodMiniType>(
  file: SettingsFile,
  schema: Schema,
): z.infer<Schema> => {
  const data = readJson(file);
  const parsed = z.safeParse(schema, data);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues
      .flatMap((issue) => describe(issue, data))
      .map((problem) => `${file.name}: ${problem}`),
  );
};
