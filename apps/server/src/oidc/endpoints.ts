/** The paths of the protocol's endpoints, by the names of the engine's routes. */
export const endpoints = {
  authorization: '/oauth/authorize',
  code_verification: '/oauth/device',
  device_authorization: '/oauth/device_authorization',
  end_session: '/oauth/logout',
  introspection: '/oauth/introspect',
  jwks: '/oauth/jwks',
  pushed_authorization_request: '/oauth/par',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
} as const;

/** Where a client authenticates (RFC 6749 section 2.3). */
export const authenticatedPaths: readonly string[] = [
  endpoints.token,
  endpoints.introspection,
  endpoints.revocation,
  endpoints.pushed_authorization_request,
  endpoints.device_authorization,
];

/** What programs ask, and no person sees. */
export const programPaths: readonly string[] = [...authenticatedPaths, endpoints.userinfo, endpoints.jwks];
