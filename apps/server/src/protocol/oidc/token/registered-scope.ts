import { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { accountScopes } from '../../../branding/scope/account-scopes.ts';
import { claimsWithin } from '../../../branding/scope/scope-claims.ts';
import { readWords } from '../../../branding/scope/space-separated.ts';
import type { ClientService } from '../../../clients/client/client.service.ts';
import { policyOf } from '../client/client-policy.ts';
import { currentUnit, type UnitOfWork } from '../storage/unit.ts';

export interface RegisteredScopeOptions {
  brand: string;
  clients: ClientService;
}

/** A code or a refresh token that a token request presents. */
export interface PresentedToken {
  clientId?: string | undefined;
  scope?: string | undefined;
  claims?: object | undefined;
}

/** What was asked for and approved with a token. */
type Approved = Pick<PresentedToken, 'scope' | 'claims'>;

const approved = new WeakMap<UnitOfWork, Approved>();

/**
 * What was approved with the token that the request of the unit presents, where the registration does not allow all of
 * it now. A refresh token that is issued by it has all of it, and so it comes back with the registration.
 */
export const approvedIn = (unit: UnitOfWork): Approved => approved.get(unit) ?? {};

type Engine = KoaContextWithOIDC['oidc'];

/**
 * Takes from what a token request gets what the registration does not allow any more: what was approved is told no more
 * than what could be asked for now. The claims are taken from the token that is presented.
 * @param asked the scopes of the token, or those of them that the request asks for
 * @returns those that the registration allows
 * @throws InvalidScope where nothing is left
 */
export const withinRegistration = async (
  { client }: Engine,
  { token, asked }: { token: PresentedToken; asked: readonly string[] },
  { brand, clients }: RegisteredScopeOptions,
): Promise<readonly string[]> => {
  const registered = policyOf(client).linksHomes
    ? (await clients.findClient(token.clientId ?? '', brand))?.metadata.scope
    : client?.scope;
  if (registered === undefined) return asked;
  const allowed = readWords(registered);
  const isTaken = (name: string) =>
    !accountScopes.includes(name) || name === 'offline_access' || allowed.includes(name);
  const left = asked.filter(isTaken);
  if (asked.length > left.length && left.every((name) => name === 'offline_access'))
    throw new errors.InvalidScope('the registration allows none of these scopes any more', asked.join(' '));
  const unit = currentUnit();
  if (unit) approved.set(unit, { scope: token.scope, claims: token.claims });
  if (token.claims) token.claims = claimsWithin(token.claims, allowed);
  return left;
};

/** Lets a code, or a device code, open no more than its client may ask for now. @throws InvalidScope */
export const createCodeScope =
  (options: RegisteredScopeOptions) =>
  async ({ oidc }: KoaContextWithOIDC, code: PresentedToken): Promise<void> => {
    if (code.clientId !== oidc.client?.clientId || code.scope === undefined) return;
    const asked = readWords(code.scope);
    const left = await withinRegistration(oidc, { token: code, asked }, options);
    if (left.length < asked.length) code.scope = left.join(' ');
  };
