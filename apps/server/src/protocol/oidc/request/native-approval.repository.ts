import { sql } from 'kysely';
import { defineWrite } from '../storage/write.ts';

/**
 * Requires an account that may approve: neither disabled nor to be deleted, and whose password is no newer than the link
 * of the app. A link outlives a change of the password, and its person reviews it then; who holds an old one makes no
 * new ones.
 */
export const requireApprovingAccount = defineWrite<{ accountId: string; brand: string; appGrant: string }>(
  (db, param) =>
    db
      .selectFrom('account')
      .select('id')
      .where('id', '=', param('accountId'))
      .where('status', '=', 'active')
      .where('leaving_at', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('authorization_grant as app')
              .innerJoin('password', 'password.account_id', 'app.account_id')
              .select(sql`1`.as('one'))
              .where('app.brand', '=', param('brand'))
              .where('app.id', '=', param('appGrant'))
              .where('app.has_refresh_token', '=', true)
              .whereRef('password.changed_at', '>', 'app.created_at'),
          ),
        ),
      )
      .forShare(),
);
