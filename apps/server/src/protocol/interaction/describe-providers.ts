import type { InteractionDetails, Locale } from '@candela/contract';
import type { Context } from 'koa';
import type { ProviderArrivals } from '../../federation/arrival/provider-arrival.service.ts';
import type { ProviderDirectory } from '../../federation/directory/provider-directory.ts';
import { readBrowserId } from '../../http/browser-cookie.ts';
import { stateOf } from '../../http/request-state.ts';
import { readLastProvider } from './last-provider-cookie.ts';

export interface DescribeProvidersOptions {
  directory: ProviderDirectory;
  arrivals: Pick<ProviderArrivals, 'find'>;
}

/** Describes the identity providers of the brand, the one used last in the browser first, and who came from one. */
export const createProviderDescriber =
  ({ directory, arrivals }: DescribeProvidersOptions) =>
  async (
    ctx: Context,
    interaction: string,
    locale: Locale,
  ): Promise<Pick<InteractionDetails, 'providers' | 'provider'>> => {
    const { brand } = stateOf(ctx);
    const last = readLastProvider(ctx);
    const offered = directory.list(brand, locale);
    if (offered.length === 0) return {};
    const browserId = readBrowserId(ctx);
    const provider = browserId && (await arrivals.find({ brand, interaction, browserId }, locale));
    return {
      providers: [
        ...offered.filter(({ id }) => id === last).map((one) => ({ ...one, last: true as const })),
        ...offered.filter(({ id }) => id !== last),
      ],
      ...(provider && { provider }),
    };
  };
