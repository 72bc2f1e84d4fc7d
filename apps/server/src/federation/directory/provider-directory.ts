import type { Locale, ProviderOffered } from '@candela/contract';
import type { Brand } from '../../branding/brand/brand.ts';
import type { IdentityProvider } from '../identity-provider/identity-provider.ts';
import type { ProviderContext, ProviderFetch, ProviderKind } from '../identity-provider/provider-kind.ts';
import { kinds } from '../kind/kinds.ts';

/** A provider at a brand: how it differs, and the means to speak with it. */
export interface ProviderAtBrand {
  provider: IdentityProvider;
  kind: ProviderKind;
  context: ProviderContext;
}

/** A provider at a brand, by their ids. */
export interface ProviderPlace {
  brand: string;
  provider: string;
}

type OwnBrand = Pick<Brand, 'id' | 'origin'>;

/** The identity providers that people may sign in with. */
export interface ProviderDirectory {
  /** There are none: nothing is asked of the database about them. */
  isEmpty: boolean;
  /** Those of a brand, in the order of a language: its own first, then those of no language, then the others. */
  list(brand: OwnBrand, locale: Locale): ProviderOffered[];
  find(brand: OwnBrand, id: string): ProviderAtBrand | undefined;
  /** Whether a provider still opens accounts at a brand, by their ids. */
  isServed(brand: string, id: string): boolean;
  /** Where apps at the providers of a kind sign people in, whatever the brand. */
  placesOfApps(brands: readonly OwnBrand[], kind: string, clientIds: readonly string[]): ProviderPlace[];
  /** What people call a provider; its id where it is not there any more. */
  nameOf(brand: OwnBrand, id: string, locale: Locale): string;
}

export interface ProviderDirectoryOptions {
  providers: readonly IdentityProvider[];
  fetch: ProviderFetch;
}

const nameOf = ({ provider, kind }: Pick<ProviderAtBrand, 'provider' | 'kind'>, locale: Locale): string => {
  const name = provider.name ?? kind.name;
  return (typeof name === 'string' ? name : (name?.[locale] ?? name?.en)) ?? provider.id;
};

const rankOf = ({ provider, kind }: ProviderAtBrand, locale: Locale): number => {
  const languages = provider.languages ?? kind.languages ?? [];
  if (languages.includes(locale)) return 0;
  return languages.length === 0 ? 1 : 2;
};

export const createProviderDirectory = ({
  providers,
  fetch,
}: ProviderDirectoryOptions): ProviderDirectory => {
  const listAt = ({ id: brand, origin }: OwnBrand): ProviderAtBrand[] =>
    providers
      .filter((provider) => provider.brand === undefined || provider.brand === brand)
      .flatMap((provider) => {
        const kind = kinds[provider.kind];
        const redirectUri = `${origin}/sign-in/${provider.id}/callback`;
        return kind ? [{ provider, kind, context: { provider, redirectUri, fetch } }] : [];
      });

  const find = (brand: OwnBrand, id: string) => listAt(brand).find(({ provider }) => provider.id === id);

  return {
    isEmpty: providers.length === 0,
    list: (brand, locale) =>
      listAt(brand)
        .toSorted((a, b) => rankOf(a, locale) - rankOf(b, locale))
        .map((one) => ({ id: one.provider.id, kind: one.provider.kind, name: nameOf(one, locale) })),
    find,
    isServed: (brand, id) =>
      providers.some((one) => one.id === id && (one.brand === undefined || one.brand === brand)),
    placesOfApps: (brands, kind, clientIds) =>
      brands.flatMap((brand) =>
        listAt(brand)
          .filter(({ provider }) => provider.kind === kind && clientIds.includes(provider.clientId))
          .map(({ provider }) => ({ brand: brand.id, provider: provider.id })),
      ),
    nameOf: (brand, id, locale) => {
      const found = find(brand, id);
      return found ? nameOf(found, locale) : id;
    },
  };
};
