import { createHmac, type KeyObject } from 'node:crypto';
import { type Locale, matchLocale } from '@candela/contract';
import { AppError } from '../../ground/errors.ts';
import { type Identifier, type IdentifierKind, parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createNickname } from '../../person/account/account.service.ts';
import { parseNickname } from '../../person/account/nickname.ts';
import { type HashRefusal, parseImportedHash } from '../../person/credential/imported-hash.ts';
import { LEGACY_PASSWORD } from '../../person/credential/legacy-password.ts';
import { type FieldRefusal, type LineFields, parseLine, RefusedLine } from '../line-import/line-fields.ts';

/** Why a line is refused. */
export type ImportRefusal =
  | HashRefusal
  | FieldRefusal
  | 'identifier_missing'
  | 'phone_invalid'
  | 'email_invalid'
  | 'nickname_invalid'
  | 'locale_invalid'
  | 'id_invalid'
  | 'legacy_with_hash'
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

const fields = {
  id: 'text',
  phone: 'text',
  email: 'text',
  nickname: 'text',
  locale: 'text',
  password_hash: 'text',
  legacy: 'flag',
} as const;

/** The form of an account's id: apps see it as the subject, and it stands in paths. */
const idShape = /^[A-Za-z0-9_-][A-Za-z0-9._~-]{0,127}$/;

const readIdentifier = (kind: IdentifierKind, text: string | undefined): Identifier[] => {
  if (text === undefined) return [];
  try {
    const identifier = parseIdentifier(text);
    if (identifier.kind === kind) return [identifier];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  throw new RefusedLine<ImportRefusal>(kind === 'phone' ? 'phone_invalid' : 'email_invalid');
};

/**
 * Derives an id from a person's identifier, so that a second run changes nothing. The derivation is keyed: apps see the
 * id, and must not find the phone number behind it by trying every number.
 */
const deriveId = (key: KeyObject, { kind, value }: Identifier): string =>
  createHmac('sha256', key).update(`${kind} ${value}`).digest().subarray(0, 16).toString('base64url');

const toRow = (row: LineFields<typeof fields>, idKeys: readonly KeyObject[]): ImportRow => {
  const identifiers = [...readIdentifier('phone', row.phone), ...readIdentifier('email', row.email)];
  const [first] = identifiers;
  if (!first) throw new RefusedLine<ImportRefusal>('identifier_missing');
  if (row.id !== undefined && !idShape.test(row.id)) throw new RefusedLine<ImportRefusal>('id_invalid');
  const knownIds = row.id === undefined ? idKeys.map((key) => deriveId(key, first)) : [row.id];
  const [id = ''] = knownIds;

  const locale = row.locale === undefined ? 'en' : matchLocale([row.locale]);
  if (!locale) throw new RefusedLine<ImportRefusal>('locale_invalid');
  const nickname = row.nickname === undefined ? createNickname(locale, id) : parseNickname(row.nickname);
  if (nickname === undefined) throw new RefusedLine<ImportRefusal>('nickname_invalid');
  const parsed = row.password_hash === undefined ? undefined : parseImportedHash(row.password_hash);
  if (parsed && row.legacy) throw new RefusedLine<ImportRefusal>('legacy_with_hash');
  const hash = row.legacy ? LEGACY_PASSWORD : row.password_hash;
  if (typeof parsed === 'string') throw new RefusedLine<ImportRefusal>(parsed);
  return { id, isNamed: row.id !== undefined, knownIds, identifiers, nickname, locale, hash };
};

/** Reads a line; ids are derived under `idKeys`, newest first. */
export const parseImportLine = (
  text: string | undefined,
  idKeys: readonly KeyObject[],
): ImportRow | ImportRefusal =>
  parseLine<ImportRow, ImportRefusal, typeof fields>(text, fields, (row) => toRow(row, idKeys));
