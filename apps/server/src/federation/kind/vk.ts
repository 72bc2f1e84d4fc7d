import type { Locale } from '@candela/contract';
import * as oauth from 'oauth4webapi';
import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';
import type { ProviderAnswer, ProviderContext, ProviderKind } from '../identity-provider/provider-kind.ts';
import { judgeAnswer, NO_CODE } from './credentials-check.ts';
import { speaking } from './openid-failure.ts';
import { readProviderAnswer } from './provider-answer.ts';

const AUTHORIZE = 'https://id.vk.com/authorize';
const USER_INFO = 'https://id.vk.com/oauth2/user_info';
const server: oauth.AuthorizationServer = {
  issuer: 'https://id.vk.com',
  token_endpoint: 'https://id.vk.com/oauth2/auth',
};

const RUSSIAN = '0';
const ENGLISH = '3';
const languageOf = (locale: Locale) => (locale === 'ru' ? RUSSIAN : ENGLISH);

const Tokens = z.object({ access_token: z.string(), user_id: z.union([z.number(), z.string()]) });
const UserInfo = z.object({
  user: z.object({
    user_id: z.union([z.number(), z.string()]),
    first_name: z.optional(z.string()),
    last_name: z.optional(z.string()),
    email: z.optional(z.string()),
  }),
});

const askUserInfo = async ({ provider, fetch }: ProviderContext, accessToken: string) => {
  const body = new URLSearchParams({ access_token: accessToken, client_id: provider.clientId });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(USER_INFO, { method: 'POST', headers, body });
  return (await readProviderAnswer(response, UserInfo)).user;
};

/** The code comes with the device that it was given to. */
const exchange = (
  { provider, redirectUri, fetch }: ProviderContext,
  callback: URLSearchParams,
  { state, codeVerifier }: Pick<ProviderAnswer, 'state' | 'codeVerifier'>,
): Promise<Response> =>
  oauth.authorizationCodeGrantRequest(
    server,
    { client_id: provider.clientId },
    oauth.None(),
    callback,
    redirectUri,
    codeVerifier,
    {
      [oauth.customFetch]: fetch,
      additionalParameters: { device_id: callback.get('device_id') ?? '', state },
    },
  );

/**
 * VK ID, which is OAuth 2.1 with a `device_id`, and public clients:
 * https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description
 */
export const vk: ProviderKind = {
  name: 'VK ID',
  languages: ['ru'],
  fields: { required: [] },

  authorizationUrl: async ({ provider, redirectUri }, request) => {
    const url = new URL(AUTHORIZE);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      scope: (provider.scopes ?? ['vkid.personal_info', 'email']).join(' '),
      state: request.state,
      code_challenge: request.codeChallenge,
      code_challenge_method: 'S256',
      lang_id: languageOf(request.locale),
      ...(request.anew && { prompt: 'login' }),
    }).toString();
    return url;
  },

  check: ({ provider, redirectUri, fetch }) =>
    judgeAnswer(
      oauth.genericTokenEndpointRequest(
        server,
        { client_id: provider.clientId },
        oauth.None(),
        'authorization_code',
        {
          code: NO_CODE,
          device_id: NO_CODE,
          redirect_uri: redirectUri,
          code_verifier: NO_CODE.padEnd(43, '-'),
        },
        { [oauth.customFetch]: fetch },
      ),
    ),

  identify: (context, answer) =>
    speaking(async () => {
      const client: oauth.Client = { client_id: context.provider.clientId };
      const callback = oauth.validateAuthResponse(server, client, answer.parameters, answer.state);
      if (!callback.get('device_id'))
        throw new AppError('provider_failed', { cause: new Error('no device_id came back') });
      const response = await exchange(context, callback, answer);
      // The ID Token is not read: it is for the address of VK ID that masks what it tells.
      const tokens = await readProviderAnswer(response, Tokens);
      const user = await askUserInfo(context, tokens.access_token);
      const subject = String(user.user_id);
      if (subject !== String(tokens.user_id) || subject === '')
        throw new AppError('provider_failed', { cause: new Error('the profile is that of somebody else') });
      const name = [user.first_name, user.last_name].filter(Boolean).join(' ');
      return {
        subject,
        ...(user.email && { email: user.email }),
        // VK does not say that an address which it tells still belongs to the person.
        emailProven: false,
        ...(name && { name }),
      };
    }),
};
