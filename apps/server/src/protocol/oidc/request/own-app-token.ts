import type Provider from 'oidc-provider';
import type { Client, ClientService } from '../../../clients/client/client.service.ts';
import { scopesForPeople } from '../../../clients/resource-server/allowed-scopes.ts';
import {
  APPROVALS_SCOPE,
  type OwnApiPlace,
  ownApiIdentifier,
  ownApiOf,
  type TokenRefusal,
} from '../../../clients/resource-server/own-api.ts';
import { AppError } from '../../../ground/errors.ts';
import { currentUnit } from '../storage/unit.ts';

/** A person in an app of the brand's own, by the app's access token. */
export interface OwnAppToken {
  accountId: string;
  /** The grant of the token. */
  grantId: string;
  app: Client;
  /** How and when the person signed in to the app. */
  signIn: { acr?: string; amr?: string[]; authTime?: number };
}

export interface OwnAppTokenOptions {
  provider: Provider;
  brand: OwnApiPlace;
  clients: ClientService;
}

const signInOf = ({ acr, amr, auth_time: authTime }: Record<string, unknown>): OwnAppToken['signIn'] => ({
  ...(typeof acr === 'string' && { acr }),
  ...(Array.isArray(amr) && { amr: amr.map(String) }),
  ...(typeof authTime === 'number' && { authTime }),
});

/**
 * Reads the token of a request, inside a unit. A token that is bound to a key is refused as `/api/clients` refuses it:
 * nothing proves the key there (RFC 9449 section 7.2).
 * @throws AppError account_disabled, deletion_pending
 */
export const readOwnAppToken = async (
  value: string,
  { provider, brand, clients }: OwnAppTokenOptions,
): Promise<OwnAppToken | TokenRefusal> => {
  const token = await provider.AccessToken.find(value);
  if (!token?.clientId || !token.accountId || !token.grantId) return 'invalid_token';
  if (token.aud !== ownApiIdentifier(brand.origin) || token.isSenderConstrained()) return 'invalid_token';
  const app = await clients.findClient(token.clientId, brand.id);
  if (!app) return 'invalid_token';
  // The operator may have taken the scope away since the token was issued.
  const allowed = scopesForPeople(ownApiOf(brand), app).map(({ name }) => name);
  if (![allowed, [...token.scopes]].every((scopes) => scopes.includes(APPROVALS_SCOPE)))
    return 'insufficient_scope';
  const { accountId, grantId } = token;
  const status = currentUnit()?.memo.account.get(accountId)?.status;
  if (status === 'disabled') throw new AppError('account_disabled');
  if (status === 'leaving') throw new AppError('deletion_pending');
  return { accountId, grantId, app, signIn: signInOf(token.extra ?? {}) };
};
