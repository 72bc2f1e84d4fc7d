import { sql } from 'kysely';
import { defineWrite } from '../storage/write.ts';

/**
 * Requires an account that may approve: neither disabled nor to be deleted, and of which neither the password was changed
 * or closed nor a way in closed since the link of the app was made. A link outlives that, and its person reviews it then;
 * who holds an old one makes no new ones.
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
              .leftJoin('password', 'password.account_id', 'app.account_id')
              .select(sql`1`.as('one'))
              .where('app.brand', '=', param('brand'))
              .where('app.id', '=', param('appGrant'))
              .where('app.has_refresh_token', '=', true)
              .where(
                sql<Date>`greatest(password.changed_at, account.password_closed_at, (
                  select max(way.closed_at) from federated_identity as way where way.account_id = app.account_id
                ))`,
                '>',
                sql<Date>`app.created_at`,
              ),
          ),
        ),
      )
      .forShare(),
);
