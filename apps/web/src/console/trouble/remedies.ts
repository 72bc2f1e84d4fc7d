import type { ClientErrorKind } from '@candela/contract';
import type { SectionName } from '../page-of.ts';

/** The section of the page where a kind of error is mended; absent where nothing of the registration mends it. */
export const remedies: Partial<Record<ClientErrorKind, { section: SectionName; label: RemedyLabel }>> = {
  redirect_uri_mismatch: { section: 'addresses', label: 'toAddresses' },
  wrong_secret: { section: 'secrets', label: 'toSecrets' },
  expired_secret: { section: 'secrets', label: 'toSecrets' },
  wrong_auth_method: { section: 'facts', label: 'toFacts' },
  missing_pkce: { section: 'snippets', label: 'toSnippets' },
  wrong_verifier: { section: 'snippets', label: 'toSnippets' },
  scope_not_registered: { section: 'permissions', label: 'toPermissions' },
  resource_unknown: { section: 'permissions', label: 'toPermissions' },
  grant_type_not_registered: { section: 'facts', label: 'toFacts' },
  response_type_not_registered: { section: 'facts', label: 'toFacts' },
};

type RemedyLabel = 'toAddresses' | 'toSecrets' | 'toFacts' | 'toSnippets' | 'toPermissions';
