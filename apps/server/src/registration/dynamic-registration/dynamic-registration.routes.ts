import { errorStatus } from '@candela/contract';
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../ground/errors.ts';
import type { EventSink } from '../../ground/event/events.ts';
import { createRouter } from '../../ground/router.ts';
import { readJsonBody } from '../../http/json-body.ts';
import { stateOf } from '../../http/request-state.ts';
import type { ManagementCall, RegistrationCall } from './callers.ts';
import type { DynamicRegistrationService } from './dynamic-registration.service.ts';
import { type RegistrationError, RegistrationRefusal } from './registration-refusal.ts';

const ENDPOINT = '/oauth/register';
const CLIENT = `${ENDPOINT}/:id`;

const statuses: Record<RegistrationError, number> = {
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  invalid_token: 401,
  access_denied: 403,
};

/** The token of the Authorization header (RFC 6750 section 2.1); undefined without the header, empty for any other one. */
const bearerOf = ({ headers: { authorization } }: Context): string | undefined =>
  authorization === undefined ? undefined : (/^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1] ?? '');

const callOf = (ctx: Context): RegistrationCall => {
  const { brand, address } = stateOf(ctx);
  return { brand, address, token: bearerOf(ctx) };
};

const managementOf = (ctx: Context & { params: Record<string, string> }): ManagementCall => ({
  ...callOf(ctx),
  clientId: ctx.params.id ?? '',
});

/** RFC 7591 section 3.1: an object of JSON. */
const readObject = async (ctx: Context): Promise<Record<string, unknown>> => {
  const body = await readJsonBody(ctx);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new AppError('invalid_request');
  return { ...body };
};

/** RFC 7591 section 3.2.2 has ASCII in descriptions. */
const toAscii = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?');

const faults: Partial<Record<AppError['code'], string>> = {
  invalid_request: 'the body must be an object of JSON, with each name once',
  too_large: 'the body is too large',
  unsupported_media_type: 'the Content-Type must be application/json',
  method_not_allowed: 'the method is not allowed here',
};

interface Refused {
  status: number;
  error: string;
  description: string;
}

const refusalOf = (thrown: unknown): Refused | undefined => {
  if (thrown instanceof RegistrationRefusal)
    return { status: statuses[thrown.error], error: thrown.error, description: thrown.message };
  if (!(thrown instanceof AppError) || errorStatus[thrown.code] >= 500) return undefined;
  const status = errorStatus[thrown.code];
  const description = faults[thrown.code] ?? `refused: ${thrown.code}`;
  // RFC 6749 section 4.1.2.1 has the only name for it.
  if (status === 429)
    return { status, error: 'temporarily_unavailable', description: 'too many requests: try later' };
  // The client was deleted meanwhile.
  if (status === 404) return { status: 401, error: 'invalid_token', description: 'the client is no more' };
  return { status, error: 'invalid_client_metadata', description };
};

/** RFC 6750 section 3: a request without credentials is told nothing but the scheme. */
const challengeOf = (ctx: Context, { error, description }: Refused) =>
  bearerOf(ctx) === undefined
    ? 'Bearer'
    : `Bearer error="${error}", error_description="${toAscii(description).replaceAll(/["\\]/g, "'")}"`;

const createAnswers =
  (events: EventSink): Middleware =>
  async (ctx, next) => {
    // Programs ask, and are answered in JSON whatever their library accepts.
    ctx.req.headers.accept = 'application/json';
    ctx.set('Cache-Control', 'no-store');
    // Apps in browsers register themselves, too. A page without the token can do nothing here: no cookie counts.
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After');
    try {
      await next();
    } catch (thrown) {
      const refused = refusalOf(thrown);
      if (!refused) throw thrown;
      const { status, error, description } = refused;
      ctx.status = status;
      ctx.body = { error, error_description: toAscii(description) };
      if (status === 401) ctx.set('WWW-Authenticate', challengeOf(ctx, refused));
      if (thrown instanceof AppError && thrown.details.retryAfterSeconds !== undefined)
        ctx.set('Retry-After', String(thrown.details.retryAfterSeconds));
      events.emit('registration.refused', {
        brand: stateOf(ctx).brand.id,
        reason: error,
        detail: description,
      });
    }
  };

const answerPreflight =
  (methods: string): Middleware =>
  (ctx) => {
    ctx.set('Access-Control-Allow-Methods', methods);
    ctx.set('Access-Control-Allow-Headers', 'authorization, content-type');
    ctx.set('Access-Control-Max-Age', '3600');
    ctx.status = 204;
  };

const refuseMethod =
  (methods: string): Middleware =>
  (ctx) => {
    ctx.set('Allow', methods);
    throw new AppError('method_not_allowed');
  };

/** The registration endpoint (RFC 7591 section 3) and the configuration endpoints (RFC 7592 section 2). */
export const createDynamicRegistrationRoutes = ({
  registration,
  events,
}: {
  registration: DynamicRegistrationService;
  events: EventSink;
}): Router => {
  const router = createRouter({ strict: true });
  router.use(createAnswers(events));
  router.post(ENDPOINT, async (ctx) => {
    ctx.body = await registration.register(callOf(ctx), () => readObject(ctx));
    ctx.status = 201;
  });
  router.options(ENDPOINT, answerPreflight('POST'));
  router.all(ENDPOINT, refuseMethod('POST'));

  router.get(CLIENT, async (ctx) => {
    ctx.body = await registration.read(managementOf(ctx));
  });
  router.put(CLIENT, async (ctx) => {
    ctx.body = await registration.replace(managementOf(ctx), () => readObject(ctx));
  });
  router.delete(CLIENT, async (ctx) => {
    await registration.remove(managementOf(ctx));
    ctx.status = 204;
  });
  router.options(CLIENT, answerPreflight('GET, PUT, DELETE'));
  router.all(CLIENT, refuseMethod('GET, PUT, DELETE'));
  return router;
};
