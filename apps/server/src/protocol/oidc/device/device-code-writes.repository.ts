import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../ground/db/database.ts';
import { json, markSpent, text, time } from '../storage/columns.ts';
import { isModelSpentBy } from '../storage/spent-model.ts';
import { defineWrite } from '../storage/write.ts';

const MODEL = 'DeviceCode';

interface CodeKey {
  brand: string;
  idHash: string;
}

interface NewDeviceCode extends CodeKey {
  clientId: string | null;
  userCodeHash: string | null;
  /** JSON. */
  payload: string;
  /** In seconds since the epoch. */
  expiresAt: number;
}

export const insertDeviceCode = async (
  db: Kysely<Database>,
  { brand, idHash, clientId, userCodeHash, payload, expiresAt }: NewDeviceCode,
): Promise<void> => {
  await db
    .insertInto('oidc_model')
    .values({
      brand,
      model: MODEL,
      id_hash: idHash,
      client_id: clientId,
      user_code: userCodeHash,
      payload: json(payload),
      expires_at: time(expiresAt),
    })
    .execute();
};

/** `mark` names the request that spends the code, so that the request can find later that it did. */
interface Spending extends CodeKey {
  mark: string;
}

interface Decision extends CodeKey {
  accountId: string | null;
  grantId: string | null;
  payload: string;
}

/** Writes the first answer for a device. A later statement matches no row, whatever its request has read. */
export const decideCode = defineWrite<Decision>((db, param) =>
  db
    .updateTable('oidc_model')
    .set({
      account_id: text(param('accountId')),
      grant_id: text(param('grantId')),
      payload: sql`${json(param('payload'))}
        || jsonb_strip_nulls(jsonb_build_object('sealedUserCode', oidc_model.payload->'sealedUserCode'))`,
    })
    .where('brand', '=', param('brand'))
    .where('model', '=', MODEL)
    .where('id_hash', '=', param('idHash'))
    .where('account_id', 'is', null)
    .where('consumed_at', 'is', null)
    .where(sql<SqlBool>`not (payload ? 'error')`)
    .returning('id_hash'),
);

/** Spends a code. Its grant, if any, is locked before the code: the order of locks of `link/ending/end.ts`. */
export const consumeCode = defineWrite<Spending>(
  (db, param) =>
    db
      .updateTable('oidc_model')
      .set({ consumed_at: sql`now()`, payload: markSpent(param('mark')) })
      .where('brand', '=', param('brand'))
      .where('model', '=', MODEL)
      .where('id_hash', '=', param('idHash'))
      .where('consumed_at', 'is', null)
      .where((where) =>
        where.or([
          where('grant_id', 'is', null),
          where.exists(
            where
              .selectFrom('authorization_grant as owner')
              .select('owner.id')
              .where('owner.brand', '=', param('brand'))
              .whereRef('owner.id', '=', 'oidc_model.grant_id')
              .forKeyShare(),
          ),
        ]),
      )
      .returning('id_hash'),
  { isWritten: (db, values) => isModelSpentBy(db, { ...values, model: MODEL }) },
);

/** Deletes the codes under a grant. */
export const deleteCodesOfGrant = defineWrite<{ brand: string; grantId: string }>((db, param, guard) =>
  db
    .deleteFrom('oidc_model')
    .where('brand', '=', param('brand'))
    .where('model', '=', MODEL)
    .where('grant_id', '=', param('grantId'))
    .where(guard),
);
