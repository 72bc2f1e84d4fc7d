import { expect } from 'vitest';
import { type SigningKey, signProof } from '../support/signer.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import type { World } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';

/** Status and error of a response. */
export const errorOf = ({ status, json }: Answer) => [status, json().error];

export type DPoPClient = ReturnType<typeof createDPoPClient>;

/** A public app that makes each proof by hand. */
export const createDPoPClient = (world: World, { agent, app }: { agent: UserAgent; app: RegisteredApp }) => {
  const tokenUrl = `${world.origin}/oauth/token`;
  const userinfoUrl = `${world.origin}/oauth/userinfo`;

  /** A valid proof for the token endpoint, except for the given changes. */
  const prove = (key: SigningKey, claims: Record<string, unknown>, header: Record<string, unknown> = {}) =>
    signProof(key, { htm: 'POST', htu: tokenUrl, ...claims }, header);

  const post = (form: Record<string, string>, proof?: string): Promise<Answer> =>
    world.browser().request('POST', '/oauth/token', {
      form: { client_id: app.clientId, ...form },
      headers: { origin: '', ...(proof && { dpop: proof }) },
    });

  const refresh = (token: string, proof?: string) =>
    post({ grant_type: 'refresh_token', refresh_token: token }, proof);

  const freshNonce = async (key: SigningKey): Promise<string> =>
    String((await refresh('x', await prove(key, {}))).headers['dpop-nonce']);

  /** The tokens of a new link, bound to the key. */
  const linkWith = async (key: SigningKey) => {
    const { url, checks } = await app.rp.authorizationUrl();
    let arrived = await agent.navigate(url);
    if (arrived.url.pathname === '/consent')
      arrived = await world.approve(agent, world.interactionOf(arrived.url));
    const form = {
      grant_type: 'authorization_code',
      code: arrived.url.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: checks.pkceCodeVerifier,
    };
    const answer = await post(form, await prove(key, { nonce: await freshNonce(key) }));
    expect(answer.status, answer.body).toBe(200);
    return answer.json() as { access_token: string; refresh_token: string; token_type: string };
  };

  const userinfo = (token: string, proof: string | undefined, scheme = 'DPoP') =>
    world.browser().get('/oauth/userinfo', {
      headers: { authorization: `${scheme} ${token}`, ...(proof && { dpop: proof }) },
    });

  return { tokenUrl, userinfoUrl, prove, post, refresh, freshNonce, linkWith, userinfo };
};
