import type Router from '@koa/router';
import {
  createProviderRoutes,
  type ProviderRoutesOptions,
} from '../../federation/linking/provider.routes.ts';
import {
  createProviderEventRoutes,
  type ProviderEventRoutesOptions,
} from '../../federation/told/provider-event.routes.ts';
import {
  createInteractionProviderRoutes,
  type InteractionProviderOptions,
} from '../../protocol/interaction/provider.routes.ts';
import {
  createProviderArrivalRoutes,
  type ProviderArrivalOptions,
} from '../../protocol/interaction/provider-arrival.routes.ts';
import {
  createProviderCallbackRoutes,
  type ProviderCallbackOptions,
} from '../../protocol/interaction/provider-callback.routes.ts';

type Options = ProviderRoutesOptions &
  InteractionProviderOptions &
  ProviderArrivalOptions &
  ProviderCallbackOptions &
  ProviderEventRoutesOptions;

/** The routes of identity providers. */
export const wireProviderRouters = (options: Options): Router[] => [
  createInteractionProviderRoutes(options),
  createProviderArrivalRoutes(options),
  createProviderCallbackRoutes(options),
  createProviderRoutes(options),
  createProviderEventRoutes(options),
];
