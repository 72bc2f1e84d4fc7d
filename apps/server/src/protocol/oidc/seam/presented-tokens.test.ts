import { afterEach, expect, test } from 'vitest';
import { app, startBareEngine } from '../../../../testing/bare-engine.ts';
import { onPresentedCode, onPresentedRefreshToken } from './presented-tokens.ts';
import { setRedirectUri, setScope } from './request-rewriting.ts';

let engine: Awaited<ReturnType<typeof startBareEngine>> | undefined;
afterEach(() => engine?.close());

test('a refresh has the scope that was settled when its token was found', async () => {
  engine = await startBareEngine({
    clients: [{ ...app, grant_types: ['authorization_code', 'refresh_token'] }],
  });
  const { provider } = engine;
  const seen: string[][] = [];
  onPresentedRefreshToken(provider, async ({ oidc }, { clientId, scopes }) => {
    seen.push([String(oidc.params?.grant_type), String(clientId), ...scopes]);
    setScope(oidc, 'openid');
  });
  const grant = new provider.Grant({ accountId: 'ada', clientId: 'app' });
  grant.addOIDCScope('openid offline_access');
  const grantId = await grant.save();
  const client = await provider.Client.find('app');
  if (!client) throw new Error('there is no client');
  const token = new provider.RefreshToken({
    accountId: 'ada',
    client,
    grantId,
    gty: 'authorization_code',
    scope: 'openid offline_access',
  });
  const answer = await engine.post('/token', {
    client_id: 'app',
    client_secret: 'secret',
    grant_type: 'refresh_token',
    refresh_token: await token.save(),
    scope: 'openid nonsense',
  });
  expect(JSON.parse(answer.text)).toMatchObject({ scope: 'openid' });
  expect(seen).toEqual([['refresh_token', 'app', 'openid', 'offline_access']]);
});

test('a code is redeemed at the redirect URI that was settled when the code was found', async () => {
  engine = await startBareEngine();
  const { provider } = engine;
  const seen: unknown[] = [];
  onPresentedCode(provider, ({ oidc }, { clientId, redirectUri }) => {
    seen.push([oidc.params?.redirect_uri, clientId, redirectUri]);
    setRedirectUri(oidc, 'https://app.example/callback?for=ada');
  });
  const grant = new provider.Grant({ accountId: 'ada', clientId: 'app' });
  grant.addOIDCScope('openid');
  const client = await provider.Client.find('app');
  if (!client) throw new Error('there is no client');
  const code = new provider.AuthorizationCode({
    accountId: 'ada',
    client,
    grantId: await grant.save(),
    redirectUri: 'https://app.example/callback?for=ada',
    scope: 'openid',
  } as ConstructorParameters<typeof provider.AuthorizationCode>[0]);
  const answer = await engine.post('/token', {
    client_id: 'app',
    client_secret: 'secret',
    grant_type: 'authorization_code',
    code: await code.save(),
    redirect_uri: 'https://app.example/callback',
  });
  expect(JSON.parse(answer.text)).toMatchObject({ scope: 'openid' });
  expect(seen).toEqual([['https://app.example/callback', 'app', 'https://app.example/callback?for=ada']]);
});
