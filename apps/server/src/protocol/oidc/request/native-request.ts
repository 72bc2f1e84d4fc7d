import type { Approve } from '@candela/contract';
import type Provider from 'oidc-provider';
import { accountScopes } from '../../../branding/scope/account-scopes.ts';
import { readWords } from '../../../branding/scope/space-separated.ts';
import { describesItself } from '../../../clients/client/always-asked.ts';
import type { Client, ClientService } from '../../../clients/client/client.service.ts';
import { AppError } from '../../../ground/errors.ts';
import { type EngineClient, policyOf } from '../client/client-policy.ts';
import { defaultOfAccount } from './default-scope.ts';
import type { OwnAppToken } from './own-app-token.ts';

/** A request of the brand's own app that can be approved. */
export interface NativeRequest {
  /** The client as registered, and as the engine has it. */
  registered: Client;
  engine: EngineClient;
  scopes: string[];
}

export interface NativeRequestOptions {
  provider: Provider;
  /** The id of the brand. */
  brand: string;
  clients: ClientService;
}

type TakingClient = Omit<NativeRequest, 'scopes'>;

/** @throws AppError approval_not_taken */
const requireTaking = async (
  id: string,
  { provider, brand, clients }: NativeRequestOptions,
): Promise<TakingClient> => {
  const registered = await clients.findClient(id, brand);
  const engine = registered && !describesItself(registered) ? await provider.Client.find(id) : undefined;
  if (registered && engine && policyOf(engine).takesNativeApproval) return { registered, engine };
  throw new AppError('approval_not_taken', { fields: { client_id: 'approval_not_taken' } });
};

/**
 * A code goes to an address of the client. A platform that links from the app itself redeems it with an address of the
 * app, which an operator registered for the app.
 * @throws AppError redirect_uri_unknown
 */
const requireRedirectUri = (uri: string, { engine }: TakingClient, { app }: OwnAppToken): void => {
  const { redirect_uris: own } = app.metadata;
  if (engine.redirectUriAllowed(uri) || (Array.isArray(own) && own.includes(uri))) return;
  throw new AppError('redirect_uri_unknown', { fields: { redirect_uri: 'redirect_uri_unknown' } });
};

/**
 * The scopes of the account that are approved. What is no scope of the account is left out, and so is `offline_access`,
 * as in an authorization request without `prompt=consent`.
 * @throws AppError scope_unknown for more than the client may have, or where it has no default.
 */
const settleScopes = (asked: string | undefined, { registered: { metadata } }: TakingClient): string[] => {
  const words = [...new Set(readWords(asked))];
  const named = words.filter((name) => accountScopes.includes(name) && name !== 'offline_access');
  const scopes = named.length > 0 ? named : defaultOfAccount(metadata);
  const allowed = metadata.scope === undefined ? accountScopes : readWords(metadata.scope);
  if (scopes.length > 0 && scopes.every((name) => allowed.includes(name))) return scopes;
  throw new AppError('scope_unknown', { fields: { scope: 'scope_unknown' } });
};

/** RFC 7636, by the rule of authorization requests. @throws AppError invalid_request */
const requireChallenge = (
  { code_challenge: challenge, code_challenge_method: method }: Approve,
  { engine }: TakingClient,
): void => {
  if (challenge !== undefined) return;
  if (method === undefined && policyOf(engine).codeBinding === 'none') return;
  throw new AppError('invalid_request', { fields: { code_challenge: 'invalid_request' } });
};

/**
 * Checks what an app of the brand's own asks for a client, by the rules of an authorization request.
 * @throws AppError approval_not_taken, redirect_uri_unknown, scope_unknown, invalid_request
 */
export const settleNativeRequest = async (
  asked: Approve,
  token: OwnAppToken,
  options: NativeRequestOptions,
): Promise<NativeRequest> => {
  const client = await requireTaking(asked.client_id, options);
  requireRedirectUri(asked.redirect_uri, client, token);
  const scopes = settleScopes(asked.scope, client);
  requireChallenge(asked, client);
  return { ...client, scopes };
};
