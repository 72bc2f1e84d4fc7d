import { createHash } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { app, startBareEngine } from '../../../../testing/bare-engine.ts';
import { bindIdTokens } from './at-hash.ts';

let engine: Awaited<ReturnType<typeof startBareEngine>> | undefined;
afterEach(() => engine?.close());

test('at_hash of an id_token is made of the access token issued with it', async () => {
  engine = await startBareEngine({ pkce: { required: () => false } });
  const { provider } = engine;
  bindIdTokens(provider);
  const client = await provider.Client.find('app');
  if (!client) throw new Error('the client of the test is not registered');
  const grant = new provider.Grant({ accountId: 'ada', clientId: 'app' });
  grant.addOIDCScope('openid');
  const code = new provider.AuthorizationCode({
    accountId: 'ada',
    client,
    gty: 'authorization_code',
    grantId: await grant.save(),
    redirectUri: app.redirect_uris[0],
    scope: 'openid',
  });
  const answer = await engine.post('/token', {
    client_id: 'app',
    client_secret: 'secret',
    grant_type: 'authorization_code',
    code: await code.save(),
    redirect_uri: app.redirect_uris[0] ?? '',
  });
  const { access_token: accessToken, id_token: idToken } = JSON.parse(answer.text);
  const claims = JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url').toString());
  const half = createHash('sha256').update(accessToken).digest().subarray(0, 16);
  expect(claims).toMatchObject({ sub: 'ada', at_hash: half.toString('base64url') });
});
