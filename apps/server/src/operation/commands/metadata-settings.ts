import { clientApi } from '@candela/contract';
import * as z from 'zod/mini';
import { findUnknownNames } from '../../clients/client/metadata-names.ts';
import { MisuseError } from './command.ts';

/** What developers may set, and what only operators may; an operator may set the other names of metadata too. */
const Patch = z.looseObject({
  ...clientApi.updateClient.body.shape,
  first_party: z.exactOptional(z.nullable(z.boolean())),
  verified: z.exactOptional(z.nullable(z.boolean())),
  brand: z.exactOptional(z.nullable(z.string())),
});

/** Metadata of a client, by name; null clears a field. */
export type MetadataPatch = z.infer<typeof Patch>;

const shape: Readonly<Record<string, z.ZodMiniType>> = Patch.shape;

/** Names that another command sets. */
const elsewhere: Readonly<Record<string, string>> = {
  client_id: 'an id does not change',
  client_secret: 'client add-secret makes secrets',
  disabled: 'client disable and client enable set it',
  preset: 'client create sets it',
};

/** What a field takes, told by a value that it accepts. */
const kinds: readonly (readonly [sample: unknown, description: string])[] = [
  [true, 'true or false'],
  [1, 'a number'],
  [[], 'a JSON list of at most 50 texts, such as ["https://app.example/callback"]'],
  [{}, 'a JSON object, such as {"openid": "to know who you are"}'],
  ['', 'text of at most 2048 characters'],
];

/** The registry judges the values of names that the schema lacks. A name may end in a language: `client_name#ru`. */
const accepts = (name: string, value: unknown): boolean => {
  const field = name.replace(/#.*$/, '');
  const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
  return schema ? z.safeParse(schema, value).success : true;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const mayBeCleared = (name: string): boolean =>
  !Object.hasOwn(shape, name) || z.safeParse(shape[name] ?? z.unknown(), null).success;

/** JSON where it parses and the field takes it, else text; empty text clears the field. */
const readValue = (name: string, text: string): unknown => {
  if (text === '' && mayBeCleared(name)) return null;
  if (text === '') throw new MisuseError(`--set ${name}: must have a value, since every client has one`);
  const json = parseJson(text);
  if (json !== undefined && accepts(name, json)) return json;
  if (accepts(name, text)) return text;
  const kind = kinds.find(([sample]) => accepts(name, sample));
  throw new MisuseError(`--set ${name}: must be ${kind?.[1] ?? 'another value'}`);
};

const requireName = (name: string) => {
  if (Object.hasOwn(elsewhere, name)) throw new MisuseError(`--set ${name}: ${elsewhere[name]}`);
  if (Object.hasOwn(shape, name) || findUnknownNames({ [name]: '' }).length === 0) return;
  throw new MisuseError(
    `--set ${name}: there is no such field. Among others there are ${Object.keys(shape).toSorted().join(', ')}`,
  );
};

/**
 * Reads `key=value` of each `--set` into metadata of a client.
 * @throws MisuseError naming what is wrong with which field.
 */
export const readMetadata = (settings: readonly string[]): MetadataPatch => {
  const patch = new Map<string, unknown>();
  for (const setting of settings) {
    const [, name = '', text = ''] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
    if (!name) throw new MisuseError('--set needs key=value, such as client_uri=https://app.example/');
    requireName(name);
    if (patch.has(name)) throw new MisuseError(`--set ${name} is given twice`);
    patch.set(name, readValue(name, text));
  }
  return z.parse(Patch, Object.fromEntries(patch));
};
