import type Provider from 'oidc-provider';
import { isOutage } from '../../ground/db/outage.ts';
import type { LogoutOutcome, LogoutSender } from '../../link/backchannel-logout/logout-sender.ts';
import { attemptLogout } from './engine-fetch.ts';
import { postLogoutToken, statusOfRefusal } from './seam/client-model.ts';

/** RFC 9110 section 15.5.9 and RFC 6585 section 4: not now, but later. */
const NOT_NOW = new Set([408, 429]);

const isRefusal = (status: number) => status >= 400 && status < 500 && !NOT_NOW.has(status);

/** Sends logout tokens as the brands' engines make them: signed, with the subject and session that the client knows. */
export const createLogoutSender = (providers: ReadonlyMap<string, { provider: Provider }>): LogoutSender => ({
  send: async ({ brand, clientId, accountId, sid }, signal): Promise<LogoutOutcome> => {
    const client = await providers
      .get(brand)
      ?.provider.Client.find(clientId)
      .catch((error: unknown) => {
        if (isOutage(error)) return 'untried' as const;
        throw error;
      });
    if (client === 'untried') return client;
    if (!client?.backchannelLogoutUri) return 'unwanted';
    try {
      await attemptLogout(signal, () => postLogoutToken(client, { accountId, sid }));
      return 'told';
    } catch (error) {
      const status = statusOfRefusal(error);
      if (isRefusal(status)) return { refused: status };
      throw error;
    }
  },
});
