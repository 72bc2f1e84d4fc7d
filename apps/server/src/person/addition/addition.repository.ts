import { type Kysely, sql } from 'kysely';
import type { Database } from '../../ground/db/database.ts';
import { expiringRows } from '../../ground/db/expiring-rows.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import type { KeptIdentity } from '../federated-identity/kept-identity.ts';
import type { AdditionRow } from './addition.table.ts';

/** For so long what was added to an account can be taken back, and counts as young as it is. */
export const ADDED_HOURS = 72;

/** What was added and can be taken back by a link, in the order in which it came. */
export const additionRows = expiringRows({
  table: 'addition',
  columns: [
    'undo_hash',
    'account_id',
    'kind',
    'passkey_id',
    'identity_id',
    'removed',
    'session_uid',
    'added_at',
    'expires_at',
  ],
  owner: 'account_id',
  endsAt: 'expires_at',
  seconds: ADDED_HOURS * 3600,
  order: sql`added_at, kind`,
});

interface NewAddition extends Pick<AdditionRow, 'account_id' | 'kind' | 'session_uid'> {
  passkey_id?: string;
  identity_id?: string;
  removed?: KeptIdentity;
  at: Date;
}

/** Notes what was added; answers the token of the link, of which the hash alone is stored. */
export const noteAddition = async (
  trx: Kysely<Database>,
  { at, removed, ...row }: NewAddition,
): Promise<string> => {
  const token = createOpaqueToken();
  const copy = removed && { removed: JSON.stringify(removed) };
  await additionRows.put(trx, { ...row, ...copy, undo_hash: hashToken(token), added_at: at }, at);
  return token;
};
