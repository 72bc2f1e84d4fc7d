import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { currentRequest, type EngineRequest, setRetryAfter } from './engine-request.ts';

const ACCOUNT = 'somebody';
const CLIENT = 'an-app';
const SECRET = 'a secret of the app';
const REDIRECT_URI = 'https://app.example/callback';
const SIGNED_IN_AT = 1_700_000_000;

/** A call of a model by the engine, with the request that the model receives. */
let calls: { name: string; request: EngineRequest }[] = [];

const rows = new Map<string, AdapterPayload>();

/** Keeps models in memory, and records the request of each call. */
const createAdapter = (model: string): Adapter => {
  const note = (verb: string) => calls.push({ name: `${model}.${verb}`, request: currentRequest() });
  const find = async (id: string) => {
    note('find');
    return rows.get(`${model} ${id}`);
  };
  return {
    find,
    findByUid: async (uid) => [...rows.values()].find((row) => row.uid === uid),
    findByUserCode: find,
    upsert: async (id, payload) => {
      note('upsert');
      rows.set(`${model} ${id}`, payload);
    },
    consume: async () => void note('consume'),
    destroy: async (id) => {
      note('destroy');
      rows.delete(`${model} ${id}`);
    },
    revokeByGrantId: async () => void note('revokeByGrantId'),
  };
};

const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

const createEngine = () =>
  new Provider('http://engine.example', {
    adapter: createAdapter,
    jwks: { keys: [{ ...key, kty: 'EC', use: 'sig' }] },
    cookies: { keys: ['a key of the test'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clients: [
      {
        client_id: CLIENT,
        client_secret: SECRET,
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    pkce: { required: () => false },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
    },
    ttl: Object.fromEntries(
      ['AccessToken', 'DeviceCode', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'].map(
        (model) => [model, 600],
      ),
    ),
    findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ accountId: ACCOUNT, clientId: CLIENT });
      grant.addOIDCScope('openid');
      await grant.save();
      return grant;
    },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
  });

const engine = createEngine();
const serve = engine.callback();
const login = { accountId: ACCOUNT, ts: SIGNED_IN_AT, epoch: 7 };

/** The engine, with an interaction page that signs everybody in. */
const server = createServer((req: IncomingMessage, res: ServerResponse) => {
  const isInteraction = req.url?.startsWith('/interaction/');
  void (isInteraction ? engine.interactionFinished(req, res, { login }) : serve(req, res));
});

let origin = '';
let cookies = new Map<string, string>();

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  calls = [];
});

const visit = async (path: string): Promise<string> => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(new URL(path, origin), { redirect: 'manual', headers: { cookie } });
  for (const set of answer.headers.getSetCookie()) {
    const [pair = ''] = set.split(';');
    cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
  }
  return answer.headers.get('location') ?? '';
};

const parameters = { client_id: CLIENT, redirect_uri: REDIRECT_URI, response_type: 'code', scope: 'openid' };
const authorize = () => visit(`/auth?${new URLSearchParams(parameters)}`);

/** Signs in in a new browser and returns the code. */
const signIn = async (): Promise<string> => {
  cookies = new Map();
  const callback = await visit(await visit(await authorize()));
  return new URL(callback).searchParams.get('code') ?? '';
};

const post = async (path: string, form: Record<string, string>, headers: Record<string, string> = {}) => {
  const body = new URLSearchParams({ client_id: CLIENT, client_secret: SECRET, ...form });
  const answer = await fetch(new URL(path, origin), { method: 'POST', body, headers });
  const text = await answer.text();
  return { answer, body: text ? (JSON.parse(text) as Record<string, string>) : {} };
};

const redeem = async () => {
  const form = { grant_type: 'authorization_code', code: await signIn(), redirect_uri: REDIRECT_URI };
  return (await post('/token', form)).body;
};

/** The request of the last call with that name. */
const at = (name: string): EngineRequest => {
  const call = calls.findLast((each) => each.name === name);
  if (!call) throw new Error(`the engine did not call ${name}, but ${calls.map((each) => each.name)}`);
  return call.request;
};

test('outside of the engine’s endpoints there is no request', async () => {
  expect(currentRequest()).toMatchObject({ route: undefined, client: undefined, parameters: {} });
  expect(await currentRequest().findClient(CLIENT)).toBeUndefined();
  expect(() => setRetryAfter(1)).not.toThrow();
});

test('an authorization request has its client and its parameters, and at first no account', async () => {
  cookies = new Map();
  await authorize();
  const request = at('Interaction.upsert');
  expect(request).toMatchObject({ route: 'authorization', parameters, isAnswered: false, signIn: undefined });
  expect(request.client?.clientId).toBe(CLIENT);
  expect(request.accountId).toBeUndefined();
});

test('a resumed request has the complete result of the sign-in', async () => {
  await signIn();
  expect(at('Session.upsert')).toMatchObject({ route: 'resume', signIn: login, isAnswered: true });
});

test('a request of a signed-in browser has the account of its session', async () => {
  await signIn();
  calls = [];
  expect(await authorize()).toContain('code=');
  expect(at('AuthorizationCode.upsert')).toMatchObject({
    route: 'authorization',
    accountId: ACCOUNT,
    isAnswered: false,
  });
});

test('a rotated token is saved with its predecessor, and no other token has a predecessor', async () => {
  const { refresh_token = '' } = await redeem();
  expect(at('RefreshToken.upsert')).toMatchObject({ route: 'token', rotatedFrom: undefined });
  const form = { grant_type: 'refresh_token', refresh_token };
  expect((await post('/token', form)).answer.status).toBe(200);
  expect(at('RefreshToken.upsert')).toMatchObject({ route: 'token', rotatedFrom: refresh_token });
  const { client, findClient } = at('RefreshToken.find');
  expect(client?.clientId).toBe(CLIENT);
  expect(await findClient(CLIENT)).toBe(client);
});

test('a request with a DPoP proof has the proof', async () => {
  const { access_token: token = '' } = await redeem();
  expect(at('AccessToken.upsert').proof).toBeUndefined();
  await post('/token/revocation', { token }, { DPoP: 'a proof' });
  expect(at('AccessToken.destroy').proof).toBe('a proof');
});

test('revoking an access token has the client of the token, and revoking a refresh token has not', async () => {
  const { access_token = '', refresh_token = '' } = await redeem();
  await post('/token/revocation', { token: access_token });
  expect(at('AccessToken.destroy')).toMatchObject({
    route: 'revocation',
    accessToken: { clientId: CLIENT },
  });
  await post('/token/revocation', { token: refresh_token });
  expect(at('RefreshToken.destroy')).toMatchObject({ route: 'revocation', accessToken: undefined });
});

test('the endpoints that models distinguish have their names', async () => {
  await post('/request', parameters);
  expect(at('PushedAuthorizationRequest.upsert').route).toBe('pushed_authorization_request');
  await post('/device/auth', { scope: 'openid' });
  expect(at('DeviceCode.upsert').route).toBe('device_authorization');
});
