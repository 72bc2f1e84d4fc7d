import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import type { AccountRecord } from '../../person/account/account.repository.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import { noteAddition } from '../../person/addition/addition.repository.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import type { FederatedIdentityRow } from '../../person/federated-identity/federated-identity.table.ts';
import { toKeptIdentity } from '../../person/federated-identity/kept-identity.ts';
import { addAdditionNotices } from '../../person/passkey/addition-notices.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';

export interface NotingOptions {
  messages: Pick<MessageQueue, 'add'>;
}

/** What happened to a way in, and in which session, if in any. */
interface Noted {
  /** What people call the provider. */
  name: string;
  at: Date;
  brand: Brand;
  session?: CurrentSession | undefined;
}

/** Notes that a way in was added, and tells all contacts, with a link that takes it back. */
export const noteLinked = async (
  trx: Kysely<Database>,
  { messages }: NotingOptions,
  { account, identifiers }: AccountRecord,
  { identityId, name, at, brand, session }: Noted & { identityId: string },
): Promise<Delivery[]> => {
  const detail = { name };
  const where = session ? { session } : { brand: brand.id };
  await noteActivity(trx, { accountId: account.id, kind: 'provider_linked', detail, ...where });
  const undoToken = await noteAddition(trx, {
    account_id: account.id,
    kind: 'provider',
    identity_id: identityId,
    session_uid: session?.uid ?? null,
    at,
  });
  const notice = { notice: 'provider_linked', provider: name, at, locale: account.locale, brand } as const;
  return addAdditionNotices(trx, messages, identifiers, { ...notice, undoToken });
};

/** Notes that a way in was removed, and tells all contacts, with a link that puts it back. */
export const noteUnlinked = async (
  trx: Kysely<Database>,
  { messages }: NotingOptions,
  { account, identifiers }: AccountRecord,
  { removed, name, at, brand, session }: Noted & { removed: FederatedIdentityRow },
): Promise<Delivery[]> => {
  const detail = { name };
  const where = session ? { session } : { brand: brand.id };
  await noteActivity(trx, { accountId: account.id, kind: 'provider_unlinked', detail, ...where });
  const undoToken = await noteAddition(trx, {
    account_id: account.id,
    kind: 'provider_removed',
    removed: toKeptIdentity(removed),
    session_uid: session?.uid ?? null,
    at,
  });
  const notice = { notice: 'provider_unlinked', provider: name, at, locale: account.locale, brand } as const;
  return addAdditionNotices(trx, messages, identifiers, { ...notice, undoToken });
};
