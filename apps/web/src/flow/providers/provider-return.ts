import {
  PROVIDER_LINKED,
  type ProviderReason,
  providerReasons,
} from '@candela/contract/rules/provider-return';

/** A way through a provider that ended without a sign-in. */
export interface ProviderReturn {
  /** The id of the provider. */
  provider: string;
  reason: ProviderReason;
}

/** Reads it from the query that the server redirects to. Anybody may have written that query. */
export const readProviderReturn = (search: URLSearchParams): ProviderReturn | undefined => {
  const said = search.get('reason');
  const reason = providerReasons.find((known) => known === said);
  return reason && { provider: search.get('provider') ?? '', reason };
};

/** The id of the provider that was just linked, as the query says. */
export const readLinked = (search: URLSearchParams): string | undefined =>
  search.get('reason') === PROVIDER_LINKED ? (search.get('provider') ?? undefined) : undefined;
