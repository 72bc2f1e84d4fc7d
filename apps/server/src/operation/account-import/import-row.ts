import { createHmac, type KeyObject } from 'node:crypto';
import { type Locale, matchLocale } from '@candela/contract';
import { AppError } from '../../ground/errors.ts';
import { type Identifier, type IdentifierKind, parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createNickname } from '../../person/account/account.service.ts';
import { parseNickname } from '../../person/account/nickname.ts';
import { type HashRefusal, parseImportedHash } from '../../person/credential/imported-hash.ts';

/** Why a line is refused. */
export type ImportRefusal =
  | HashRefusal
  | 'line_invalid'
  | 'field_unknown'
  | 'identifier_missing'
  | 'phone_invalid'
  | 'email_invalid'
  | 'nickname_invalid'
  | 'locale_invalid'
  | 'id_invalid'
  | 'id_taken'
  | 'identifier_taken';

/** A person of the file, ready to be stored. */
export interface ImportRow {
  id: string;
  /** Whether the file named the id. */
  isNamed: boolean;
  /** The ids that this run or an earlier run may have given to the person, the id of this run first. */
  knownIds: string[];
  identifiers: Identifier[];
  nickname: string;
  locale: Locale;
  hash: string | undefined;
}

const fields = ['id', 'phone', 'email', 'nickname', 'locale', 'password_hash'] as const;
type Field = (typeof fields)[number];

/** The form of an account's id: apps see it as the subject, and it stands in paths. */
const idShape = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,127}$/;

class RefusedLine extends Error {
  readonly refusal: ImportRefusal;
  constructor(refusal: ImportRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

const readFields = (text: string): Partial<Record<Field, string>> => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new RefusedLine('line_invalid');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new RefusedLine('line_invalid');
  const row: Partial<Record<Field, string>> = {};
  for (const [name, value] of Object.entries(parsed)) {
    // A misspelled field would be lost silently.
    const field = fields.find((known) => known === name);
    if (!field) throw new RefusedLine('field_unknown');
    if (value === null || value === '') continue;
    if (typeof value !== 'string') throw new RefusedLine('line_invalid');
    row[field] = value;
  }
  return row;
};

const readIdentifier = (kind: IdentifierKind, text: string | undefined): Identifier[] => {
  if (text === undefined) return [];
  try {
    const identifier = parseIdentifier(text);
    if (identifier.kind === kind) return [identifier];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  throw new RefusedLine(kind === 'phone' ? 'phone_invalid' : 'email_invalid');
};

/**
 * Derives an id from a person's identifier, so that a second run changes nothing. The derivation is keyed: apps see the
 * id, and must not find the phone number behind it by trying every number.
 */
const deriveId = (key: KeyObject, { kind, value }: Identifier): string =>
  createHmac('sha256', key).update(`${kind} ${value}`).digest().subarray(0, 16).toString('base64url');

const toRow = (row: Partial<Record<Field, string>>, idKeys: readonly KeyObject[]): ImportRow => {
  const identifiers = [...readIdentifier('phone', row.phone), ...readIdentifier('email', row.email)];
  const [first] = identifiers;
  if (!first) throw new RefusedLine('identifier_missing');
  if (row.id !== undefined && !idShape.test(row.id)) throw new RefusedLine('id_invalid');
  const knownIds = row.id === undefined ? idKeys.map((key) => deriveId(key, first)) : [row.id];
  const [id = ''] = knownIds;

  const locale = row.locale === undefined ? 'en' : matchLocale([row.locale]);
  if (!locale) throw new RefusedLine('locale_invalid');
  const nickname = row.nickname === undefined ? createNickname(locale, id) : parseNickname(row.nickname);
  if (nickname === undefined) throw new RefusedLine('nickname_invalid');
  const hash = row.password_hash;
  const parsed = hash === undefined ? undefined : parseImportedHash(hash);
  if (typeof parsed === 'string') throw new RefusedLine(parsed);
  return { id, isNamed: row.id !== undefined, knownIds, identifiers, nickname, locale, hash };
};

/** Reads a line; ids are derived under `idKeys`, newest first. */
export const parseImportLine = (
  text: string | undefined,
  idKeys: readonly KeyObject[],
): ImportRow | ImportRefusal => {
  if (text === undefined) return 'line_invalid';
  try {
    return toRow(readFields(text), idKeys);
  } catch (error) {
    if (error instanceof RefusedLine) return error.refusal;
    throw error;
  }
};
