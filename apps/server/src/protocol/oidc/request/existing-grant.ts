import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import type { Configuration } from 'oidc-provider';
import { isAskedInBrowser } from '../../../clients/client/always-asked.ts';
import type { ClientService } from '../../../clients/client/client.service.ts';
import { policyOf } from '../client/client-policy.ts';
import { nameSession } from '../seam/session-name.ts';

interface ExistingGrantOptions {
  brand: string;
  clients: ClientService;
}

type FindGrant = NonNullable<Configuration['loadExistingGrant']>;

/**
 * Finds the grant that a request builds on. A silent sign-on continues the grant of its session, but for two kinds of
 * clients. One that gets refresh tokens has a grant of its own for each code, so that a person can withdraw one of two
 * homes. One that describes itself is asked for each time.
 */
const createFinder =
  ({ brand, clients }: ExistingGrantOptions): FindGrant =>
  async (ctx) => {
    const { oidc } = ctx;
    if (oidc.client?.clientId === PORTAL_CLIENT_ID) {
      const grant = new oidc.provider.Grant({
        accountId: oidc.session?.accountId ?? '',
        clientId: PORTAL_CLIENT_ID,
      });
      grant.addOIDCScope('openid');
      return grant;
    }
    const approved = oidc.result?.consent?.grantId;
    if (approved) return oidc.provider.Grant.find(approved);
    if (policyOf(oidc.client).issuesRefreshToken || oidc.prompts.has('consent')) return undefined;
    // A person approves each device separately (RFC 8628 section 5.4).
    if (oidc.deviceCode) return undefined;
    const grantId = oidc.client && oidc.session?.grantIdFor(oidc.client.clientId);
    if (!oidc.client || !grantId) return undefined;
    const registered = await clients.findClient(oidc.client.clientId, brand);
    return registered && !isAskedInBrowser(registered) ? oidc.provider.Grant.find(grantId) : undefined;
  };

/** The engine's `loadExistingGrant`: it opens the session to a client that has a grant. */
export const createLoadExistingGrant = (options: ExistingGrantOptions): FindGrant => {
  const find = createFinder(options);
  return async (ctx) => {
    const grant = await find(ctx);
    if (grant) nameSession(ctx.oidc);
    return grant;
  };
};
