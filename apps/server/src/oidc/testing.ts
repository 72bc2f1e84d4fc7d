import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorStatus } from '@candela/contract';
import Koa from 'koa';
import type { Kysely, KyselyPlugin } from 'kysely';
import type Provider from 'oidc-provider';
import { recordEvents } from '../../testing/recorded-events.ts';
import { builtInBrands } from '../brand/built-in.ts';
import { type ClientService, createClientService } from '../client/client.service.ts';
import type { Database } from '../db/database.ts';
import { clientSwitch } from '../ending/client-switch.ts';
import { AppError } from '../errors.ts';
import { createResourceServerService } from '../resource-server/resource-server.service.ts';
import { loadSigningKeys, type PrivateJwk } from '../signing-key/signing-key.service.ts';
import { createAdapterFactory } from './adapters.ts';
import { createFailedAuthentications } from './client/failed-authentication.ts';
import type { UserCodeKeys } from './device/user-code.ts';
import { createBrandProvider } from './provider.ts';
import { createAnonymousLimits } from './request/anonymous-limits.ts';
import { type FlushOutcome, flush } from './storage/flush.ts';
import { createUnitOfWork, runInUnit, type UnitOfWork } from './storage/unit.ts';

export const facts = { userAgent: 'Test/1.0', clientHints: null, address: '192.0.2.1', locale: 'en' };
export const ACCOUNT = 'account-of-the-test';
export const CLIENT = 'app-of-the-test';
const CLIENT_SECRET = 'a-client-secret-of-the-test-alone';
const REDIRECT_URI = 'https://app.example/callback';
export const secretKeys = ['a secret key of the test, long enough'];

const userCodeKeys: UserCodeKeys = { hash: [Buffer.alloc(32, 3)], seal: [Buffer.alloc(32, 4)] };

/** The time in whole seconds, `seconds` from now. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** Counts the statements that are executed through `db`, and loses their answers while told to. */
export const createProbe = (database: Kysely<Database>) => {
  const probe = { statements: 0, failure: undefined as Error | undefined };
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      probe.statements += 1;
      if (probe.failure) throw probe.failure;
      return result;
    },
  };
  return { probe, db: database.withPlugin(plugin) };
};

export const insertAccount = async (db: Kysely<Database>, id = ACCOUNT): Promise<void> => {
  const at = new Date();
  await db
    .insertInto('account')
    .values({ id, nickname: id, locale: 'en', status: 'active', created_at: at, updated_at: at })
    .execute();
};

export interface StoreOptions {
  brand?: string;
  clients?: ClientService;
}

/** The adapters of one brand, and units of work to use them in. */
export const createStore = (
  db: Kysely<Database>,
  { brand = 'aurelia', clients = createClientService({ clientSwitch, db, secretKeys }) }: StoreOptions = {},
) => {
  const factory = createAdapterFactory({
    db,
    brand,
    clients,
    anonymousLimits: createAnonymousLimits({ db, events: recordEvents() }),
    userCodeKeys,
  });

  /** Runs `work` as one request does and writes what it queued. */
  const inUnit = async (
    work: (unit: UnitOfWork) => Promise<unknown>,
    options: { failed?: boolean } = {},
  ): Promise<FlushOutcome> => {
    const unit = createUnitOfWork(() => facts);
    await runInUnit(unit, async () => void (await work(unit)));
    return flush(db, unit, options);
  };

  /** A session of the account, and a grant that hangs on it. */
  const seed = async ({ session, grant }: { session?: string; grant?: string }) => {
    await inUnit(async (unit) => {
      if (session) await factory('Session').upsert(`${session}-id`, sessionPayload(session), 3600);
      unit.sessionUid = session;
      if (grant) await factory('Grant').upsert(grant, grantPayload(grant), 3600);
    });
  };

  return { adapter: factory, inUnit, seed };
};

export const sessionPayload = (uid: string, id = `${uid}-id`) => ({
  kind: 'Session',
  jti: id,
  uid,
  accountId: ACCOUNT,
  loginTs: 1_700_000_000,
  authorizations: { [CLIENT]: { sid: 'a-sid', grantId: 'a-grant' } },
  iat: inSeconds(0),
  exp: inSeconds(3600),
});

export const grantPayload = (id: string) => ({
  kind: 'Grant',
  jti: id,
  accountId: ACCOUNT,
  clientId: CLIENT,
  openid: { scope: 'openid profile' },
  iat: inSeconds(0),
  exp: inSeconds(3600),
});

export const tokenPayload = (kind: string, id: string, grantId: string) => ({
  kind,
  jti: id,
  accountId: ACCOUNT,
  clientId: CLIENT,
  grantId,
  scope: 'openid',
  iat: inSeconds(0),
  exp: inSeconds(600),
});

export interface TokenAnswer {
  status: number;
  /** Seconds, where the answer says when to come again. */
  retryAfter?: number;
  body: { access_token?: string; refresh_token?: string; error?: string; active?: boolean };
}

let keys: Promise<PrivateJwk[]> | undefined;

export interface EngineOptions {
  brand?: string;
  /** Adds to the client's metadata or replaces it. */
  client?: Record<string, unknown>;
}

/** The real engine of one brand on a port of its own, with one client and nothing in front. */
export const startEngine = async (
  db: Kysely<Database>,
  { brand = 'aurelia', client: metadata = {} }: EngineOptions = {},
) => {
  const origin = `http://${brand}.example`;
  const [template] = builtInBrands;
  const clients = createClientService({ clientSwitch, db, secretKeys });
  const isPublic = metadata.token_endpoint_auth_method === 'none';
  await clients.applyClients([
    {
      client_id: CLIENT,
      ...(!isPublic && { client_secret: CLIENT_SECRET }),
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
    },
  ]);
  keys ??= loadSigningKeys({ db, secretKeys });
  const events = recordEvents();
  const { provider, middleware } = createBrandProvider({
    brand: { ...template, id: brand, origin },
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
    pages: {
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
      renderGone: async (ctx) => {
        ctx.status = 410;
      },
    },
    facts: () => facts,
    events,
    failures: createFailedAuthentications({ db, events }),
  });

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
  const server = createServer(koa.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic';
  const post = async (
    path: string,
    form: Record<string, string>,
    secret = CLIENT_SECRET,
  ): Promise<TokenAnswer> => {
    const basic = Buffer.from(`${CLIENT}:${encodeURIComponent(secret)}`).toString('base64');
    const inBody = { client_id: CLIENT, ...(method === 'client_secret_post' && { client_secret: secret }) };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
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

  const verifier = 'a-code-verifier-of-the-test-that-is-long-enough-for-it';
  const { inUnit } = createStore(db, { brand, clients });

  return {
    provider,
    events,
    post,
    inUnit,
    authorize: (parameters: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/oauth/authorize?${new URLSearchParams(parameters)}`, {
        redirect: 'manual',
      }),
    introspect: (token: string) => post('/oauth/introspect', { token }),
    revoke: (token: string) => post('/oauth/revoke', { token }),
    refresh: (token: string, more: Record<string, string> = {}) =>
      post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...more }),
    redeem: (code: string, more: Record<string, string> = {}) =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: verifier,
        ...more,
      }),
    /** A code as the authorization endpoint issues it, under a grant of its own unless told. */
    issueCode: (grantId?: string) => issueCode(provider, inUnit, { grantId, verifier }),
    /** The same with the scope `read` of a resource. */
    issueResourceCode: (resource: string) =>
      issueCode(provider, inUnit, { grantId: undefined, verifier, resource }),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
};

const issueCode = async (
  provider: Provider,
  inUnit: ReturnType<typeof createStore>['inUnit'],
  { grantId, verifier, resource }: { grantId: string | undefined; verifier: string; resource?: string },
): Promise<{ code: string; grantId: string }> => {
  const codeChallenge = hash('sha256', verifier, 'base64url');
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
