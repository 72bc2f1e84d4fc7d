import { randomBytes } from 'node:crypto';
import { basic } from './token.ts';
import type { UserAgent } from './user-agent.ts';
import type { World } from './world.ts';

export interface PlatformOptions {
  /** Metadata that the operator registers, besides id and secret. */
  metadata: Record<string, unknown>;
  redirectUri: string;
  authentication: 'basic' | 'body';
}

export interface TokenAnswer {
  status: number;
  /** The body of the response, unparsed. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes and assert on them.
  body: any;
}

export type Platform = Awaited<ReturnType<typeof registerPlatform>>;

/** A platform of account linking: it speaks plain HTTP as its documentation says, without a library. */
export const registerPlatform = async (
  world: World,
  { metadata, redirectUri, authentication }: PlatformOptions,
) => {
  const clientId = `platform-${randomBytes(4).toString('hex')}`;
  const clientSecret = randomBytes(24).toString('base64url');
  const registration = {
    client_id: clientId,
    client_secret: clientSecret,
    client_name: 'Platform',
    ...metadata,
  };
  await world.registerClients([registration]);

  const post = async (path: string, form: Record<string, string>): Promise<TokenAnswer> => {
    const inBody = authentication === 'body' && { client_id: clientId, client_secret: clientSecret };
    const answer = await fetch(`${world.origin}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, ...inBody }),
      ...(authentication === 'basic' && { headers: basic({ clientId, clientSecret }) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, body: text ? JSON.parse(text) : {} };
  };

  const authorizationUrl = (parameters: Record<string, string> = {}) =>
    `${world.origin}/oauth/authorize?${new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid profile',
      state: randomBytes(16).toString('base64url'),
      ...parameters,
    })}`;

  /** The person of the browser approves if asked; returns the address of the response. */
  const authorize = async (agent: UserAgent, parameters: Record<string, string> = {}): Promise<URL> => {
    const { url } = await agent.navigate(authorizationUrl(parameters));
    return url.pathname === '/consent' ? (await world.approve(agent, world.interactionOf(url))).url : url;
  };

  const exchange = (callback: URL, form: Record<string, string> = {}) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: callback.origin + callback.pathname,
      ...form,
    });

  return {
    post,
    clientId,
    clientSecret,
    registration,
    authorizationUrl,
    authorize,
    exchange,
    /** From the person’s approval to tokens. */
    link: async (agent: UserAgent, parameters: Record<string, string> = {}) =>
      (await exchange(await authorize(agent, parameters))).body,
    refresh: (refreshToken: string) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: refreshToken }),
    introspect: async (token: string) => (await post('/oauth/introspect', { token })).body,
    revoke: (token: string, hint = 'refresh_token') =>
      post('/oauth/revoke', { token, token_type_hint: hint }),
    /** The status of userinfo with the access token. */
    use: async (accessToken: string): Promise<number> =>
      (await fetch(`${world.origin}/oauth/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } }))
        .status,
  };
};
