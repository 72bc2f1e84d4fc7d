import type { Locale, ProviderArrival } from '@candela/contract';
import { hashToken } from '../../ground/opaque-token.ts';
import type { ProvenIdentity } from '../identity-provider/provider-kind.ts';
import { type ArrivalOptions, type ArrivalPlace, toArrivalKey } from './arrival.ts';
import { joinArrival, type ProvenSignIn } from './joining.ts';
import { ARRIVAL_SECONDS, providerArrivalRows } from './provider-arrival.repository.ts';
import { type KnownPerson, receive } from './receiving.ts';
import { type RegisterArrival, type RegisteredPerson, registerArrival } from './registering.ts';

/** Who came from an identity provider. */
export interface ProviderArrivals {
  /**
   * The person of an account that this way in opens; undefined for anybody else, who waits in the interaction.
   * @throws AppError account_disabled, provider_failed
   */
  receive(place: ArrivalPlace, provider: string, identity: ProvenIdentity): Promise<KnownPerson | undefined>;
  find(place: ArrivalPlace, locale: Locale): Promise<ProviderArrival | undefined>;
  /** @throws AppError as `registerArrival` */
  register(input: RegisterArrival): Promise<RegisteredPerson>;
  /** Adds the way in to the account that its person was to prove, and has. */
  join(place: ArrivalPlace, signIn: ProvenSignIn): Promise<void>;
  drop(place: Omit<ArrivalPlace, 'browserId'>): Promise<void>;
}

export const createProviderArrivals = (options: ArrivalOptions): ProviderArrivals => {
  const { db, directory, events, now } = options;

  return {
    receive: async (place, provider, identity) => {
      const known = await receive(options, place, provider, identity);
      if (!known) events.emit('provider.arrived', { brand: place.brand.id, provider });
      return known;
    },

    find: async (place, locale) => {
      const row = await providerArrivalRows.find(db, toArrivalKey(place), now());
      const found = row && directory.find(place.brand, row.provider);
      if (!row || !found) return undefined;
      const email = row.email_by_code ?? row.email;
      return {
        id: row.provider,
        kind: found.provider.kind,
        name: directory.nameOf(place.brand, row.provider, locale),
        state: row.account_id === null ? 'new' : 'existing-account',
        arrivedAt: new Date(row.expires_at.getTime() - ARRIVAL_SECONDS * 1000).toISOString(),
        ...(email !== null && { email }),
        emailProven: row.email_proven || row.email_by_code !== null,
        ...(row.name !== null && { nickname: row.name }),
      };
    },

    register: (input) => registerArrival(options, input),

    join: (place, signIn) => joinArrival(options, place, signIn),

    drop: async ({ brand, interaction }) => {
      await providerArrivalRows.endOf(db, hashToken(interaction), { brand: brand.id });
    },
  };
};
