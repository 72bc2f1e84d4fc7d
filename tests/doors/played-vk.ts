import { randomBytes } from 'node:crypto';
import {
  createCodes,
  provesChallenge,
  type Reply,
  redirectTo,
  startPlayedProvider,
} from './played-provider.ts';

export interface VkPerson {
  user_id: string;
  first_name: string;
  last_name: string;
  email?: string;
  phone?: string;
}

export interface VkApp {
  clientId: string;
  redirectUri: string;
}

const refuse = (error: string, error_description: string, status = 400): Reply => ({
  status,
  body: { error, error_description },
});

export type PlayedVk = Awaited<ReturnType<typeof startPlayedVk>>;

/**
 * VK ID by OAuth 2.1, as its reference documents it, read in November 2026:
 * https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description
 */
export const startPlayedVk = async (app: VkApp) => {
  const codes = createCodes<{ person: VkPerson; deviceId: string }>();
  const accessTokens = new Map<string, VkPerson>();
  let person: VkPerson | undefined;

  const played = await startPlayedProvider(['id.vk.com'], {
    'GET /authorize': ({ query }) => {
      const redirectUri = query.get('redirect_uri') ?? '';
      if (query.get('client_id') !== app.clientId) return refuse('invalid_client', 'client_id is unknown');
      if (redirectUri !== app.redirectUri) return refuse('invalid_request', 'redirect_uri is not trusted');
      if (query.get('response_type') !== 'code') return refuse('unsupported_response_type', 'only code');
      if (!query.get('code_challenge') || query.get('code_challenge_method')?.toUpperCase() !== 'S256')
        return refuse('invalid_request', 'code_challenge is missing');
      const state = query.get('state') ?? '';
      if (!/^[\w-]{32,}$/.test(state)) return refuse('invalid_request', 'state is too short');
      if (!person) return redirectTo(redirectUri, { error: 'access_denied', state });
      const deviceId = randomBytes(24).toString('base64url');
      const code = `vk2.a.${codes.give(query, { person, deviceId }, randomBytes(24).toString('base64url'))}`;
      return redirectTo(redirectUri, {
        code,
        expires_in: '600',
        device_id: deviceId,
        state,
        type: 'code_v2',
      });
    },

    'POST /oauth2/auth': ({ form }) => {
      if (form.get('client_id') !== app.clientId) return refuse('invalid_client', 'client_id is unknown');
      if (form.get('grant_type') !== 'authorization_code') return refuse('invalid_request', 'grant_type');
      const spent = codes.spend(form.get('code')?.replace('vk2.a.', '') ?? null);
      if (
        !spent ||
        spent.query.get('redirect_uri') !== form.get('redirect_uri') ||
        !provesChallenge(spent.query.get('code_challenge'), form.get('code_verifier'))
      )
        return refuse('invalid_grant', 'code is invalid or expired');
      if (spent.granted.deviceId !== form.get('device_id'))
        return refuse('invalid_request', 'device_id is missing or invalid');
      const accessToken = `vk2.a.${randomBytes(24).toString('base64url')}`;
      accessTokens.set(accessToken, spent.granted.person);
      return {
        body: {
          refresh_token: `vk2.a.${randomBytes(24).toString('base64url')}`,
          access_token: accessToken,
          id_token: 'not-for-us',
          token_type: 'Bearer',
          expires_in: 3_600,
          user_id: Number(spent.granted.person.user_id),
          state: form.get('state') ?? undefined,
          scope: spent.query.get('scope') ?? 'vkid.personal_info',
        },
      };
    },

    'POST /oauth2/user_info': ({ form }) => {
      const found = accessTokens.get(form.get('access_token') ?? '');
      if (form.get('client_id') !== app.clientId) return refuse('invalid_client', 'client_id is missing');
      if (!found) return refuse('invalid_token', 'access_token is missing or invalid', 401);
      return { body: { user: { ...found, avatar: '', sex: 0, verified: false, birthday: '' } } };
    },
  });

  return {
    ...played,
    /** Who stands in front of VK; nobody refuses. */
    person: (next: VkPerson | undefined) => {
      person = next;
    },
  };
};
