import type { ClientErrorKind } from '@candela/contract';
import type { ColumnType, Selectable } from 'kysely';

/** A refused request of a client. What it sent is masked before it comes here. */
export interface ClientErrorTable {
  client_id: string;
  /** The id of the request, which its error page, its log lines and its `X-Request-Id` header have too. */
  reference: string;
  created_at: Date;
  /** The path of the endpoint. */
  endpoint: string;
  kind: ClientErrorKind;
  error: string;
  reason: string;
  sent: ColumnType<Record<string, string>, string, never>;
  expected: ColumnType<Record<string, string[]>, string, never>;
}

export type ClientErrorRow = Selectable<ClientErrorTable>;

export const clientErrorColumns = [
  'client_id',
  'reference',
  'created_at',
  'endpoint',
  'kind',
  'error',
  'reason',
  'sent',
  'expected',
] as const satisfies readonly (keyof ClientErrorRow)[];

declare module '../../ground/db/database.ts' {
  interface Database {
    client_error: ClientErrorTable;
  }
}
