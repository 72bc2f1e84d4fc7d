import { accountScopes } from '../../../branding/scope/account-scopes.ts';
import { readWords } from '../../../branding/scope/space-separated.ts';
import type { Client } from '../../../clients/client/client.service.ts';
import { JWT_BEARER } from '../../../clients/client/google-linking-rules.ts';
import { hasSecret } from '../../../clients/client/registration.ts';

type Metadata = Client['metadata'];

/**
 * Takes the place of the secret that the engine wants of a client which authenticates by one. Nothing compares it:
 * `createSecretComparison` does that, over the stored hashes.
 */
const NO_SECRET = 'the secrets of a client are stored elsewhere';

/** The page at which a developer tries the client out. */
const TRIAL_PATH = '/developers/try';

const knownScope = ({ scope, links_to }: Metadata): { scope?: string | undefined } => {
  // The engine would refuse what else a platform sends. `settleScope` leaves it out.
  if (links_to !== undefined) return { scope: undefined };
  if (typeof scope !== 'string' || scope === '') return {};
  const known = readWords(scope).filter((name) => accountScopes.includes(name));
  // Without a scope the engine would let the client ask for all.
  return { scope: known.join(' ') || 'openid' };
};

const grantTypesOf = ({ grant_types: types }: Metadata): unknown[] => (Array.isArray(types) ? types : []);

/**
 * A client's metadata as the engine takes them. Their `scope` (RFC 7591 section 2) keeps the account's scopes, which
 * the engine knows; the scopes of a resource are looked up when a request names the resource.
 */
export const toEngineMetadata = (metadata: Metadata): Metadata => ({
  ...metadata,
  ...knownScope(metadata),
  // Its registration says so by a field of its own: the grant type alone would not say whose assertions are taken.
  ...(metadata.google_client_ids !== undefined && {
    grant_types: [...grantTypesOf(metadata), JWT_BEARER],
  }),
  ...(hasSecret(metadata) && { client_secret: NO_SECRET }),
});

/**
 * As `toEngineMetadata`. A client with developers has one more redirect URI, at the brand's own origin, for an app
 * that people are led back to at all. It is neither stored nor shown. A pairwise client of one host
 * has none: with a second host it would need a sector_identifier_uri (OpenID Connect Core section 8.1).
 */
export const toEngineClient = ({ metadata, hasMembers }: Client, origin: string): Metadata => {
  const { redirect_uris: uris } = metadata;
  const taken = toEngineMetadata(metadata);
  if (!hasMembers || !Array.isArray(uris) || uris.length === 0) return taken;
  if (metadata.subject_type === 'pairwise' && metadata.sector_identifier_uri === undefined) return taken;
  return { ...taken, redirect_uris: [...uris, `${origin}${TRIAL_PATH}`] };
};
