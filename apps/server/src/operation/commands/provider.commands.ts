import type { Brand } from '../../branding/brand/brand.ts';
import {
  createProviderDirectory,
  type ProviderAtBrand,
} from '../../federation/directory/provider-directory.ts';
import { createProviderFetch } from '../../federation/identity-provider/provider-fetch.ts';
import { createOutboundRequest } from '../../ground/outbound/outbound-request.ts';
import { readConfig } from '../config/config.ts';
import { ownEnvironment } from '../config/own-environment.ts';
import { environmentCommand } from './command.ts';

/** An entry of PROVIDERS_FILE at the brands that have it, with what is wrong with it. */
const checkEntry = async (found: readonly ProviderAtBrand[]) => {
  const [{ provider, kind, context }] = found as [ProviderAtBrand, ...ProviderAtBrand[]];
  return {
    id: provider.id,
    kind: provider.kind,
    redirectUris: found.map(({ context: { redirectUri } }) => redirectUri),
    problems: (await kind.check?.(context)) ?? [],
  };
};

const findAt = (brands: readonly Brand[], id: string): ProviderAtBrand[][] => {
  const { providers, providerHosts } = readConfig(ownEnvironment());
  const ask = createOutboundRequest({ privateHosts: providerHosts, plainAtPrivateHosts: true });
  const directory = createProviderDirectory({ providers, fetch: createProviderFetch(ask) });
  const found = brands.flatMap((brand) => directory.find(brand, id) ?? []);
  return [...Map.groupBy(found, ({ provider }) => provider).values()];
};

export const providerCommands = [
  environmentCommand({
    name: 'provider check',
    summary:
      'asks an identity provider whether its entry in PROVIDERS_FILE is right, and says what to change',
    args: ['ID'],
    example: 'provider check google',
    run: async ({ note, args: [id] }) => {
      const { brands } = readConfig(ownEnvironment());
      const entries = findAt(brands, id);
      if (entries.length === 0)
        throw new Error(`PROVIDERS_FILE has no entry "${id}" of a brand that is served`);
      const checked = await Promise.all(entries.map(checkEntry));
      const problems = checked.flatMap((entry) => entry.problems);
      for (const problem of problems) note(`wrong: ${problem}`);
      return {
        value: checked,
        lines: checked.flatMap(({ kind, redirectUris, problems: own }) => [
          ...redirectUris.map((uri) => `redirect URI  ${uri}`),
          own.length > 0
            ? `${kind}: ${own.length} ${own.length === 1 ? 'thing is' : 'things are'} wrong, see standard error`
            : `${kind}: the provider knows this entry; whether it knows the redirect URI only a sign-in shows`,
        ]),
        refused: problems.length > 0,
      };
    },
  }),
];
