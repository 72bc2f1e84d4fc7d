import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type AdapterPayload } from 'oidc-provider';
import { createCookieSigner } from '../../apps/server/src/http/cookie-signer.ts';
import { createConfiguration } from '../../apps/server/src/protocol/oidc/configuration.ts';
import { createMemoryStore } from './memory-adapter.ts';
import { type Batch, clientMetadata, ORIGIN, SCOPE, tokenValue } from './setting.ts';
import { serveVerbs } from './verbs.ts';

const ACCOUNT_ID = 'bench-account';
const DAY_SECONDS = 86_400;

const account = JSON.stringify({
  sub: ACCOUNT_ID,
  name: 'bench',
  nickname: 'bench',
  locale: 'en',
  updated_at: 1_700_000_000,
  email: 'bench@example.com',
  email_verified: true,
});

const toJwk = (alg: string, pair: { privateKey: { export(options: { format: 'jwk' }): object } }) => ({
  ...pair.privateKey.export({ format: 'jwk' }),
  kid: alg,
  alg,
  use: 'sig',
});

const cookieKeys = ['a-cookie-key-of-the-bench-and-of-nothing-else'];

const page = async (ctx: { body: unknown }) => {
  ctx.body = 'a page';
};

const store = createMemoryStore();
const clients = { findClient: async () => ({ firstParty: false, metadata: {} }) };
/** A person who has approved once is not asked again, as in Candela. */
const consents = {
  recall: async () => ({ approved: new Set(SCOPE.split(' ')), declined: new Set<string>() }),
};

/** Candela’s engine with its configuration, except for the parts that reach the database. */
const provider = new Provider(ORIGIN, {
  ...createConfiguration({
    brand: { id: 'bench', origin: ORIGIN } as never,
    servedBrands: ['bench'],
    db: {} as never,
    clients: clients as never,
    userCodeKeys: { hash: [Buffer.alloc(32, 3)], seal: [Buffer.alloc(32, 4)] },
    anonymousLimits: { require: async () => undefined },
    consents,
    resourceServers: { findResourceServer: async () => undefined } as never,
    signingKeys: [
      toJwk('RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })),
      toJwk('ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    ],
    cookieKeys,
    nonceKey: Buffer.alloc(32, 1),
    pairwiseSalt: Buffer.alloc(32, 2),
    outbound: () => Promise.reject(new Error('the bench has no hosts of clients')),
    pages: {
      renderError: page,
      renderLogout: page,
      renderLoggedOut: page,
      renderDevicePage: page,
      renderGone: page,
      renderUsed: page,
    },
  }),
  adapter: store.adapter,
  findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => JSON.parse(account) }),
  rotateRefreshToken: true,
});
provider.keys = createCookieSigner(cookieKeys);
store.put('Client', clientMetadata.client_id, clientMetadata as AdapterPayload);

const answer = (response: ServerResponse, status: number, headers: Record<string, string>, body = '') => {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
};
const answerJson = (response: ServerResponse, value: unknown) =>
  answer(response, 200, { 'content-type': 'application/json' }, JSON.stringify(value));

/** The part of the interaction API that the bench uses: every person is signed in, and approves. */
const interact = async (request: IncomingMessage, response: ServerResponse) => {
  const [, , uid = '', verb] = (request.url ?? '').split('/');
  request.resume();
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (verb === undefined) return answer(response, 303, { location: `/${prompt.name}?interaction=${uid}` });
  if (verb === 'details') return answerJson(response, { prompt: prompt.name, params });
  if (verb === 'login') {
    const returnTo = await provider.interactionResult(request, response, {
      login: { accountId: ACCOUNT_ID },
    });
    return answerJson(response, { returnTo });
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? '',
    clientId: String(params.client_id),
  });
  grant.addOIDCScope(String(params.scope));
  const consent = { grantId: await grant.save() };
  answerJson(response, { returnTo: await provider.interactionResult(request, response, { consent }) });
};

const engine = provider.callback();
const server = createServer((request, response) => {
  if (!request.url?.startsWith('/interaction/')) return engine(request, response);
  interact(request, response).catch((error: Error) => answer(response, 500, {}, error.stack));
});

/** Copies of the rows of a real flow, under ids derived from the batch. */
const mint = ({ name, count, models }: Batch) => {
  const exp = Math.floor(Date.now() / 1000) + DAY_SECONDS;
  const grant = store.firstOf('Grant');
  const templates = models.map((model) => ({ model, payload: store.firstOf(model) }));
  for (let index = 0; index < count; index += 1) {
    const grantId = tokenValue('Grant', name, index);
    store.put('Grant', grantId, { ...grant, jti: grantId, exp });
    for (const { model, payload } of templates) {
      const jti = tokenValue(model, name, index);
      store.put(model, jti, { ...payload, jti, grantId, exp });
    }
  }
};

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
serveVerbs({ mint }, { port: (server.address() as AddressInfo).port });
