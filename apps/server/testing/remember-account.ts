import { type Kysely, sql } from 'kysely';
import type { Database } from '../src/ground/db/database.ts';
import { hashToken } from '../src/ground/opaque-token.ts';
import { rememberingOf } from '../src/person/remembered-account/remembered-account.repository.ts';
import type { RememberedAccountRow } from '../src/person/remembered-account/remembered-account.table.ts';

type Submitted = Pick<RememberedAccountRow, 'kind' | 'value' | 'display'>;

/**
 * Remembers an account in a browser, as the answer of a sign-in does.
 * @param submitted by default nothing, as in the rows of an earlier release
 */
export const rememberAccount = async (
  db: Kysely<Database>,
  { browserId, at }: { browserId: string; at: Date },
  { accountId, epoch = 0 }: { accountId: string; epoch?: number },
  { kind, value, display }: Submitted = { kind: null, value: null, display: null },
): Promise<void> => {
  const values = {
    deviceHash: sql`${hashToken(browserId)}`,
    accountId: sql`${accountId}`,
    epoch: sql`${epoch}`,
    lastUsedAt: sql`${at}`,
    kind: sql`${kind}`,
    value: sql`${value}`,
    display: sql`${display}`,
  };
  await rememberingOf(db, values, sql`true`).execute();
};
