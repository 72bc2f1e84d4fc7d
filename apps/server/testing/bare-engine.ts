import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';

const jwks = {
  keys: [
    {
      ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
      kid: 'rsa',
    },
    {
      ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
      kid: 'ec',
    },
  ],
};

/** The payloads that the engine stored, by the name of the model and the id. */
const createMemory = () => {
  const stored = new Map<string, AdapterPayload>();
  const looks: string[] = [];
  const adapter = (model: string): Adapter => {
    const list = () =>
      [...stored].filter(([key]) => key.startsWith(`${model} `)).map(([, payload]) => payload);
    return {
      upsert: async (id, payload) => {
        stored.set(`${model} ${id}`, payload);
      },
      find: async (id) => {
        looks.push(`${model} ${id}`);
        return stored.get(`${model} ${id}`);
      },
      findByUid: async (uid) => list().find((payload) => payload.uid === uid),
      findByUserCode: async (code) => list().find((payload) => payload.userCode === code),
      consume: async (id) => {
        Object.assign(stored.get(`${model} ${id}`) ?? {}, { consumed: Math.floor(Date.now() / 1000) });
      },
      destroy: async (id) => {
        stored.delete(`${model} ${id}`);
      },
      revokeByGrantId: async () => undefined,
    };
  };
  return { adapter, stored, looks };
};

/** A confidential client that may use everything the engine is configured for. */
export const app = {
  client_id: 'app',
  client_secret: 'secret',
  redirect_uris: ['https://app.example/callback'],
};

/** Every lifetime is set, since the engine warns of each default that it uses. */
const models = [
  'AccessToken',
  'AuthorizationCode',
  'ClientCredentials',
  'DeviceCode',
  'Grant',
  'IdToken',
  'Interaction',
  'RefreshToken',
  'Session',
];

/** The parameters of an authorization request of `app`. */
export const authorizationRequest = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: app.redirect_uris[0] ?? '',
    response_type: 'code',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    scope: 'openid',
    ...more,
  });

/**
 * The engine alone, with its models in memory and nothing of this server around it. Contract tests ask this engine:
 * they fail when a release of the engine changes its internals.
 */
export const createBareEngine = (configuration: Configuration = {}, issuer = 'http://engine.example') => {
  const { adapter, stored, looks } = createMemory();
  const provider = new Provider(issuer, {
    adapter,
    clients: [app],
    jwks,
    cookies: { keys: ['a cookie key of the test'], short: { path: '/' } },
    findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    ttl: Object.fromEntries(models.map((model) => [model, 600])),
    ...configuration,
    features: { devInteractions: { enabled: false }, ...configuration.features },
  });
  return { provider, stored, looks };
};

/** The engine on a port of its own, and one browser for it, which keeps cookies and follows no redirect. */
export const startBareEngine = async (configuration: Configuration = {}) => {
  const server = createServer((request, answer) => engine.provider.callback()(request, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const engine = createBareEngine(configuration, origin);

  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const answer = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
  };

  const get = (path: string) => ask(path);
  const payloadAt = (location: string | null) =>
    engine.stored.get(`Interaction ${location?.split('/').at(-1)}`);

  return {
    ...engine,
    origin,
    get,
    /** The stored interaction to which a response redirects. */
    payloadAt,
    /** Sends an authorization request and signs in as `accountId`; returns the next interaction. */
    signIn: async (accountId: string) => {
      const first = payloadAt((await get(`/auth?${authorizationRequest()}`)).location);
      // Changes the store directly, as a statement of SQL would.
      Object.assign(first ?? {}, { result: { login: { accountId } } });
      const { location } = await get(String(first?.returnTo).replace(origin, ''));
      return { first, next: payloadAt(location) };
    },
    post: (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      ask(path, { method: 'POST', body: new URLSearchParams(form), headers }),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
};
