import { readWords } from '../../branding/scope/space-separated.ts';
import { AppError } from '../../ground/errors.ts';
import { type Identifier, parseIdentifier } from '../../ground/identifier/identifier.ts';
import { hashToken } from '../../ground/opaque-token.ts';
import { type FieldRefusal, type LineFields, parseLine, RefusedLine } from '../line-import/line-fields.ts';

/** Why a line is refused before anything is looked up. */
export type LinkRowRefusal =
  | FieldRefusal
  | 'client_missing'
  | 'account_missing'
  | 'account_invalid'
  | 'token_missing'
  | 'token_invalid'
  | 'scope_missing'
  | 'since_invalid'
  | 'since_in_future';

/** A link of the file, ready to be judged. */
export interface LinkRow {
  clientId: string;
  account: Pick<Identifier, 'kind' | 'value'> | { id: string };
  /** The SHA-256 of the old token, in base64url. */
  idHash: string;
  scopes: readonly string[];
  /** Seconds since the epoch. */
  since: number;
  brand: string | undefined;
}

const fields = {
  client_id: 'text',
  account: 'text',
  refresh_token: 'text',
  refresh_token_sha256: 'text',
  scope: 'text',
  since: 'text',
  brand: 'text',
} as const;
type Fields = LineFields<typeof fields>;

const refuse = (refusal: LinkRowRefusal) => new RefusedLine<LinkRowRefusal>(refusal);

/** The most that a request may send as a refresh token: a longer one would never be found. */
const TOKEN_BYTES = 2_048;
const HEX = /^[0-9a-f]{64}$/i;
const BASE64URL = /^[\w-]{43}=?$/;
/** RFC 3339: a date, or a time with its offset. */
const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?$/;

const decodeHash = (text: string): string => {
  if (HEX.test(text)) return Buffer.from(text, 'hex').toString('base64url');
  const hash = BASE64URL.test(text) ? Buffer.from(text, 'base64url').toString('base64url') : undefined;
  // A last letter whose spare bits are set decodes too, and is no spelling of a hash.
  if (hash !== text.slice(0, 43)) throw refuse('token_invalid');
  return hash;
};

const readToken = ({ refresh_token: token, refresh_token_sha256: digest }: Fields): string => {
  if (token === undefined && digest === undefined) throw refuse('token_missing');
  const given = digest === undefined ? undefined : decodeHash(digest);
  if (token === undefined) return given ?? '';
  if (Buffer.byteLength(token) > TOKEN_BYTES) throw refuse('token_invalid');
  const hash = hashToken(token);
  if (given !== undefined && given !== hash) throw refuse('token_invalid');
  return hash;
};

const readAccount = (text: string | undefined): LinkRow['account'] => {
  if (text === undefined) throw refuse('account_missing');
  // An id has neither `@` nor `+`.
  if (/^[\w.~-]{1,128}$/.test(text)) return { id: text };
  try {
    const { kind, value } = parseIdentifier(text);
    return { kind, value };
  } catch (error) {
    if (error instanceof AppError) throw refuse('account_invalid');
    throw error;
  }
};

/** `Date.parse` takes 30 February for 1 March. RFC 3339 section 5.7 has the days of each month. */
const hasItsDay = (text: string): boolean => {
  const day = text.slice(0, 10);
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

const parseTime = (text: string): number =>
  TIME.test(text) && hasItsDay(text) ? Date.parse(text) : Number.NaN;

const readSince = (text: string | undefined, now: Date): number => {
  const time = text === undefined ? now.getTime() : parseTime(text);
  if (!(time >= 0)) throw refuse('since_invalid');
  if (time > now.getTime()) throw refuse('since_in_future');
  return Math.floor(time / 1_000);
};

const toRow = (row: Fields, now: Date): LinkRow => {
  if (row.client_id === undefined) throw refuse('client_missing');
  const account = readAccount(row.account);
  const idHash = readToken(row);
  const scopes = [...new Set(readWords(row.scope))];
  if (scopes.length === 0) throw refuse('scope_missing');
  return {
    clientId: row.client_id,
    account,
    idHash,
    scopes,
    since: readSince(row.since, now),
    brand: row.brand,
  };
};

/** Reads a line. */
export const parseLinkLine = (text: string | undefined, now: Date): LinkRow | LinkRowRefusal =>
  parseLine<LinkRow, LinkRowRefusal, typeof fields>(text, fields, (row) => toRow(row, now));
