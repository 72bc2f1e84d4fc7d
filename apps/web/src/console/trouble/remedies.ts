import type { ClientErrorKind } from '@candela/contract';
import type { SectionName } from '../page-of.ts';

/** The section of the page where a kind of error is mended; absent where nothing of the registration mends it. */
export const remedies: Partial<Record<ClientErrorKind, { section: SectionName; label: RemedyLabel }>> = {
  redirect_uri_mismatch: { section: 'addresses', label: 'toAddresses' },
  wrong_secret: { section: 'secrets', label: 'toSecrets' },
  expired_secret: { section: 'secrets', label: 'toSecrets' },
  empty_secret: { section: 'secrets', label: 'toSecrets' },
  wrong_auth_method: { section: 'facts', label: 'toFacts' },
  missing_pkce: { section: 'snippets', label: 'toSnippets' },
  wrong_verifier: { section: 'snippets', label: 'toSnippets' },
  scope_not_registered: { section: 'permissions', label: 'toPermissions' },
  resource_unknown: { section: 'permissions', label: 'toPermissions' },
  grant_type_not_registered: { section: 'facts', label: 'toFacts' },
  response_type_not_registered: { section: 'facts', label: 'toFacts' },
};

type RemedyLabel = 'toAddresses' | 'toSecrets' | 'toFacts' | 'toSnippets' | 'toPermissions';

const guides: Partial<Record<ClientErrorKind, string>> = {
  wrong_auth_method: 'requests#how-does-a-client-authenticate-by-a-key',
  missing_pkce: 'requests#how-do-i-switch-pkce-on',
  wrong_verifier: 'requests#how-do-i-switch-pkce-on',
  scope_not_registered: 'what-to-expect#what-does-a-request-without-a-scope-get',
  resource_unknown: 'apis#how-does-an-app-ask-for-a-token',
  refresh_token_unknown: 'tokens#how-do-i-refresh-tokens',
  refresh_token_theft: 'tokens#how-do-i-refresh-tokens',
  dpop: 'requests#how-do-i-bind-tokens-to-a-key-dpop',
  request_object: 'requests#signed-requests',
};

/** Where the documentation tells more of a kind of error. */
export const guideTo = (kind: ClientErrorKind): string => guides[kind] ?? 'errors#what-does-an-error-mean';
