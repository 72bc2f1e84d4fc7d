import type { accountApi } from './account-api.ts';
import type { brandWordsApi } from './brand-words-api.ts';
import type { clientApi } from './client-api.ts';
import type { deskApi } from './desk-api.ts';
import type { deskServiceApi } from './desk-service-api.ts';
import type { interactionApi } from './interaction-api.ts';

type Tables = typeof interactionApi &
  typeof accountApi &
  typeof clientApi &
  typeof deskApi &
  typeof deskServiceApi &
  typeof brandWordsApi;

type ByName = { [K in keyof Tables as `${Tables[K]['method']} ${Tables[K]['path']}`]: Tables[K] };

/** The name of an endpoint: its method and path, as in `PUT /api/account/phone`. */
export type EndpointName = keyof ByName;

/** The type of the endpoint with a name. The value of the endpoint stays in the server. */
export type NamedEndpoint<Name extends EndpointName> = ByName[Name];
