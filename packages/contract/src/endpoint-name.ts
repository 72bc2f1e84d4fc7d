import type { accountApi } from './account-api.ts';
import type { interactionApi } from './interaction-api.ts';

type Tables = typeof interactionApi & typeof accountApi;

type ByName = { [K in keyof Tables as `${Tables[K]['method']} ${Tables[K]['path']}`]: Tables[K] };

/** An endpoint by its method and path: `PUT /api/account/phone`. */
export type EndpointName = keyof ByName;

/** The endpoint of a name. A caller needs its type alone: the value stays with the server. */
export type NamedEndpoint<Name extends EndpointName> = ByName[Name];
