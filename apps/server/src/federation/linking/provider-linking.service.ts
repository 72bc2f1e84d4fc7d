import type { Locale, ProviderOfAccount } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import { ADDED_HOURS } from '../../person/addition/addition.repository.ts';
import {
  deleteFederatedIdentity,
  listFederatedIdentities,
} from '../../person/federated-identity/federated-identity.repository.ts';
import type { FederatedIdentityRow } from '../../person/federated-identity/federated-identity.table.ts';
import { isLastWayIn } from '../../person/passkey/last-way-in.ts';
import type { CurrentSession } from '../../person/session/session.service.ts';
import type { ProvenIdentity } from '../identity-provider/provider-kind.ts';
import { noteLinked, noteUnlinked } from '../noting/note-linked.ts';
import { insertRevocations } from '../revocation/identity-revocation.repository.ts';
import { type AtProvider, changingWays, openWayIn, type ProviderLinkingOptions } from './changing-ways.ts';

/** The ways into an account through identity providers. */
export interface ProviderLinking {
  /** The providers of a brand, and which of them open the account. */
  list(accountId: string, brand: Brand, locale: Locale): Promise<ProviderOfAccount[]>;
  /** Since when a provider opens the account, closed ones included. @throws AppError not_found */
  requireSince(accountId: string, at: AtProvider): Promise<Date | undefined>;
  /** @throws AppError not_found, provider_exists, where a way in through it is open */
  requireUnlinked(accountId: string, at: AtProvider): Promise<void>;
  /**
   * Lets whom the provider proved sign in to the account; tells all contacts.
   * @throws AppError provider_taken, provider_exists, provider_failed, rate_limited, not_signed_in
   */
  link(current: CurrentSession, at: AtProvider, identity: ProvenIdentity): Promise<void>;
  /**
   * Removes a way in; tells all contacts.
   * @throws AppError not_found, last_way_in, rate_limited, not_signed_in
   */
  unlink(current: CurrentSession, at: AtProvider): Promise<void>;
}

const toWay = ({ linked_at, last_used_at, email, closed_at }: FederatedIdentityRow) => ({
  linkedAt: linked_at.toISOString(),
  ...(last_used_at && { lastUsedAt: last_used_at.toISOString() }),
  ...(email !== null && { email }),
  ...(closed_at && { closed: true as const }),
});

export const createProviderLinking = (options: ProviderLinkingOptions): ProviderLinking => {
  const { db, directory, events } = options;

  const findAt = async (on: Kysely<Database>, accountId: string, { brand, provider }: AtProvider) =>
    (await listFederatedIdentities(on, accountId)).find(
      (own) => own.brand === brand.id && own.provider === provider,
    );

  return {
    list: async (accountId, brand, locale) => {
      if (directory.isEmpty) return [];
      const own = (await listFederatedIdentities(db, accountId)).filter((row) => row.brand === brand.id);
      return directory.list(brand, locale).map((offered) => {
        const row = own.find(({ provider }) => provider === offered.id);
        return { ...offered, ...(row && toWay(row)) };
      });
    },

    requireSince: async (accountId, at) => {
      const found = await findAt(db, accountId, at);
      if (!found) throw new AppError('not_found');
      return directory.find(at.brand, at.provider) && found.linked_at;
    },

    requireUnlinked: async (accountId, at) => {
      if (!directory.find(at.brand, at.provider)) throw new AppError('not_found');
      const found = await findAt(db, accountId, at);
      if (found && found.closed_at === null) throw new AppError('provider_exists');
    },

    link: async (current, at, identity) => {
      const { accountId } = current;
      await changingWays(options, current, async (trx, record, moment) => {
        const identityId = await openWayIn(trx, options, accountId, at, identity);
        const name = directory.nameOf(at.brand, at.provider, record.account.locale);
        const noted = { name, at: moment, brand: at.brand, session: current };
        return noteLinked(trx, options, record, { ...noted, identityId });
      });
      events.emit('provider.linked', { accountId, brand: at.brand.id, provider: at.provider });
    },

    unlink: async (current, at) => {
      const { accountId } = current;
      await changingWays(options, current, async (trx, record, moment) => {
        const found = await findAt(trx, accountId, at);
        if (!found) throw new AppError('not_found');
        if (found.closed_at === null && (await isLastWayIn(trx, directory, record, found)))
          throw new AppError('last_way_in');
        const removed = await deleteFederatedIdentity(trx, found);
        if (!removed) throw new AppError('not_found');
        // As long as the link in the notice puts it back, nothing is given back.
        await insertRevocations(trx, [removed], { afterSeconds: ADDED_HOURS * 3_600 });
        const name = directory.nameOf(at.brand, at.provider, record.account.locale);
        return noteUnlinked(trx, options, record, {
          removed,
          name,
          at: moment,
          brand: at.brand,
          session: current,
        });
      });
      events.emit('provider.unlinked', { accountId, brand: at.brand.id, provider: at.provider });
    },
  };
};
