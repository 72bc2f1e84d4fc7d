import { defineWrite } from '../storage/write.ts';

/** Locks the grant of a new JWT: nobody deletes the grant until the unit is written. */
export const lockGrantForIssue = defineWrite<{ brand: string; id: string }>((db, param) =>
  db
    .selectFrom('authorization_grant')
    .select('id')
    .where('brand', '=', param('brand'))
    .where('id', '=', param('id'))
    .forKeyShare(),
);
