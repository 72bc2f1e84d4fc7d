import type { Identifier } from '../../../ground/identifier/identifier.ts';
import { hashToken } from '../../../ground/opaque-token.ts';
import { rememberingOf } from '../../../person/remembered-account/remembered-account.repository.ts';
import { row } from '../storage/row.ts';
import type { UnitOfWork } from '../storage/unit.ts';
import { defineWrite } from '../storage/write.ts';

interface RememberedValues {
  deviceHash: string;
  accountId: string;
  epoch: number;
  /** In the form of ISO 8601. */
  lastUsedAt: string;
  kind: string;
  value: string;
  display: string;
}

const rememberAccount = defineWrite<RememberedValues>((db, param, guard) =>
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

interface Remembered {
  /** The browser's, by its pre-session cookie. */
  browserId: string;
  accountId: string;
  /** The account's session epoch before the proof was checked. */
  epoch: number;
  submitted: Identifier;
  at: Date;
}

/** Queues that a browser remembers an account by the identifier that was submitted in it. */
export const queueRememberedAccount = (
  unit: UnitOfWork,
  { browserId, accountId, epoch, submitted: { kind, value, display }, at }: Remembered,
): void =>
  unit.keep(row.rememberedAccount(accountId), rememberAccount, {
    deviceHash: hashToken(browserId),
    accountId,
    epoch,
    lastUsedAt: at.toISOString(),
    kind,
    value,
    display,
  });
