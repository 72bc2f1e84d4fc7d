import { defineWrite } from '../storage/write.ts';

/** Requires an account that may approve: neither disabled nor to be deleted. */
export const requireActiveAccount = defineWrite<{ accountId: string }>((db, param) =>
  db
    .selectFrom('account')
    .select('id')
    .where('id', '=', param('accountId'))
    .where('status', '=', 'active')
    .where('leaving_at', 'is', null)
    .forShare(),
);
