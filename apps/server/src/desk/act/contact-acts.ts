import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import { AppError } from '../../ground/errors.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import type { AccountIdentifierRow } from '../../person/account/account.table.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import type { ActOutcome, ActWork } from './act-work.ts';

/** Messages that staff have sent to one account: a caller cannot have somebody flooded. */
const messageLimits = (accountId: string) => [
  { key: `desk.message ${accountId}`, limit: 5, windowSeconds: 3_600 },
];

/** The contact that the act names. @throws AppError not_found */
export const contactOf = ({ record, input }: ActWork): AccountIdentifierRow => {
  const found = record.identifiers.find(({ kind }) => kind === input.contact);
  if (!found) throw new AppError('not_found', { fields: { contact: 'not_found' } });
  return found;
};

/** Sends a notice to a contact of the account, and to no other address. */
const write = async (work: ActWork, notice: 'recovery_help' | 'contact_checked'): Promise<ActOutcome> => {
  const { trx, base, record, brand } = work;
  const contact = contactOf(work);
  await requireRateLimits(trx, messageLimits(record.account.id), base.now(), base.events);
  const { locale } = record.account;
  const told = { notice, at: base.now(), locale, brand };
  for (const delivery of await addNotices(trx, base.messages, [contact], told)) await delivery.start();
  return { subject: maskIdentifier(contact.value) };
};

/** @throws AppError nothing_to_do where the account is disabled: nobody recovers it */
export const resendRecovery = async (work: ActWork): Promise<ActOutcome> => {
  if (work.record.account.status === 'disabled') throw new AppError('nothing_to_do');
  return write(work, 'recovery_help');
};
export const checkContact = (work: ActWork): Promise<ActOutcome> => write(work, 'contact_checked');
