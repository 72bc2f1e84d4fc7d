import { randomBytes } from 'node:crypto';
import type { Account, IdentifierChange } from '@candela/contract';
import { avatarPath } from '../../branding/picture/picture-path.ts';
import type { PasswordRow } from '../credential/password.table.ts';
import type { IdentifierChangeRow } from '../identifier-change/identifier-change.table.ts';
import type { AccountRecord } from './account.repository.ts';

const findIdentifier = ({ identifiers }: AccountRecord, kind: 'phone' | 'email') =>
  identifiers.find((row) => row.kind === kind);

/** Makes the account of the contract from its rows. */
export const toAccount = (record: AccountRecord, password: PasswordRow | undefined): Account => {
  const phone = findIdentifier(record, 'phone');
  const email = findIdentifier(record, 'email');
  return {
    id: record.account.id,
    nickname: record.account.nickname,
    ...(phone && { phone: phone.value }),
    ...(email && { email: email.display }),
    ...(record.avatar && { avatar: avatarPath(record.avatar) }),
    locale: record.account.locale,
    hasPassword: password !== undefined,
    ...(password && { passwordChangedAt: password.changed_at.toISOString() }),
    ...(record.account.leaving_at && { leavingAt: record.account.leaving_at.toISOString() }),
  };
};

/** Makes the change of the contract from the row of a change that waits. */
export const toIdentifierChange = ({
  id,
  kind,
  new_display,
  requested_at,
  due_at,
}: IdentifierChangeRow): IdentifierChange => ({
  id,
  kind,
  ...(new_display !== null && { identifier: new_display }),
  requestedAt: requested_at.toISOString(),
  dueAt: due_at.toISOString(),
});

/** 128 random bits in 22 characters. The id is the subject that apps see. */
export const createAccountId = (): string => randomBytes(16).toString('base64url');
