import * as oauth from 'oauth4webapi';
import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';
import type { ProviderContext, ProviderKind } from '../identity-provider/provider-kind.ts';
import { judgeAnswer, NO_CODE } from './credentials-check.ts';
import { speaking } from './openid-failure.ts';
import { readProviderAnswer } from './provider-answer.ts';

const AUTHORIZE = 'https://oauth.yandex.ru/authorize';
const PROFILE = 'https://login.yandex.ru/info?format=json';
const server: oauth.AuthorizationServer = {
  issuer: 'https://oauth.yandex.ru',
  token_endpoint: 'https://oauth.yandex.ru/token',
};

const Profile = z.object({
  id: z.string().check(z.minLength(1)),
  client_id: z.string(),
  default_email: z.optional(z.string()),
  real_name: z.optional(z.string()),
  display_name: z.optional(z.string()),
});

const askProfile = async ({ provider, fetch }: ProviderContext, accessToken: string) => {
  const response = await fetch(PROFILE, { headers: { authorization: `OAuth ${accessToken}` } });
  const profile = await readProviderAnswer(response, Profile);
  if (profile.client_id !== provider.clientId)
    throw new AppError('provider_failed', { cause: new Error('the token is that of another app') });
  return profile;
};

/**
 * Yandex ID, which is OAuth 2.0 with a profile at an address of its own:
 * https://yandex.com/dev/id/doc/en/codes/code-url and https://yandex.com/dev/id/doc/en/user-information
 */
export const yandex: ProviderKind = {
  name: { en: 'Yandex ID', ru: 'Яндекс ID', 'zh-Hans': 'Yandex ID', 'zh-Hant': 'Yandex ID' },
  languages: ['ru'],
  fields: { required: ['clientSecret'] },

  authorizationUrl: async ({ provider, redirectUri }, request) => {
    const url = new URL(AUTHORIZE);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      scope: (provider.scopes ?? ['login:info', 'login:email']).join(' '),
      state: request.state,
      code_challenge: request.codeChallenge,
      code_challenge_method: 'S256',
      // The person is shown who is signed in there, and may be somebody else.
      ...(request.anew && { force_confirm: 'yes' }),
    }).toString();
    return url;
  },

  check: ({ provider, fetch }) =>
    judgeAnswer(
      oauth.genericTokenEndpointRequest(
        server,
        { client_id: provider.clientId },
        oauth.ClientSecretPost(provider.clientSecret ?? ''),
        'authorization_code',
        { code: NO_CODE },
        { [oauth.customFetch]: fetch },
      ),
    ),

  identify: (context, answer) =>
    speaking(async () => {
      const { provider, redirectUri, fetch } = context;
      const client: oauth.Client = { client_id: provider.clientId };
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.ClientSecretPost(provider.clientSecret ?? ''),
        oauth.validateAuthResponse(server, client, answer.parameters, answer.state),
        redirectUri,
        answer.codeVerifier,
        { [oauth.customFetch]: fetch },
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
      const profile = await askProfile(context, tokens.access_token);
      const name = profile.real_name || profile.display_name;
      return {
        subject: profile.id,
        ...(profile.default_email && { email: profile.default_email }),
        // A person may choose any of their addresses, and Yandex does not say which of them still are theirs.
        emailProven: false,
        ...(name && { name }),
      };
    }),
};
