import type { Context } from 'koa';
import type { Kysely } from 'kysely';
import type { Developer } from '../client/actor.ts';
import type { ClientService } from '../client/client.service.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { stateOf } from '../http/request-state.ts';
import { findMachineToken } from '../oidc-model/machine-token.repository.ts';
import { hashToken } from '../opaque-token.ts';
import { scopesForMachine } from '../resource-server/allowed-scopes.ts';
import { CLIENTS_SCOPE, clientsApiIdentifier, clientsApiOf } from '../resource-server/clients-api.ts';
import { readWords } from '../scope/space-separated.ts';
import type { CurrentSession } from '../session/session.service.ts';

export interface RequesterOptions {
  db: Kysely<Database>;
  clients: Pick<ClientService, 'findClient'>;
  developers: { isDeveloper(accountId: string): Promise<boolean> };
  requireCurrent(ctx: Context): Promise<CurrentSession>;
}

/** The bearer token of a request (RFC 6750 section 2.1); undefined where it has no Authorization header. */
const bearerOf = (ctx: Context): string | undefined => {
  const header = ctx.get('authorization');
  if (header === '') return undefined;
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1] ?? '';
};

/** Refuses a token as RFC 6750 section 3.1 says. */
const refuseToken = (ctx: Context, error: 'invalid_token' | 'insufficient_scope'): AppError => {
  const challenge = `Bearer realm="${stateOf(ctx).brand.origin}", error="${error}"`;
  const scope = error === 'insufficient_scope' ? `, scope="${CLIENTS_SCOPE}"` : '';
  ctx.set('WWW-Authenticate', challenge + scope);
  return new AppError(error === 'invalid_token' ? 'not_signed_in' : 'not_a_developer');
};

/**
 * Finds who asks: the machine of a bearer token, else the developer of the session. Where there is a token, the session
 * does not count: a request with a token needs no `Origin`.
 */
export const createRequesterFinder = ({ db, clients, developers, requireCurrent }: RequesterOptions) => {
  const findMachine = async (ctx: Context, token: string): Promise<Developer> => {
    const { id: brand, origin } = stateOf(ctx).brand;
    const found = await findMachineToken(db, { brand, idHash: hashToken(token) });
    // A token that is bound to a key is no bearer token (RFC 9449 section 7.2).
    if (!found || found.jkt !== undefined || found.aud !== clientsApiIdentifier(origin))
      throw refuseToken(ctx, 'invalid_token');
    const machine = await clients.findClient(found.clientId, brand);
    if (!machine) throw refuseToken(ctx, 'invalid_token');
    // The operator may have taken the scope away since the token was issued.
    const allowed = scopesForMachine(clientsApiOf({ id: brand, origin }), machine);
    if (![allowed, readWords(found.scope)].every((scopes) => scopes.includes(CLIENTS_SCOPE)))
      throw refuseToken(ctx, 'insufficient_scope');
    return { kind: 'machine', id: found.clientId };
  };

  /** @throws AppError not_signed_in, not_a_developer */
  return async (ctx: Context): Promise<Developer> => {
    const token = bearerOf(ctx);
    if (token !== undefined) return findMachine(ctx, token);
    const { accountId } = await requireCurrent(ctx);
    if (!(await developers.isDeveloper(accountId))) throw new AppError('not_a_developer');
    return { kind: 'account', id: accountId };
  };
};
