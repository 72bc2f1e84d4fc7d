import type { Context, Middleware } from 'koa';
import type { ClientService } from '../../../clients/client/client.service.ts';
import { prependToForm } from '../../../http/form-body.ts';
import { endpoints } from '../endpoints.ts';

/** The parameters of token requests. Of others in the address nothing is read (RFC 6749 section 3.2). */
const names: ReadonlySet<string> = new Set([
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'device_code',
  'grant_type',
  'redirect_uri',
  'refresh_token',
  'resource',
  'scope',
]);

const refuse = (ctx: Context) => {
  ctx.status = 400;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = {
    error: 'invalid_request',
    error_description: 'send the parameters in the body: an address gets into logs',
  };
};

/** The client that a token request names in its address, where it names one once. */
export const clientInQuery = ({ query: { client_id: id } }: Context): string | undefined =>
  typeof id === 'string' ? id : undefined;

/**
 * Takes the parameters in the address of a token request for the clients that are registered to send them there, as if
 * they stood in the body, and removes them from the address. Those of others are refused: RFC 6749 section 2.3.1 forbids
 * credentials in an address.
 */
export const createParametersInQuery =
  ({ brand, clients }: { brand: { id: string }; clients: Pick<ClientService, 'findClient'> }): Middleware =>
  async (ctx, next) => {
    if (ctx.path !== endpoints.token || ctx.method !== 'POST' || ctx.querystring === '') return next();
    if (!Object.keys(ctx.query).some((name) => names.has(name))) return next();
    const id = clientInQuery(ctx);
    const client = id === undefined ? undefined : await clients.findClient(id, brand.id);
    if (client?.metadata.token_request_in_query !== true) return refuse(ctx);
    prependToForm(ctx, ctx.querystring);
    ctx.querystring = '';
    return next();
  };
