import type { ColumnType, Generated, Selectable } from 'kysely';
import type { ClientHints } from '../../ground/browser/client-hints.ts';

/** One browser's session: what the engine keeps in `payload`, and what people see of it. */
export interface SessionTable {
  brand: string;
  uid: string;
  id_hash: string;
  account_id: string | null;
  payload: ColumnType<Record<string, unknown>, string, string>;
  user_agent: string;
  /** Null for a browser that sends no hints. */
  client_hints: ColumnType<ClientHints | null, string | null | undefined, string | null>;
  address: string;
  locale: string;
  /** `Proof` of its sign-in; null where an earlier release wrote it. */
  proven_by: Generated<string | null>;
  created_at: Generated<Date>;
  last_accessed_at: Generated<Date>;
  expires_at: Date;
}

export type SessionRow = Selectable<SessionTable>;

/** The columns that statements name: docs/decisions/027-columns-by-name.md. */
export const sessionColumns = [
  'brand',
  'uid',
  'id_hash',
  'account_id',
  'payload',
  'user_agent',
  'client_hints',
  'address',
  'locale',
  'proven_by',
  'created_at',
  'last_accessed_at',
  'expires_at',
] as const satisfies readonly (keyof SessionRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    session: SessionTable;
  }
}
