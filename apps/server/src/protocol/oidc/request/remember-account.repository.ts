import { rememberingOf } from '../../../person/remembered-account/remembered-account.repository.ts';
import { defineWrite } from '../storage/write.ts';

interface RememberedAccountValues {
  deviceHash: string;
  accountId: string;
  epoch: number;
  /** In the form of ISO 8601. */
  lastUsedAt: string;
  kind: string;
  value: string;
  display: string;
}

export const rememberAccount = defineWrite<RememberedAccountValues>((db, param, guard) =>
  rememberingOf(
    db,
    {
      deviceHash: param('deviceHash'),
      accountId: param('accountId'),
      epoch: param('epoch'),
      lastUsedAt: param('lastUsedAt'),
      kind: param('kind'),
      value: param('value'),
      display: param('display'),
    },
    guard,
  ),
);
