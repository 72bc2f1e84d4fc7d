import type { Kysely } from 'kysely';
import type { ProviderDirectory } from '../../federation/directory/provider-directory.ts';
import { insertRevocations } from '../../federation/revocation/identity-revocation.repository.ts';
import type { Database } from '../../ground/db/database.ts';
import { noteActivity } from '../../person/activity/note-activity.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices } from '../../person/delivery/notices.ts';
import {
  deleteFederatedIdentity,
  listFederatedIdentities,
} from '../../person/federated-identity/federated-identity.repository.ts';
import type { Dropping, ProvenOwner } from './proven-owner.ts';

export interface IdentityDropOptions {
  directory: Pick<ProviderDirectory, 'nameOf' | 'isEmpty'>;
  messages: Pick<MessageQueue, 'add'>;
  now: () => Date;
}

/**
 * Removes the ways in through identity providers that the person does not know: whoever had the account before may have
 * added them. One that is gone already, or older than what was proven, is passed over. Answers the providers.
 */
export const dropIdentities = async (
  trx: Kysely<Database>,
  { directory, messages, now }: IdentityDropOptions,
  { account }: ProvenOwner,
  { ids, contacts, brand, mayRemove }: Dropping,
): Promise<{ dropped: string[]; notices: Delivery[] }> => {
  if (ids.length === 0) return { dropped: [], notices: [] };
  const chosen = (await listFederatedIdentities(trx, account.id)).filter(
    ({ id, linked_at }) => ids.includes(id) && mayRemove(linked_at),
  );
  const notices: Delivery[] = [];
  for (const identity of chosen) {
    const provider = directory.nameOf(brand, identity.provider, account.locale);
    await deleteFederatedIdentity(trx, identity);
    await insertRevocations(trx, [identity]);
    await noteActivity(trx, {
      accountId: account.id,
      kind: 'provider_unlinked',
      brand: brand.id,
      detail: { name: provider },
    });
    const notice = {
      notice: 'provider_unlinked' as const,
      provider,
      at: now(),
      locale: account.locale,
      brand,
    };
    notices.push(...(await addNotices(trx, messages, contacts, notice)));
  }
  return { dropped: chosen.map(({ provider }) => provider), notices };
};
