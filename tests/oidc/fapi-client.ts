import * as oidc from 'openid-client';
import { createSigningKey, type SigningKey, signAssertion, signProof } from '../support/signer.ts';
import { hashOf } from '../support/token.ts';
import type { Arrival, UserAgent } from '../support/user-agent.ts';
import type { World } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

type Values = Record<string, string | undefined>;
type Claims = Record<string, unknown>;
export type FapiClient = Awaited<ReturnType<typeof registerFapiClient>>;

/** How a request differs from a valid one. */
export interface Difference {
  /** Claims and header of the client assertion; null omits the assertion. */
  assertion?: { claims?: Claims; header?: Claims; key?: Pick<SigningKey, 'privateKey'> } | null;
  /** Claims and key of the DPoP proof; null omits the proof. */
  proof?: { claims?: Claims; key?: SigningKey } | null;
}

const defined = (values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** An app with the preset `fapi` that makes each assertion and proof by hand, and sends them with each request. */
export const registerFapiClient = async (world: World, agent: UserAgent, metadata: Claims = {}) => {
  const [key, rsa, pss, bound] = await Promise.all([
    createSigningKey(),
    createSigningKey('RS256'),
    createSigningKey('PS256'),
    createSigningKey(),
  ]);
  const app: RegisteredApp = await world.registerApp(
    {
      preset: 'fapi',
      client_secret: undefined,
      jwks: {
        keys: [
          { ...key.jwk, kid: 'ec' },
          { ...rsa.jwk, kid: 'rsa' },
          { ...pss.jwk, kid: 'pss' },
        ],
      },
      ...metadata,
    },
    { authentication: oidc.PrivateKeyJwt({ key: key.privateKey, kid: 'ec' }) },
  );
  const { clientId, rp } = app;
  let nonce: string | undefined;

  const prove = (
    path: string,
    { claims = {}, key: by = bound }: { claims?: Claims; key?: SigningKey } = {},
  ) => signProof(by, { htm: 'POST', htu: `${world.origin}${path}`, nonce, ...claims });

  const post = async (path: string, form: Values, { assertion = {}, proof = {} }: Difference = {}) => {
    const signed = assertion && {
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: await signAssertion(
        assertion.key ?? key,
        { clientId, audience: world.origin },
        assertion.claims,
        { kid: 'ec', ...assertion.header },
      ),
    };
    const answer = await world.browser().request('POST', path, {
      form: { ...signed, ...defined(form) },
      headers: { origin: '', ...(proof && { dpop: await prove(path, proof) }) },
    });
    nonce = String(answer.headers['dpop-nonce'] ?? nonce);
    return answer;
  };

  /** Pushes a valid request, except for `changes`; undefined omits a parameter. */
  const push = async (changes: Values = {}, difference: Difference = { proof: null }) => {
    const { url, checks } = await rp.authorizationUrl();
    const parameters = { ...Object.fromEntries(url.searchParams), client_id: clientId, ...changes };
    return { answer: await post('/oauth/par', parameters, difference), checks };
  };

  const open = (parameters: Record<string, string>): Promise<Arrival> =>
    agent.navigate(`/oauth/authorize?${new URLSearchParams({ client_id: clientId, ...parameters })}`);

  /** Goes through the front channel, approving if asked, to the address of the app. */
  const authorize = async (changes: Values = {}, difference?: Difference) => {
    const { answer, checks } = await push(changes, difference);
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
    let arrived = await open({ request_uri: answer.json().request_uri });
    if (arrived.url.pathname === '/consent')
      arrived = await world.approve(agent, world.interactionOf(arrived.url));
    return { callback: arrived.url, checks, code: arrived.url.searchParams.get('code') ?? '' };
  };

  type Authorized = Awaited<ReturnType<typeof authorize>>;

  const redeem = ({ code, checks }: Authorized, difference: Difference = {}, changes: Values = {}) =>
    post(
      '/oauth/token',
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.redirectUri,
        code_verifier: checks.pkceCodeVerifier,
        ...changes,
      },
      difference,
    );

  const refresh = (token: string, difference: Difference = {}) =>
    post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token }, difference);

  const userinfo = async (
    token: string,
    { scheme = 'DPoP', ...proof }: { scheme?: string; claims?: Claims; key?: SigningKey } = {},
  ) => {
    const claims = { htm: 'GET', ath: hashOf(token), ...proof.claims };
    return world.browser().get('/oauth/userinfo', {
      headers: {
        authorization: `${scheme} ${token}`,
        dpop: await prove('/oauth/userinfo', { ...proof, claims }),
      },
    });
  };

  // This request gets the first nonce.
  await post('/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' });
  return { app, key, rsa, pss, bound, post, push, open, authorize, redeem, refresh, userinfo };
};
