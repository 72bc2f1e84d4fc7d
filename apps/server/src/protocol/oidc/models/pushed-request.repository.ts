import { sql } from 'kysely';
import { markSpent } from '../storage/columns.ts';
import { isModelSpentBy } from '../storage/spent-model.ts';
import { defineWrite } from '../storage/write.ts';

export const PUSHED_REQUEST = 'PushedAuthorizationRequest';

/** Of parallel requests one finds the row unspent, when its unit is written. */
export const spendPushedRequest = defineWrite<{ brand: string; idHash: string; mark: string }>(
  (db, param) =>
    db
      .updateTable('oidc_model')
      .set({ consumed_at: sql`now()`, payload: markSpent(param('mark')) })
      .where('brand', '=', param('brand'))
      .where('model', '=', PUSHED_REQUEST)
      .where('id_hash', '=', param('idHash'))
      .where('consumed_at', 'is', null)
      .returning('id_hash'),
  { isWritten: (db, values) => isModelSpentBy(db, { ...values, model: PUSHED_REQUEST }) },
);
