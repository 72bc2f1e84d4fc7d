import { afterEach, expect, test } from 'vitest';
import { app, authorizationRequest, startBareEngine } from '../../../../testing/bare-engine.ts';
import { serveAs, setClaims, setScope } from './request-rewriting.ts';

let engine: Awaited<ReturnType<typeof startBareEngine>> | undefined;
afterEach(() => engine?.close());

test('the engine serves its page at another path, and the request keeps that path', async () => {
  let served: string | undefined;
  engine = await startBareEngine({
    features: {
      deviceFlow: {
        enabled: true,
        userCodeInputSource: async (ctx) => {
          served = `${ctx.oidc.route} ${ctx.path}`;
          ctx.body = 'the page';
        },
      },
    },
  });
  let after: string | undefined;
  engine.provider.use(async (ctx, next) => {
    if (ctx.path !== '/elsewhere') return next();
    await serveAs(ctx, '/device', next);
    after = ctx.url;
  });
  expect((await engine.get('/elsewhere?user_code=WDJB')).text).toBe('the page');
  expect([served, after]).toEqual(['code_verification /device', '/elsewhere?user_code=WDJB']);
});

test('the engine issues a token with the rewritten scope of the request', async () => {
  engine = await startBareEngine({
    clients: [
      { ...app, grant_types: ['client_credentials'], redirect_uris: [], response_types: [], scope: 'read' },
    ],
    scopes: ['openid', 'read'],
    features: {
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'https://api.example',
        getResourceServerInfo: async (ctx) => {
          setScope(ctx.oidc, 'read');
          return { scope: 'read write', accessTokenFormat: 'opaque' };
        },
      },
    },
  });
  const answer = await engine.post('/token', {
    client_id: 'app',
    client_secret: 'secret',
    grant_type: 'client_credentials',
  });
  expect(JSON.parse(answer.text)).toMatchObject({ scope: 'read' });
});

test('the engine keeps the rewritten scope and claims of an authorization request for the person', async () => {
  engine = await startBareEngine({
    features: { claimsParameter: { enabled: true } },
    extraParams: {
      user_locale: ({ oidc }) => {
        setScope(oidc, 'openid');
        setClaims(oidc, '{"userinfo":{}}');
      },
    },
  });
  const asked = authorizationRequest({ scope: 'openid nonsense', claims: '{"userinfo":{"email":null}}' });
  const { location } = await engine.get(`/auth?${asked}`);
  expect(engine.payloadAt(location)?.params).toMatchObject({ scope: 'openid', claims: '{"userinfo":{}}' });
});
