import { createProviderArrivals } from '../../federation/arrival/provider-arrival.service.ts';
import { createProviderAttempts } from '../../federation/attempt/provider-attempt.service.ts';
import { createProviderDirectory } from '../../federation/directory/provider-directory.ts';
import { createProviderFlow } from '../../federation/flow/provider-flow.service.ts';
import { createProviderFetch } from '../../federation/identity-provider/provider-fetch.ts';
import { createProviderLinking } from '../../federation/linking/provider-linking.service.ts';
import { createIdentityRevocationService } from '../../federation/revocation/identity-revocation.service.ts';
import { createProviderEventService } from '../../federation/told/provider-event.service.ts';
import { createOutboundRequest } from '../../ground/outbound/outbound-request.ts';
import type { Agreements } from '../../person/agreement/agreement.service.ts';
import type { Foundation } from './foundation.ts';
import type { WiredProofs } from './proofs.ts';

/** The identity providers that people may sign in with. */
export const wireFederation = (
  { config, connection: { db }, events, now, reachProvider = (address) => address }: Foundation,
  { messages, verification }: Pick<WiredProofs, 'messages' | 'verification'>,
  agreements: Pick<Agreements, 'require'>,
) => {
  const { brands, providers, providerHosts, secretKeys, codes: limits } = config;
  const ask = createOutboundRequest({ privateHosts: providerHosts, plainAtPrivateHosts: true });
  const fetch = createProviderFetch(ask);
  const directory = createProviderDirectory({
    providers,
    fetch: (address, init) => fetch(reachProvider(address), init),
  });
  const base = { db, directory, messages, secretKeys, events, now, limits };
  const attempts = createProviderAttempts({ db, now });
  return {
    directory,
    arrivals: createProviderArrivals({ ...base, verification, agreements }),
    providerFlow: createProviderFlow({ ...base, attempts }),
    providerLinking: createProviderLinking(base),
    providerEvents: createProviderEventService({ ...base, brands }),
    revocations: createIdentityRevocationService({ ...base, brands }),
  };
};
