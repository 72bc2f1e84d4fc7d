import type { Context, Middleware } from 'koa';
import type { ClientService } from '../../clients/client/client.service.ts';
import { runInLane } from '../../ground/db/lane.ts';
import { limitWaiting, type WaitingLimits } from '../../ground/db/waiting-time.ts';
import { AppError } from '../../ground/errors.ts';
import { emitRefusal } from '../../ground/event/emit-refusal.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { readFormAsQuery } from '../../http/form-body.ts';
import { stateOf } from '../../http/request-state.ts';
import { addFormTargets, setEnginePolicy } from '../../http/security-headers.ts';
import { DEVICE_PAGE } from './device/device-flow.ts';
import {
  endpoints,
  isBelowEndpoints,
  isEndpoint,
  isRegistration,
  methodsOf,
  programPaths,
  tokenPaths,
} from './endpoints.ts';
import { formTargetsOf } from './form-targets.ts';
import { openLogout, sealLogout } from './logout.ts';
import { refusalEventOf } from './protocol-events.ts';
import type { BrandProvider } from './provider.ts';
import { isSelfSubmitting } from './seam/engine-forms.ts';

export interface EngineMiddlewareOptions {
  providers: ReadonlyMap<string, BrandProvider>;
  clients: ClientService;
  /** Whether clients register themselves, at endpoints that are not the engine's. */
  hasRegistration: boolean;
  /** What is posted to the logout endpoint is sealed under the first. */
  logoutKeys: readonly [Buffer, ...Buffer[]];
  /** Hears what is refused before the engine sees it. */
  events: EventSink;
}

const DISCOVERY = new Set(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']);

/** OpenID Connect Core section 3.1.2.1 and RP-Initiated Logout section 2 ask for POST beside GET. */
const POSTED: readonly string[] = [endpoints.authorization, endpoints.end_session];

const POSTED_LIMIT_BYTES = 8 * 1024;
/** Sealed, it is an address of 7 KB, which the buffers of proxies still take. */
const POSTED_LOGOUT_LIMIT_BYTES = 5 * 1024;

/** RFC 6749 appendix A has no NUL in any parameter, and the database stores none. */
const requireNoNul = (query: string) => {
  if (/%00/.test(query)) throw new AppError('invalid_request');
};

/**
 * A form posted from an app's site brings no SameSite=Lax cookie along, so nobody would be signed in;
 * the GET that follows it brings them.
 */
const answerAsGet = async (ctx: Context, logoutKey: Buffer) => {
  const isLogout = ctx.path === endpoints.end_session;
  const form = await readFormAsQuery(ctx, isLogout ? POSTED_LOGOUT_LIMIT_BYTES : POSTED_LIMIT_BYTES);
  requireNoNul(form);
  const query = [ctx.querystring, form].filter(Boolean).join('&');
  ctx.redirect(`${ctx.path}?${isLogout ? sealLogout(logoutKey, query) : query}`);
  ctx.status = 303;
};

/** Prepares a request for the engine; true where it is answered already. */
const prepare = async (
  ctx: Context,
  { logoutKeys, events }: Pick<EngineMiddlewareOptions, 'logoutKeys' | 'events'>,
): Promise<boolean> => {
  const brand = stateOf(ctx).brand.id;
  const run = async () => {
    requireNoNul(ctx.querystring);
    if (ctx.method === 'POST' && POSTED.includes(ctx.path)) {
      await answerAsGet(ctx, logoutKeys[0]);
      return true;
    }
    const fault = openLogout(ctx, logoutKeys);
    if (fault !== undefined)
      events.emit('logout.refused', { brand, reason: 'invalid_request', detail: fault });
    return false;
  };
  const event = refusalEventOf(ctx.path);
  return event ? emitRefusal(events, event)({ brand }, run) : run();
};

/** Alexa hears an answer for 4.5 s. What is left beside the waiting is for the network, and for a busy process. */
const WHILE_HEARD: WaitingLimits = { beginMs: 2_500, endMs: 3_500 };

/** Runs what homes depend on: people who sign in never keep it waiting, and a slow database makes it a 503 in time. */
const runForHomes = (run: () => Promise<unknown>) =>
  runInLane('reserved', () => limitWaiting(run, WHILE_HEARD));

/** A page of another origin reads only the headers that are named to it (CORS): the reference of an error is one. */
const exposeReference = (ctx: Context) => {
  const exposed = ctx.response.get('Access-Control-Expose-Headers');
  if (exposed && ctx.status >= 400) ctx.set('Access-Control-Expose-Headers', `${exposed}, X-Request-Id`);
};

/** @throws AppError method_not_allowed, with `Allow` (RFC 9110 section 15.5.6, RFC 9126 section 2.3). */
const requireMethod = (ctx: Context) => {
  const allowed = DISCOVERY.has(ctx.path) ? 'GET, HEAD, OPTIONS' : methodsOf(ctx.path);
  if (!allowed || allowed.split(', ').includes(ctx.method)) return;
  ctx.set('Allow', allowed);
  throw new AppError('method_not_allowed');
};

const isDevicePage = ({ method, path }: Context) =>
  path === DEVICE_PAGE && (method === 'GET' || method === 'HEAD');

/** Hands the protocol endpoints to the brand's engine, each request to one engine only. */
export const createEngineMiddleware =
  ({ providers, clients, hasRegistration, logoutKeys, events }: EngineMiddlewareOptions): Middleware =>
  async (ctx, next) => {
    // What guards an endpoint knows it by its path: of another spelling there is none.
    if (hasRegistration && isRegistration(ctx.path)) return next();
    if (isBelowEndpoints(ctx.path) && !isEndpoint(ctx.path)) throw new AppError('not_found');
    if (!isEndpoint(ctx.path) && !DISCOVERY.has(ctx.path) && !isDevicePage(ctx)) return next();
    const { brand } = stateOf(ctx);
    const engine = providers.get(brand.id);
    if (!engine) return next();
    // RFC 6749 and 6750: what programs ask is answered in JSON, whatever their library accepts.
    const isOfProgram = programPaths.includes(ctx.path);
    if (isOfProgram) ctx.req.headers.accept = 'application/json';
    requireMethod(ctx);
    if (await prepare(ctx, { logoutKeys, events })) return;
    if (!isOfProgram) setEnginePolicy(ctx);
    // RFC 6749 section 5.1; OAuth 2.1 leaves it out, for caches that nobody runs any more.
    if (ctx.path === endpoints.token) ctx.set('Pragma', 'no-cache');
    // Apps sign in by popup: a page inside an authorization request keeps its opener.
    const run = () => engine.middleware(ctx, async () => undefined);
    await (tokenPaths.includes(ctx.path) ? runForHomes(run) : run());
    exposeReference(ctx);
    if (!isSelfSubmitting(ctx.body)) return;
    const clientId = ctx.oidc?.client?.clientId ?? ctx.oidc?.entities.Interaction?.params?.client_id;
    const client = typeof clientId === 'string' ? await clients.findClient(clientId, brand.id) : undefined;
    addFormTargets(ctx, formTargetsOf(client?.metadata));
  };
