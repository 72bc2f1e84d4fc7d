import type { accountApi, interactionApi } from './account-api.ts';

type Tables = typeof interactionApi & typeof accountApi;

type ByName = { [K in keyof Tables as `${Tables[K]['method']} ${Tables[K]['path']}`]: Tables[K] };

/** An endpoint by its method and path: `PUT /api/account/phone`. */
export type EndpointName = keyof ByName;

/** The endpoint of that name. The type is all that a caller needs: the values stay with the server. */
export type NamedEndpoint<Name extends EndpointName> = ByName[Name];
