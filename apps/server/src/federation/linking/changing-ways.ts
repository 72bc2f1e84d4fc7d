import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import type { AccountRecord } from '../../person/account/account.repository.ts';
import type { Delivery, MessageQueue } from '../../person/delivery/message-queue.ts';
import {
  findFederatedIdentity,
  insertFederatedIdentity,
  openFederatedIdentity,
} from '../../person/federated-identity/federated-identity.repository.ts';
import { sealRefreshToken } from '../../person/federated-identity/refresh-token-sealing.ts';
import { lockOwnAccount } from '../../person/session/lock-own-account.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { ProviderDirectory } from '../directory/provider-directory.ts';
import { emailOf, requireSubject } from '../identity-provider/proven-identity.ts';
import type { ProvenIdentity } from '../identity-provider/provider-kind.ts';

export interface ProviderLinkingOptions {
  db: Kysely<Database>;
  directory: ProviderDirectory;
  messages: Pick<MessageQueue, 'add'>;
  secretKeys: readonly string[];
  events: EventSink;
  now: () => Date;
}

export interface AtProvider {
  brand: Brand;
  /** The id of the provider. */
  provider: string;
}

const HOUR = 3600;

/** All contacts get a notice of each, and nobody may flood them. */
const limitsOf = (accountId: string) => [
  { key: `provider.change.hour ${accountId}`, limit: 10, windowSeconds: HOUR },
  { key: `provider.change.day ${accountId}`, limit: 20, windowSeconds: 24 * HOUR },
];

/**
 * Adds the way in, or opens again the one that was closed; answers its id.
 * @throws AppError provider_taken, provider_exists, provider_failed
 */
export const openWayIn = async (
  trx: Kysely<Database>,
  { secretKeys, now }: ProviderLinkingOptions,
  accountId: string,
  { brand, provider }: AtProvider,
  identity: ProvenIdentity,
): Promise<string> => {
  const at = { brand: brand.id, provider, subject: requireSubject(identity) };
  const found = await findFederatedIdentity(trx, at);
  if (found && found.account_id !== accountId) throw new AppError('provider_taken');
  const told = {
    email: emailOf(identity)?.display ?? null,
    refresh_token_sealed: sealRefreshToken(secretKeys, identity.refreshToken),
  };
  if (found && (await openFederatedIdentity(trx, found, told, now()))) return found.id;
  const row = {
    ...at,
    ...told,
    id: randomUUID(),
    account_id: accountId,
    linked_at: now(),
    last_used_at: null,
    closed_at: null,
  };
  if (!(await insertFederatedIdentity(trx, row))) {
    // Of two accounts that link one subject at once, one was quicker.
    const quicker = await findFederatedIdentity(trx, at);
    const isElsewhere = quicker !== undefined && quicker.account_id !== accountId;
    throw new AppError(isElsewhere ? 'provider_taken' : 'provider_exists');
  }
  return row.id;
};

/** Changes the ways in under the lock of the account, and sends the notices. */
export const changingWays = async (
  { db, events, now }: ProviderLinkingOptions,
  current: CurrentSession,
  change: (trx: Kysely<Database>, record: AccountRecord, at: Date) => Promise<Delivery[]>,
): Promise<void> => {
  const at = now();
  const notices = await inTransaction(db, async (trx) => {
    const record = await lockOwnAccount(trx, current);
    const added = await change(trx, record, at);
    await requireRateLimits(trx, limitsOf(current.accountId), at, events);
    return added;
  });
  await Promise.all(notices.map((notice) => notice.start()));
};
