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

/** Where a sign-in, an approval and a logout go on; the engine makes these addresses. */
const RESUME = new RegExp(`^(?:${endpoints.authorization}|${endpoints.code_verification})/[\\w-]+$`);
export const LOGOUT_CONFIRM = `${endpoints.end_session}/confirm`;
export const LOGOUT_SUCCESS = `${endpoints.end_session}/success`;

const { registration: REGISTRATION } = endpoints;

const BROWSER = 'GET, HEAD';
const FORM = 'GET, HEAD, POST';
/** OPTIONS, since pages of apps ask too (CORS). */
const PROGRAM = 'POST, OPTIONS';

/** The methods of each endpoint, as `Allow` lists them (RFC 9110 section 10.2.1). */
const methods: ReadonlyMap<string, string> = new Map([
  [endpoints.authorization, FORM],
  [endpoints.code_verification, FORM],
  [endpoints.end_session, FORM],
  [LOGOUT_CONFIRM, 'POST'],
  [LOGOUT_SUCCESS, BROWSER],
  [endpoints.token, PROGRAM],
  [endpoints.device_authorization, PROGRAM],
  [endpoints.introspection, PROGRAM],
  [endpoints.pushed_authorization_request, PROGRAM],
  [endpoints.revocation, PROGRAM],
  [endpoints.userinfo, `${FORM}, OPTIONS`],
  [endpoints.jwks, `${BROWSER}, OPTIONS`],
]);

const exactPaths: ReadonlySet<string> = new Set(methods.keys());

/** The template of an endpoint's path; undefined for other paths. */
export const endpointTemplateOf = (path: string): string | undefined => {
  if (exactPaths.has(path)) return path;
  return RESUME.test(path) ? `${path.slice(0, path.lastIndexOf('/'))}/:uid` : undefined;
};

/** Where a client authenticates (RFC 6749 section 2.3). */
export const authenticatedPaths: readonly string[] = [
  endpoints.token,
  endpoints.introspection,
  endpoints.revocation,
  endpoints.pushed_authorization_request,
  endpoints.device_authorization,
];

/** Whether a path is an endpoint's, exactly: the engine takes it in other cases and with a slash behind it, too. */
export const isEndpoint = (path: string): boolean => exactPaths.has(path) || RESUME.test(path);

/** The methods that an endpoint does not refuse, as `Allow` lists them; undefined for other paths. */
export const methodsOf = (path: string): string | undefined =>
  methods.get(path) ?? (RESUME.test(path) ? BROWSER : undefined);

const MANAGEMENT = new RegExp(`^${REGISTRATION}/[\\w-]{1,200}$`);

/** Whether a path is of dynamic registration: the endpoint, or that of one client. The engine has neither. */
export const isRegistration = (path: string): boolean => path === REGISTRATION || MANAGEMENT.test(path);

const decode = (path: string): string => {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Whether a path is of the protocol's endpoints, in whatever spelling. */
export const isBelowEndpoints = (path: string): boolean => /^\/+oauth(?:\/|$)/i.test(decode(path));

/** The endpoints that programs ask; no person sees their answers. */
export const programPaths: readonly string[] = [...authenticatedPaths, endpoints.userinfo, endpoints.jwks];

/** The endpoints that homes and services depend on at any moment: people who sign in never keep them waiting. */
export const tokenPaths: readonly string[] = [
  endpoints.token,
  endpoints.introspection,
  endpoints.revocation,
  endpoints.userinfo,
];
