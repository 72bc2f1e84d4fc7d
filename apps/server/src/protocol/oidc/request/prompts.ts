import { LOOPBACK_HOSTS } from '@candela/contract/rules/client-uri';
import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { optionalScopesOf } from '../../../branding/scope/optional-scopes.ts';
import { readScopeKey } from '../../../branding/scope/scope-key.ts';
import { isAskedInBrowser } from '../../../clients/client/always-asked.ts';
import type { ClientService } from '../../../clients/client/client.service.ts';
import type { ConsentMemory } from '../../../link/grant/grant.service.ts';
import { nameSession } from '../seam/session-name.ts';
import { currentUnit } from '../storage/unit.ts';
import { isOfLeavingAccount } from '../subject/claims.ts';
import { checkStrength } from './acr-checks.ts';
import { askedOf, fillGrant, keysAsked } from './fill-grant.ts';

const { Check, Prompt, base } = interactionPolicy;

/** Whether another app on the device can impersonate the app (RFC 8252 section 8.6). Such an app needs consent each time. */
const isImpersonable = (client: NonNullable<KoaContextWithOIDC['oidc']['client']>): boolean =>
  (client.clientAuthMethod === 'none' || client.applicationType === 'native') &&
  (client.redirectUris ?? []).some((uri) => {
    const url = URL.parse(uri);
    return url?.protocol !== 'https:' || LOOPBACK_HOSTS.includes(url.hostname);
  });

export interface PromptOptions {
  brand: string;
  clients: ClientService;
  consents: ConsentMemory;
}

/**
 * Gives a request a grant of its own without a question, where the person approved all of it before or
 * the app is the brand's own, under the names and at the hosts that an operator approved. Stands between `login` and `consent`: only there is the account settled.
 */
const createRememberedConsent = ({ brand, clients, consents }: PromptOptions) =>
  new Prompt(
    { name: 'remembered_consent', requestable: false },
    new Check('remembered', 'remembered consent applies', async (ctx) => {
      const { oidc } = ctx;
      const { client, session, provider } = oidc;
      const accountId = session?.accountId;
      if (!client || !accountId || !session || oidc.entities.Grant?.jti) return Check.NO_NEED_TO_PROMPT;
      if (oidc.prompts.has('consent') || oidc.result?.consent) return Check.NO_NEED_TO_PROMPT;
      // Only the person can say whether the device is theirs (RFC 8628 section 5.4).
      if (oidc.deviceCode) return Check.NO_NEED_TO_PROMPT;

      const asked = askedOf(ctx);
      const settled = [
        ...keysAsked(asked),
        ...(client.grantTypeAllowed('refresh_token') ? ['offline_access'] : []),
      ];
      let declined: ReadonlySet<string> = new Set();
      const registered = await clients.findClient(client.clientId, brand);
      if (!registered || isAskedInBrowser(registered)) return Check.NO_NEED_TO_PROMPT;
      if (!registered.isVouchedFor) {
        if (isImpersonable(client)) return Check.NO_NEED_TO_PROMPT;
        const remembered = await consents.recall({ brand, accountId, clientId: client.clientId });
        if (!remembered) return Check.NO_NEED_TO_PROMPT;
        const optional = optionalScopesOf(registered.metadata);
        declined = new Set([...remembered.declined].filter((key) => optional.has(readScopeKey(key).name)));
        const { approved } = remembered;
        if (settled.some((scope) => !approved.has(scope) && !declined.has(scope)))
          return Check.NO_NEED_TO_PROMPT;
      }

      const grant = new provider.Grant({ accountId, clientId: client.clientId });
      fillGrant(grant, asked, (key) => declined.has(key));
      const grantId = await grant.save();
      nameSession(oidc);
      session.grantIdFor(client.clientId, grantId);
      oidc.entity('Grant', grant);
      return Check.NO_NEED_TO_PROMPT;
    }),
  );

/** prompt=create (Initiating User Registration via OpenID Connect 1.0). */
const createRegistration = () => new Prompt({ name: 'create', requestable: true });

/** prompt=select_account: a choice only for a browser that has a session. */
const createAccountSelection = () => {
  const prompt = new Prompt(
    { name: 'select_account', requestable: true },
    new Check('choose', 'account selection is required', 'account_selection_required', ({ oidc }) =>
      oidc.promptPending('select_account') && oidc.session?.accountId !== undefined && !oidc.result?.login
        ? Check.REQUEST_PROMPT
        : Check.NO_NEED_TO_PROMPT,
    ),
  );
  prompt.checks.remove('select_account_prompt');
  return prompt;
};

/** Why the person of an account that is to be deleted is asked whether to keep it, before an app gets anything. */
export const LEAVING = 'account_leaving';

const createLeavingCheck = () =>
  new Check(LEAVING, 'the account is to be deleted', 'interaction_required', ({ oidc }) =>
    oidc.client?.clientId !== PORTAL_CLIENT_ID && isOfLeavingAccount(currentUnit(), oidc.session?.accountId)
      ? Check.REQUEST_PROMPT
      : Check.NO_NEED_TO_PROMPT,
  );

/** An account that went between the sign-in and the next step: the engine's consent would look for its grant. */
const createGoneCheck = () =>
  new Check('account_gone', 'the account is gone', 'login_required', ({ oidc }) =>
    oidc.session?.accountId !== undefined && !oidc.account ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );

/** The prompts in their order: a person registers, signs in, selects an account, approves. */
export const createPromptPolicy = (options: PromptOptions) => {
  const policy = base();
  const login = policy.get('login');
  if (login) checkStrength(login);
  login?.checks.add(createLeavingCheck());
  login?.checks.add(createGoneCheck());
  policy.add(createRegistration(), 0);
  policy.add(createAccountSelection(), 2);
  policy.add(createRememberedConsent(options), 3);
  return policy;
};
