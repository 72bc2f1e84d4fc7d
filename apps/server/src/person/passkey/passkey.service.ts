import type { Passkey, PasskeyCreationOptions } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import { AppError } from '../../ground/errors.ts';
import type { CurrentSession } from '../session/session.service.ts';
import { isLastWayIn, type ServedProviders } from './last-way-in.ts';
import {
  deletePasskey,
  findOfferDeclined,
  findUserHandle,
  listPasskeys,
  upsertOfferDeclined,
} from './passkey.repository.ts';
import { toPasskey } from './passkey.ts';
import { changePasskeys, type PasskeyChangeOptions, renamePasskey } from './passkey-change.ts';
import { addPasskey, type NewPasskey, optionsOfCreation, type PasskeyAsker } from './passkey-creation.ts';

/** Who declined a passkey is not offered one again for so long. */
const OFFER_AGAIN_MS = 90 * 24 * 3600 * 1000;

export interface PasskeyServiceOptions extends PasskeyChangeOptions {
  directory: ServedProviders;
}

/** A person's passkeys. */
export interface PasskeyService {
  /** Newest first. `userHandle` is absent for an account that never had one. */
  list(accountId: string, rpId: string): Promise<{ items: Passkey[]; rpId: string; userHandle?: string }>;
  /** How many passkeys of a relying party the account has. */
  count(accountId: string, rpId: string): Promise<number>;
  /**
   * What the browser needs to make a passkey. The challenge is good for 5 minutes and one answer, in this session and
   * browser.
   * @throws AppError passkeys_exhausted, rate_limited
   */
  creationOptions(current: CurrentSession, asker: PasskeyAsker): Promise<PasskeyCreationOptions>;
  /**
   * Keeps a passkey, and tells all contacts.
   * @throws AppError passkey_rejected, challenge_expired, passkey_exists, passkeys_exhausted,
   *   passkey_name_invalid, rate_limited, not_signed_in
   */
  add(current: CurrentSession, input: NewPasskey): Promise<Passkey>;
  /** @throws AppError passkey_name_invalid, not_found, rate_limited */
  rename(current: CurrentSession, id: string, name: string, rpId: string): Promise<Passkey>;
  /**
   * Removes a passkey, and tells all contacts.
   * @throws AppError not_found, last_way_in, rate_limited, not_signed_in
   */
  remove(current: CurrentSession, id: string, brand: Brand): Promise<void>;
  /** Whether a person without a passkey of this relying party may be offered one: they have not declined for 90 days. */
  isOfferDue(accountId: string, rpId: string): Promise<boolean>;
  declineOffer(accountId: string): Promise<void>;
}

export const createPasskeyService = (options: PasskeyServiceOptions): PasskeyService => {
  const { db, directory, events, now } = options;

  return {
    list: async (accountId, rpId) => {
      const own = await listPasskeys(db, accountId);
      const userHandle = await findUserHandle(db, accountId);
      return { items: own.map((row) => toPasskey(row, rpId)), rpId, ...(userHandle && { userHandle }) };
    },

    count: async (accountId, rpId) =>
      (await listPasskeys(db, accountId)).filter((row) => row.rp_id === rpId).length,

    creationOptions: (current, asker) => optionsOfCreation(options, current, asker),

    add: async (current, input) => toPasskey(await addPasskey(options, current, input), input.brand.rpId),

    rename: async (current, id, name, rpId) =>
      toPasskey(await renamePasskey(options, current, { id, name }), rpId),

    remove: async (current, id, brand) => {
      const { accountId } = current;
      const notice = 'passkey_removed';
      await changePasskeys(options, current, { notice, brand }, async (trx, record) => {
        const own = await listPasskeys(trx, accountId);
        const removed = own.find((row) => row.id === id);
        if (!removed) throw new AppError('not_found');
        if (await isLastWayIn(trx, directory, record, removed)) throw new AppError('last_way_in');
        await deletePasskey(trx, { id, account_id: accountId });
        return removed;
      });
      events.emit('passkey.removed', { accountId, brand: brand.id });
    },

    isOfferDue: async (accountId, rpId) => {
      const own = await listPasskeys(db, accountId);
      if (own.some((row) => row.rp_id === rpId)) return false;
      const declined = await findOfferDeclined(db, accountId);
      return !declined || now().getTime() - declined.getTime() >= OFFER_AGAIN_MS;
    },

    declineOffer: (accountId) => upsertOfferDeclined(db, accountId, now()),
  };
};
