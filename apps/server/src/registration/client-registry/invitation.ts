import type { ClientMember } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Developer } from '../../clients/client/actor.ts';
import { hitRateLimit } from '../../ground/rate-limit/rate-limit.service.ts';
import { listAccounts } from '../../person/account/account.repository.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import { addNotices, hearersOf } from '../../person/delivery/notices.ts';
import type { ClientRegistry } from './client-registry.ts';

export interface InvitationsOptions {
  registry: Pick<ClientRegistry, 'addMember'>;
  messages: Pick<MessageQueue, 'add'>;
  now: () => Date;
}

export interface Invitations {
  /** As `addMember` of the registry. A developer who was none of the client’s is told by a message of the brand. */
  invite(actor: Developer, id: string, identifier: string, brand: Brand): Promise<ClientMember>;
}

/** So many invitations of a day are told to one developer: taking off and inviting again is no way to write to people. */
const TOLD_A_DAY = 10;
const DAY_SECONDS = 86_400;

export const createInvitations = ({ registry, messages, now }: InvitationsOptions): Invitations => ({
  invite: async (actor, id, identifier, brand) => {
    let notices: Delivery[] = [];
    const member = await registry.addMember(actor, id, identifier, async (trx, accountId) => {
      const at = now();
      const limit = { key: `invitations ${accountId}`, limit: TOLD_A_DAY, windowSeconds: DAY_SECONDS };
      const [record] = await listAccounts(trx, [accountId]);
      // A disabled account, and one that leaves, gets nothing but what it needs.
      if (record?.account.status !== 'active' || record.account.leaving_at) return;
      if ((await hitRateLimit(trx, limit, at)) !== undefined) return;
      const { locale } = record.account;
      const notice = { notice: 'app_shared', at, locale, brand } as const;
      notices = await addNotices(trx, messages, hearersOf(record.identifiers), notice);
    });
    await Promise.all(notices.map((notice) => notice.start()));
    return member;
  },
});
