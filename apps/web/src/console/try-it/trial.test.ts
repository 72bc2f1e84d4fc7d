import { expect, test } from 'vitest';
import { awaitAnswer, handOver } from './answer-channel.ts';
import { authorizationRequest, beginTrial, tokenRequest, tokensIn } from './trial.ts';

const client = { token_endpoint_auth_method: 'client_secret_post', scope: 'openid email' };
const origin = 'https://accounts.example';

test('the authorization request has a challenge, and a nonce where it asks for an id_token', async () => {
  const trial = await beginTrial();
  expect(authorizationRequest(client, trial, origin).params).toEqual({
    response_type: 'code',
    redirect_uri: 'https://accounts.example/developers/try',
    scope: 'openid email',
    state: trial.state,
    nonce: trial.nonce,
    code_challenge: trial.challenge,
    code_challenge_method: 'S256',
  });
  const bare = authorizationRequest({ ...client, scope: 'lights' }, trial, origin);
  expect(bare.params).not.toHaveProperty('nonce');
});

test('the token request is for what the trial holds', async () => {
  const trial = await beginTrial();
  const grantOf = (held: object) => tokenRequest(client, { ...trial, ...held }, origin).params.grant_type;
  expect(grantOf({ code: 'c' })).toBe('authorization_code');
  expect(grantOf({ deviceCode: 'd' })).toBe('urn:ietf:params:oauth:grant-type:device_code');
  expect(grantOf({})).toBe('client_credentials');
  expect(tokenRequest(client, { ...trial, code: 'c' }, origin)).toMatchObject({
    proof: 'post',
    params: { code: 'c', code_verifier: trial.verifier },
  });
});

test('an answer without an access token has no tokens', () => {
  expect(tokensIn({ access_token: 'a', expires_in: 3600 })).toMatchObject({ access_token: 'a' });
  for (const body of [undefined, '', {}, { access_token: 1 }, { error: 'invalid_grant' }])
    expect(tokensIn(body)).toBeUndefined();
});

test('a page hears the answer to its own request alone, once', async () => {
  const heard: object[] = [];
  await new Promise<void>((resolve) => {
    awaitAnswer('mine', (answer) => {
      heard.push(answer);
      resolve();
    });
    handOver('?code=other&state=theirs');
    handOver('?code=right&state=mine');
    handOver('?code=late&state=mine');
  });
  expect(heard).toEqual([{ code: 'right', state: 'mine' }]);
});
