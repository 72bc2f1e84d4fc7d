import * as z from 'zod/mini';
import { readSettingsFile, type SettingsFile } from '../settings-file.ts';
import { ConfigError } from '../start-error.ts';
import { areOptional } from './optional-scopes.ts';

export const PLAYGROUND_CLIENT_ID = 'playground';

export const CLIENT_ID = /^[\x21-\x7e]{1,200}$/;

const isPlainHttps = (value: string): boolean => {
  const url = URL.parse(value);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
};

const ClientFileEntry = z.looseObject({
  client_id: z
    .string()
    .check(z.regex(CLIENT_ID, 'must be 1 to 200 printable ASCII characters without spaces')),
  client_secret: z.optional(z.string().check(z.minLength(1, 'must not be empty'))),
  brand: z.optional(z.string()),
  /** The server fetches it; no browser does. */
  logo_uri: z.optional(
    z.string().check(z.maxLength(2000), z.refine(isPlainHttps, 'must be an https URL without credentials')),
  ),
  first_party: z.optional(z.boolean()),
  /** The brand has made sure who stands behind the app. */
  verified: z.optional(z.boolean()),
  /** Scopes that people may leave out when they approve the app, separated by spaces. */
  optional_scopes: z.optional(
    z.string().check(z.refine(areOptional, 'must not name openid or offline_access')),
  ),
  /** Kept with the client; what it stands for is written out in the entry so far. */
  preset: z.optional(z.string().check(z.maxLength(100))),
});

/** The entries of CLIENTS_FILE: RFC 7591 metadata plus `first_party`, `verified`, `optional_scopes`, `preset` and `brand`. */
export const ClientFile = z.array(ClientFileEntry);

/** One entry of CLIENTS_FILE. */
export type ClientFileEntry = z.infer<typeof ClientFileEntry>;

export interface ClientFileRules {
  /** Ids of the brands that a client can be of. */
  brands: readonly string[];
  /** Ids that the server registers itself. */
  reserved: readonly string[];
  /** Why the engine would refuse the client at its first sign-in; undefined if it would not. */
  findFault(metadata: Record<string, unknown> & { client_id: string }): string | undefined;
}

const findProblems = (entries: readonly ClientFileEntry[], rules: ClientFileRules): string[] =>
  entries.flatMap((entry, index) => {
    const { brand, first_party: _firstParty, preset: _preset, ...metadata } = entry;
    const problems: string[] = [];
    if (rules.reserved.includes(entry.client_id))
      problems.push(`.client_id "${entry.client_id}" is the server's own`);
    if (entries.findIndex((other) => other.client_id === entry.client_id) !== index)
      problems.push(`.client_id "${entry.client_id}" stands there twice`);
    if (brand !== undefined && !rules.brands.includes(brand))
      problems.push(`.brand "${brand}" is none of ${rules.brands.join(', ')}`);
    const fault = rules.findFault(metadata);
    if (fault) problems.push(`: ${fault}`);
    return problems.map((problem) => `[${index}]${problem}`);
  });

/**
 * Reads a file of clients and refuses those that could never sign anybody in.
 * @throws ConfigError naming the file, and each place in it that is wrong.
 */
export const readClientFile = (file: SettingsFile, rules: ClientFileRules): ClientFileEntry[] => {
  const entries = readSettingsFile(file, ClientFile);
  const problems = findProblems(entries, rules);
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `${file.name}: ${problem}`));
  return entries;
};
