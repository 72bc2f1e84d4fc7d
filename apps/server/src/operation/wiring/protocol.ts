import { createOutboundRequest } from '../../ground/outbound/outbound-request.ts';
import { sealingKeys } from '../../ground/seal.ts';
import { factsOf } from '../../http/request-state.ts';
import { createBackchannelLogoutService } from '../../link/backchannel-logout/backchannel-logout.service.ts';
import { loadPairwiseSalt } from '../../link/pairwise-salt/pairwise-salt.service.ts';
import { createLogoutSender } from '../../protocol/oidc/backchannel-logout.ts';
import { createBrandProviders } from '../../protocol/oidc/brand-providers.ts';
import { createFailedAuthentications } from '../../protocol/oidc/client/failed-authentication.ts';
import { createEnginePages } from '../../protocol/oidc/engine-pages.ts';
import { createGoogleKeys } from '../../protocol/oidc/google/google-keys.ts';
import { createGoogleLinks } from '../../protocol/oidc/google/google-links.ts';
import { createBrandProvider } from '../../protocol/oidc/provider.ts';
import { createAnonymousLimits } from '../../protocol/oidc/request/anonymous-limits.ts';
import { createNativeApprovals } from '../../protocol/oidc/request/native-approval.ts';
import { createClientSubjects } from '../../protocol/oidc/subject/client-subjects.ts';
import { loadNonceKey } from '../secret-key/kept-key.service.ts';
import { wireDocuments } from './documents.ts';
import type { Foundation } from './foundation.ts';
import type { WiredIdentity } from './identity.ts';
import type { WiredPages } from './pages.ts';
import type { WiredProofs } from './proofs.ts';
import type { WiredStorage } from './storage.ts';

export type WiredProtocol = Awaited<ReturnType<typeof wireProtocol>>;

/** The authorization server of each brand, and the logouts that it sends to clients. */
export const wireProtocol = async (
  foundation: Foundation,
  storage: WiredStorage,
  { grants, agreements }: Pick<WiredIdentity, 'grants' | 'agreements'>,
  { messages }: Pick<WiredProofs, 'messages'>,
  { pages }: Pick<WiredPages, 'pages'>,
) => {
  const {
    config,
    connection: { db },
    logger,
    events,
    now,
  } = foundation;
  const { clients, clientRecords, resourceServers, changes } = storage;
  const documents = wireDocuments(foundation, storage);
  const { brands, secretKeys, cookieKeys, backchannelHosts } = config;
  const pairwiseSalt = await loadPairwiseSalt({ db, secretKeys });
  const outbound = createOutboundRequest({ privateHosts: backchannelHosts, plainAtPrivateHosts: true });
  const shared = {
    db,
    servedBrands: brands.map(({ id }) => id),
    clients,
    documents,
    resourceServers,
    consents: grants,
    events,
    hasOpenRegistration: config.dynamicRegistration === 'open',
    records: clientRecords,
    logger,
    anonymousLimits: createAnonymousLimits({ db, events }),
    failures: createFailedAuthentications({ db, events }),
    userCodeKeys: {
      hash: sealingKeys(secretKeys, 'user codes'),
      seal: sealingKeys(secretKeys, 'user codes shown'),
    },
    cookieKeys,
    nonceKey: await loadNonceKey({ db, secretKeys }),
    pairwiseSalt,
    outbound,
    pages: createEnginePages({ pages, clients, logger }),
    facts: factsOf,
    google: {
      keys: createGoogleKeys(outbound),
      links: createGoogleLinks({ db, agreements, messages, events, now }),
      facts: factsOf,
    },
  };
  const { providers, signingKeys, close } = await createBrandProviders({
    brands,
    db,
    secretKeys,
    changes,
    logger,
    createProvider: (brand, signingKeys) => createBrandProvider({ ...shared, brand, signingKeys }),
  });
  const sender = createLogoutSender(providers);
  const logouts = createBackchannelLogoutService({ db, sender, events, logger });
  changes.on('backchannel_logout', logouts.wake);
  return {
    providers,
    signingKeys,
    subjects: createClientSubjects(providers, pairwiseSalt),
    outbound,
    nativeApprovals: createNativeApprovals({ db, providers, clients, events, now }),
    close: async () => {
      await Promise.all([logouts.close(), documents?.close()]);
      await close();
    },
  };
};
