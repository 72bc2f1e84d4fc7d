import { defineWrite } from '../storage/write.ts';

/** Finds the grant of a JWT that is issued, and keeps the grant from being deleted until the unit is written. */
export const lockGrantForIssue = defineWrite<{ brand: string; id: string }>((db, param) =>
  db
    .selectFrom('authorization_grant')
    .select('id')
    .where('brand', '=', param('brand'))
    .where('id', '=', param('id'))
    .forKeyShare(),
);
