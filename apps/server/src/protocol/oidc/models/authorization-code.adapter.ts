import { sql } from 'kysely';
import { compileOnce, type Param } from '../../../ground/db/statement.ts';
import { hashToken } from '../../../ground/opaque-token.ts';
import { createBatch } from '../storage/batch.ts';
import { endIn } from '../storage/columns.ts';
import { isIssuedLately } from '../token/code-reuse.repository.ts';
import type { AdapterContext, ModelAdapter } from './model-adapter.ts';
import {
  createTokenStore,
  noteOwner,
  selectToken,
  type TokenLookup,
  toTokenPayload,
} from './token.adapter.ts';

const MODEL = 'AuthorizationCode';
const TABLE = 'authorization_code';

/** For so long a spent code seems to live: longer than the request that presents it takes. */
const PRESENTED_SECONDS = 60;

const findCodes = compileOnce((db, param: Param<TokenLookup>) =>
  selectToken(db, TABLE, param).select(
    sql<boolean>`token.consumed_at is not null and ${isIssuedLately('token')}`.as('spent_lately'),
  ),
);

/**
 * The storage of authorization codes. For an hour after its issue a spent code is found as if it were unspent. So the
 * engine first checks who presents the code, and with what; only then the unit's spend fails, and the tokens of the
 * code may end. A thief who has the code alone, without the client's secret or verifier, ends nothing.
 */
export const createAuthorizationCodeAdapter = (context: AdapterContext): ModelAdapter => {
  const { db, brand } = context;
  const load = createBatch(
    (idHashes) => findCodes(db, { brand, idHashes }),
    (row) => row.id_hash,
  );
  return {
    ...createTokenStore(brand, { model: MODEL, table: TABLE }),
    find: async (id, { unit }) => {
      const row = await load(hashToken(id));
      if (!row) return undefined;
      noteOwner(unit, row);
      const payload = toTokenPayload(id, { ...row, consumed_at: null });
      if (row.spent_lately) return { ...payload, exp: endIn(PRESENTED_SECONDS) };
      if (row.consumed_at) unit.noted.lateCode = true;
      return payload;
    },
  };
};
