import { hash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorStatus } from '@candela/contract';
import Koa from 'koa';
import type { Kysely } from 'kysely';
import type Provider from 'oidc-provider';
import { builtInBrands } from '../src/branding/brand/built-in.ts';
import type { ClientService } from '../src/clients/client/client.service.ts';
import { createClientRecords } from '../src/clients/client-health/client-records.ts';
import { createResourceServerService } from '../src/clients/resource-server/resource-server.service.ts';
import type { Database } from '../src/ground/db/database.ts';
import { AppError } from '../src/ground/errors.ts';
import type { EventSink } from '../src/ground/event/events.ts';
import { loadSigningKeys, type PrivateJwk } from '../src/link/signing-key/signing-key.service.ts';
import { createFailedAuthentications } from '../src/protocol/oidc/client/failed-authentication.ts';
import type { EnginePages } from '../src/protocol/oidc/configuration.ts';
import { type BrandProvider, createBrandProvider } from '../src/protocol/oidc/provider.ts';
import { createAnonymousLimits } from '../src/protocol/oidc/request/anonymous-limits.ts';
import {
  ACCOUNT,
  CLIENT,
  createStore,
  facts,
  inSeconds,
  secretKeys,
  userCodeKeys,
} from './protocol-store.ts';
import { recordEvents } from './recorded-events.ts';
import { createRegistrations } from './registrations.ts';

const CLIENT_SECRET = 'a-client-secret-of-the-test-alone';
const REDIRECT_URI = 'https://app.example/callback';
const VERIFIER = 'a-code-verifier-of-the-test-that-is-long-enough-for-it';

export interface TokenAnswer {
  status: number;
  /** The seconds of Retry-After, if the response has it. */
  retryAfter?: number;
  body: { access_token?: string; refresh_token?: string; error?: string; active?: boolean };
}

let keys: Promise<PrivateJwk[]> | undefined;

export interface EngineOptions {
  brand?: string;
  /** Adds to the client’s metadata or overrides it. */
  client?: Record<string, unknown>;
}

/** The pages as the engine makes them, without a design. */
const pages: EnginePages = {
  renderError: async (ctx, out) => {
    ctx.body = out;
  },
  renderLogout: async (ctx, form) => {
    ctx.body = form;
  },
  renderLoggedOut: async (ctx) => {
    ctx.status = 204;
  },
  renderDevicePage: async (ctx, xsrf) => {
    ctx.body = { xsrf };
  },
  renderUsed: async (ctx) => {
    ctx.status = 400;
  },
  renderGone: async (ctx) => {
    ctx.status = 410;
  },
};

const createProvider = async (
  db: Kysely<Database>,
  { brand, clients, events }: { brand: string; clients: ClientService; events: EventSink },
): Promise<BrandProvider> => {
  const [template] = builtInBrands;
  keys ??= loadSigningKeys({ db, secretKeys });
  return createBrandProvider({
    brand: { ...template, id: brand, origin: `http://${brand}.example`, rpId: `${brand}.example` },
    servedBrands: builtInBrands.map(({ id }) => id),
    db,
    clients,
    anonymousLimits: createAnonymousLimits({ db, events }),
    userCodeKeys,
    consents: { recall: async () => undefined },
    resourceServers: createResourceServerService({ db }),
    signingKeys: await keys,
    cookieKeys: ['a cookie key of the test'],
    nonceKey: Buffer.alloc(32, 1),
    pairwiseSalt: Buffer.alloc(32, 2),
    outbound: () => Promise.reject(new Error('nothing is asked of the hosts of clients')),
    pages,
    // No client of these tests takes assertions of Google.
    google: {} as never,
    facts: () => facts,
    events,
    records: createClientRecords({ db }),
    logger: { warn: () => undefined },
    failures: createFailedAuthentications({ db, events }),
  });
};

/** The engine’s middleware alone, with the error responses of this server. */
const toListener = ({ middleware }: BrandProvider): RequestListener => {
  const koa = new Koa();
  koa.silent = true;
  koa.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.status = error instanceof AppError ? errorStatus[error.code] : 500;
      ctx.body = { error: error instanceof AppError ? error.code : String(error) };
    }
  });
  koa.use(middleware);
  return koa.callback();
};

const listen = async (listener: RequestListener): Promise<{ server: Server; base: string }> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

/** Posts forms as the client of the test, with its authentication method. */
const createPost =
  (base: string, method: unknown = 'client_secret_basic') =>
  async (path: string, form: Record<string, string>, secret = CLIENT_SECRET): Promise<TokenAnswer> => {
    const basic = Buffer.from(`${CLIENT}:${encodeURIComponent(secret)}`).toString('base64');
    const inBody = { client_id: CLIENT, ...(method === 'client_secret_post' && { client_secret: secret }) };
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ ...(method !== 'client_secret_basic' && inBody), ...form }),
      ...(method === 'client_secret_basic' && { headers: { authorization: `Basic ${basic}` } }),
    });
    const text = await answer.text();
    const retryAfter = answer.headers.get('retry-after');
    return {
      status: answer.status,
      body: text ? JSON.parse(text) : {},
      ...(retryAfter !== null && { retryAfter: Number(retryAfter) }),
    };
  };

const issueCode = async (
  provider: Provider,
  inUnit: ReturnType<typeof createStore>['inUnit'],
  { grantId, resource }: { grantId?: string | undefined; resource?: string },
): Promise<{ code: string; grantId: string }> => {
  const codeChallenge = hash('sha256', VERIFIER, 'base64url');
  const client = await provider.Client.find(CLIENT);
  if (!client) throw new Error('the client of the test is not registered');
  let issued = { code: '', grantId: grantId ?? '' };
  await inUnit(async () => {
    if (!grantId) {
      const grant = new provider.Grant({ accountId: ACCOUNT, clientId: CLIENT });
      grant.addOIDCScope('openid offline_access');
      if (resource) grant.addResourceScope(resource, 'read');
      issued.grantId = await grant.save();
    }
    const code = new provider.AuthorizationCode({
      accountId: ACCOUNT,
      client,
      grantId: issued.grantId,
      redirectUri: REDIRECT_URI,
      scope: resource ? 'openid read' : 'openid',
      ...(resource && { resource }),
      codeChallenge,
      codeChallengeMethod: 'S256',
      authTime: inSeconds(0),
    } as never);
    issued = { ...issued, code: await code.save() };
  });
  return issued;
};

/** The real engine of one brand on a port of its own, with one client and no other middleware. */
export const startEngine = async (
  db: Kysely<Database>,
  { brand = 'aurelia', client: metadata = {} }: EngineOptions = {},
) => {
  const { clients, apply } = createRegistrations(db, { secretKeys });
  const isPublic = metadata.token_endpoint_auth_method === 'none';
  await apply([
    {
      client_id: CLIENT,
      ...(!isPublic && { client_secret: CLIENT_SECRET }),
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
    },
  ]);
  const events = recordEvents();
  const engine = await createProvider(db, { brand, clients, events });
  const { server, base } = await listen(toListener(engine));
  const { provider } = engine;
  const post = createPost(base, metadata.token_endpoint_auth_method);
  const { inUnit } = createStore(db, { brand, clients });

  return {
    provider,
    events,
    post,
    inUnit,
    authorize: (parameters: Record<string, string>) =>
      fetch(`${base}/oauth/authorize?${new URLSearchParams(parameters)}`, { redirect: 'manual' }),
    introspect: (token: string) => post('/oauth/introspect', { token }),
    revoke: (token: string) => post('/oauth/revoke', { token }),
    refresh: (token: string, more: Record<string, string> = {}) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...more }),
    redeem: (code: string, more: Record<string, string> = {}) =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: VERIFIER,
        ...more,
      }),
    /** A code as the authorization endpoint issues it, under `grantId` or a new grant. */
    issueCode: (grantId?: string) => issueCode(provider, inUnit, { grantId }),
    /** A code with the scope `read` of a resource. */
    issueResourceCode: (resource: string) => issueCode(provider, inUnit, { resource }),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
};
