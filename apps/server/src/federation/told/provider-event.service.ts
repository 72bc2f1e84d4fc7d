import type { ProviderKindName } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import { inTransaction } from '../../ground/db/transact.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import type { Delivery } from '../../person/delivery/message-queue.ts';
import { listIdentitiesOfSubject } from '../../person/federated-identity/federated-identity.repository.ts';
import { deleteGoogleSubject } from '../../person/google-subject/google-subject.repository.ts';
import type { ProviderDirectory } from '../directory/provider-directory.ts';
import { detailOf } from '../identity-provider/detail-of.ts';
import type { ToldByProvider } from '../identity-provider/provider-kind.ts';
import { type EffectOptions, takeEffect } from './event-effects.ts';
import { insertProviderEvent } from './provider-event.repository.ts';

const DAY_MS = 86_400_000;
/** What a provider wrote longer ago is not believed any more. */
const BELIEVED_MS = 30 * DAY_MS;
/** For longer than that it is known what was told. */
const KNOWN_MS = 60 * DAY_MS;

export interface ProviderEventOptions extends EffectOptions {
  db: Kysely<Database>;
  directory: ProviderDirectory;
  events: EventSink;
  now: () => Date;
}

/** Hears what identity providers tell by themselves of people there. */
export interface ProviderEventService {
  /**
   * Verifies what came, and acts on it once; whoever sends it again is answered alike.
   * @param body of the request, as it came
   * @returns the status that the provider wants
   * @throws AppError not_found where the provider tells nothing; invalid_request where it did not write this for us;
   *   provider_unavailable, provider_failed where its keys cannot be read
   */
  hear(brand: Brand, providerId: string, body: string): Promise<number>;
}

export const createProviderEventService = (options: ProviderEventOptions): ProviderEventService => {
  const { db, brands, directory, events, now } = options;

  const act = async (
    trx: Kysely<Database>,
    kind: ProviderKindName,
    { events: told, audience }: ToldByProvider,
  ): Promise<Delivery[]> => {
    // The provider tells one address, whatever the brands, and may tell several apps at once.
    const places = directory.placesOfApps(brands, kind, audience);
    const notices: Delivery[] = [];
    for (const { effect, subject } of told) {
      if (!effect || !subject) continue;
      for (const identity of await listIdentitiesOfSubject(trx, subject, places))
        notices.push(...(await takeEffect(trx, options, { effect, identity })));
      // By its word alone Google links the accounts that were made by it (decision 143).
      if (effect === 'closes' && kind === 'google') await deleteGoogleSubject(trx, subject);
    }
    return notices;
  };

  return {
    hear: async (brand, providerId, body) => {
      const found = directory.find(brand, providerId);
      const hear = found?.kind.hear;
      if (!found || !hear) throw new AppError('not_found');
      const { provider, context } = found;
      const told = await hear(context, body).catch((error: unknown) => {
        const reason = error instanceof AppError ? error.code : 'internal_error';
        const detail = detailOf(error instanceof AppError ? (error.cause ?? error) : error);
        events.emit('provider.not_heard', { brand: brand.id, provider: providerId, reason, detail });
        throw error;
      });
      const at = now();
      const isLate = at.getTime() - told.at.getTime() > BELIEVED_MS;
      const row = { kind: provider.kind, jti: told.jti, received_at: at };
      const notices = await inTransaction(db, async (trx) => {
        const expires_at = new Date(at.getTime() + KNOWN_MS);
        if (isLate || !(await insertProviderEvent(trx, { ...row, expires_at }))) return undefined;
        return act(trx, provider.kind, told);
      });
      for (const { name, effect = 'noted', why = '' } of notices ? told.events : [])
        events.emit('provider.told', {
          brand: brand.id,
          provider: providerId,
          reason: effect,
          detail: `${name} ${why}`.trim(),
        });
      await Promise.all((notices ?? []).map((notice) => notice.start()));
      return told.status;
    },
  };
};
