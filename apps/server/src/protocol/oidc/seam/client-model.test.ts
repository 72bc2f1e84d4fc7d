import { afterEach, expect, test } from 'vitest';
import {
  app,
  authorizationRequest,
  createBareEngine,
  startBareEngine,
} from '../../../../testing/bare-engine.ts';
import {
  faultOfMetadata,
  postLogoutToken,
  replaceSecretComparison,
  type SecretComparison,
  statusOfRefusal,
  takeMoreRedirectUris,
} from './client-model.ts';

let engine: Awaited<ReturnType<typeof startBareEngine>> | undefined;
afterEach(() => engine?.close());

const machine = { ...app, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };

test('the engine calls our comparison of secrets with the client and the presented secret', async () => {
  engine = await startBareEngine({ clients: [machine], features: { clientCredentials: { enabled: true } } });
  const asked: unknown[] = [];
  const compare: SecretComparison = async ({ clientId, clientSecret }, presented) => {
    asked.push([clientId, clientSecret, presented]);
    return presented === 'another';
  };
  replaceSecretComparison(engine.provider, compare);
  const form = { client_id: 'app', grant_type: 'client_credentials' };
  expect((await engine.post('/token', { ...form, client_secret: 'another' })).status).toBe(200);
  expect((await engine.post('/token', { ...form, client_secret: 'secret' })).status).toBe(401);
  expect(asked).toEqual([
    ['app', 'secret', 'another'],
    ['app', 'secret', 'secret'],
  ]);
});

test('the engine asks us about each redirect URI that is not exactly a registered one', async () => {
  const renderError = (ctx: { body: unknown }) => {
    ctx.body = 'refused';
  };
  engine = await startBareEngine({ clients: [app], renderError });
  const asked: unknown[] = [];
  takeMoreRedirectUris(engine.provider, ({ clientId }, uri) => {
    asked.push([clientId, uri]);
    return uri.endsWith('?more');
  });
  const statusOf = async (uri: string) =>
    (await engine?.get(`/auth?${authorizationRequest({ redirect_uri: uri })}`))?.status;
  const [uri = ''] = app.redirect_uris;
  expect(await statusOf(uri)).toBe(303);
  expect(await statusOf(`${uri}?more`)).toBe(303);
  expect(await statusOf(`${uri}?other`)).toBe(400);
  expect(asked).toEqual([
    ['app', `${uri}?more`],
    ['app', `${uri}?other`],
  ]);
});

test('the engine checks the metadata of a client when it constructs the client', () => {
  const { provider } = createBareEngine();
  expect(faultOfMetadata(provider, app)).toBeUndefined();
  expect(faultOfMetadata(provider, { ...app, redirect_uris: ['no address'] })).toBe(
    'redirect_uris must only contain valid uris',
  );
  expect(faultOfMetadata(provider, { ...app, grant_types: ['telepathy'] })).toMatch(/^grant_types can only/);
});

test.each([200, 204, 400, 503])(
  'the engine posts a logout token, and reports the answer %i',
  async (status) => {
    const sent: unknown[] = [];
    const uri = 'https://app.example/logout';
    const { provider } = createBareEngine({
      clients: [{ ...app, backchannel_logout_uri: uri, backchannel_logout_session_required: true }],
      features: { backchannelLogout: { enabled: true } },
      fetch: async (input, { method, body } = {}) => {
        const token = body instanceof URLSearchParams ? body.get('logout_token') : undefined;
        const [, claims = ''] = String(token).split('.');
        sent.push([String(input), method, JSON.parse(Buffer.from(claims, 'base64url').toString())]);
        return new Response(null, { status });
      },
    });
    const client = await provider.Client.find('app');
    if (!client) throw new Error('the client of the test is not registered');
    const outcome = await postLogoutToken(client, { accountId: 'ada', sid: 'a-sid' }).catch(statusOfRefusal);
    expect(outcome).toBe(status < 300 ? undefined : status);
    expect(sent).toEqual([[uri, 'POST', expect.objectContaining({ aud: 'app', sid: 'a-sid', sub: 'ada' })]]);
  },
);

test('an error without a response has no status', () => {
  expect([statusOfRefusal(new Error('connect')), statusOfRefusal(undefined)]).toEqual([0, 0]);
});
