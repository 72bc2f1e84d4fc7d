import type { RegisteredClient } from '@candela/contract';
import { proofOf } from './trial-request.ts';

/** The steps of a trial, in their order. */
const steps = [
  'authorization',
  'deviceAuthorization',
  'token',
  'claims',
  'userinfo',
  'refresh',
  'introspection',
  'revocation',
  'logout',
] as const;
export type Step = (typeof steps)[number];

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** The way by which a client gets its first token. */
export type Way = 'authorization_code' | 'device_code' | 'client_credentials';

type Registration = Pick<
  RegisteredClient,
  'grant_types' | 'token_endpoint_auth_method' | 'scope' | 'redirect_uris'
>;

/** The ways that a client is registered for. */
export const waysOf = ({ grant_types: grantTypes }: Registration): Way[] => [
  ...(grantTypes.includes('authorization_code') ? (['authorization_code'] as const) : []),
  ...(grantTypes.includes(DEVICE_CODE) ? (['device_code'] as const) : []),
  ...(grantTypes.includes('client_credentials') ? (['client_credentials'] as const) : []),
];

/** The steps that a client can take on a way. A public client may not introspect (RFC 7662 section 2.1). */
export const courseOf = (client: Registration, way: Way): Step[] => {
  const isPerson = way !== 'client_credentials';
  const possible: Partial<Record<Step, boolean>> = {
    authorization: way === 'authorization_code',
    deviceAuthorization: way === 'device_code',
    token: true,
    claims: isPerson,
    userinfo: isPerson,
    refresh: isPerson && client.grant_types.includes('refresh_token'),
    introspection: proofOf(client) !== 'none',
    revocation: true,
    logout: isPerson,
  };
  return steps.filter((step) => possible[step]);
};
