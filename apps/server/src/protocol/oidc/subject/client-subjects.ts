import type Provider from 'oidc-provider';
import type { ClientSubjects } from '../../../link/stream/stream-subjects.ts';
import { pairwiseSubject } from './pairwise-subject.ts';

/** Knows the subjects of clients as their id_tokens have them (OpenID Connect Core section 8). */
export const createClientSubjects = (
  providers: ReadonlyMap<string, { provider: Provider }>,
  salt: Buffer,
): ClientSubjects => ({
  findOfClient: async ({ brand, clientId }) => {
    const client = await providers.get(brand)?.provider.Client.find(clientId);
    if (!client) return undefined;
    const isPairwise = client.subjectType === 'pairwise';
    return {
      isPairwise,
      of: (accountId) => (isPairwise ? pairwiseSubject(salt, client.sectorIdentifier, accountId) : accountId),
    };
  },
});
