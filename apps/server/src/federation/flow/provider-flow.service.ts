import type { Locale } from '@candela/contract';
import type { Kysely } from 'kysely';
import type { Brand } from '../../branding/brand/brand.ts';
import type { Database } from '../../ground/db/database.ts';
import { AppError } from '../../ground/errors.ts';
import type { EventFields, EventSink } from '../../ground/event/events.ts';
import { addressLimits } from '../../ground/rate-limit/address-limits.ts';
import { requireRateLimits } from '../../ground/rate-limit/rate-limit.service.ts';
import type { AttemptPlace, ProviderAttempts } from '../attempt/provider-attempt.service.ts';
import type { ProviderAtBrand, ProviderDirectory } from '../directory/provider-directory.ts';
import { detailOf } from '../identity-provider/detail-of.ts';
import type { ProvenIdentity } from '../identity-provider/provider-kind.ts';

export interface ProviderFlowOptions {
  db: Kysely<Database>;
  directory: ProviderDirectory;
  attempts: ProviderAttempts;
  limits: { perAddressPerHour: number };
  events: EventSink;
  now: () => Date;
}

/** Who goes through a provider, in which browser. */
interface Traveller {
  brand: Brand;
  /** The id of the provider. */
  provider: string;
  browserId: string;
}

/** Ways through identity providers, there and back. */
export interface ProviderFlow {
  /**
   * The address at the provider that the browser goes to.
   * @throws AppError not_found where the brand has no such provider; rate_limited, provider_unavailable
   */
  begin(
    who: Traveller,
    wish: { place: AttemptPlace; locale: Locale; anew: boolean; address: string },
  ): Promise<URL>;
  /**
   * Keeps what a provider answered; says where the browser goes on, undefined where nobody is expected.
   * @throws AppError not_found where the brand has no such provider
   */
  comeBack(
    who: Pick<Traveller, 'brand' | 'provider'>,
    parameters: URLSearchParams,
  ): Promise<AttemptPlace | undefined>;
  /**
   * Who came back, once and in the same browser.
   * @throws AppError provider_expired, interaction_expired as `takeAnswer`, and what the kind of the provider throws
   */
  identify(who: Traveller, state: string, place: AttemptPlace): Promise<ProvenIdentity>;
}

const HOUR = 3600;
/** Who changes their mind goes there more often than codes are sent. */
const TIMES_CODES = 4;

const isSame = (one: AttemptPlace, other: AttemptPlace): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const createProviderFlow = (options: ProviderFlowOptions): ProviderFlow => {
  const { db, directory, attempts, limits, events, now } = options;

  const note = (said: EventFields, { code, cause }: AppError): void =>
    events.emit('provider.refused', { ...said, reason: code, detail: detailOf(cause) });

  const noting = async <T>(said: EventFields, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) note(said, error);
      throw error;
    }
  };

  const requireProvider = (brand: Brand, id: string): ProviderAtBrand => {
    const found = directory.find(brand, id);
    if (!found) throw new AppError('not_found');
    return found;
  };

  const requireRoom = async (address: string): Promise<void> => {
    const limit = limits.perAddressPerHour * TIMES_CODES;
    if (limit === 0) return;
    const hour = addressLimits('provider.begin', address, { limit, windowSeconds: HOUR });
    await requireRateLimits(db, hour, now(), events);
  };

  return {
    begin: ({ brand, provider, browserId }, { address, ...wish }) =>
      noting({ brand: brand.id, provider }, async () => {
        const found = requireProvider(brand, provider);
        await requireRoom(address);
        const request = await attempts.begin({ brand: brand.id, provider, browserId }, wish);
        return found.kind.authorizationUrl(found.context, request);
      }),

    comeBack: async ({ brand, provider }, parameters) => {
      requireProvider(brand, provider);
      const state = parameters.get('state');
      return state === null
        ? undefined
        : attempts.keepAnswer({ brand: brand.id, provider }, state, parameters);
    },

    identify: ({ brand, provider, browserId }, state, place) =>
      noting({ brand: brand.id, provider }, async () => {
        const found = requireProvider(brand, provider);
        const answer = await attempts.takeAnswer({ brand: brand.id, provider, browserId }, state);
        if (!isSame(answer.place, place)) throw new AppError('provider_expired');
        const identity = await found.kind.identify(found.context, answer);
        if (identity.untold) note({ brand: brand.id, provider }, identity.untold);
        return identity;
      }),
  };
};
