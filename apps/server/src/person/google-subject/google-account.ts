import type { Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { RequestFacts } from '../../ground/browser/request-facts.ts';
import type { Database } from '../../ground/db/database.ts';
import { insertAccount, insertIdentifier } from '../account/account.repository.ts';
import { createNickname } from '../account/account.service.ts';
import { createAccountId } from '../account/account.ts';
import { noteActivity } from '../activity/note-activity.ts';
import { type Agreements, recordAgreements } from '../agreement/agreement.service.ts';
import type { Delivery, MessageQueue } from '../delivery/message-queue.ts';
import { addNotices } from '../delivery/notices.ts';
import { type GoogleSubject, insertGoogleSubject } from './google-subject.repository.ts';

export interface GoogleAccountOptions {
  agreements: Pick<Agreements, 'list'>;
  messages: Pick<MessageQueue, 'add'>;
  now(): Date;
}

export interface NewGoogleAccount extends GoogleSubject {
  /** An address for which Google's word is proof. */
  email: { value: string; display: string };
  locale: Locale;
  brand: Brand;
  /** The name of the client, for the notice. */
  app: string;
  facts: RequestFacts;
}

/**
 * Makes an account without a password for a person of Google, in the transaction that links it. The agreements are
 * recorded in the versions that the brand offers now, as accepted at the client. A notice tells the person.
 * @returns undefined where an account has the address already; the caller then undoes the transaction.
 */
export const createGoogleAccount = async (
  trx: Kysely<Database>,
  { agreements, messages, now }: GoogleAccountOptions,
  { clientId, subject, email, locale, brand, app, facts }: NewGoogleAccount,
): Promise<{ accountId: string; notices: Delivery[] } | undefined> => {
  const accountId = createAccountId();
  const at = now();
  const nickname = createNickname(locale, accountId);
  await insertAccount(trx, {
    id: accountId,
    nickname,
    locale,
    status: 'active',
    created_at: at,
    updated_at: at,
  });
  const contact = { kind: 'email', ...email } as const;
  // Waits for another registration of the same address to end; one of the two finds it taken.
  if (!(await insertIdentifier(trx, { ...contact, account_id: accountId, verified_at: at })))
    return undefined;
  await insertGoogleSubject(trx, { clientId, subject, accountId });
  const accepted = agreements.list(locale, brand);
  await recordAgreements(trx, {
    accountId,
    agreements: accepted,
    locale,
    brand: brand.id,
    clientId,
    now: at,
  });
  await noteActivity(trx, { accountId, kind: 'registered', brand: brand.id, clientId, facts });
  const notice = { notice: 'account_created', app, at, locale, brand } as const;
  return { accountId, notices: await addNotices(trx, messages, [contact], notice) };
};
