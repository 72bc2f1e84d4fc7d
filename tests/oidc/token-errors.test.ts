import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic, hashOf } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';

let world: World;
let agent: UserAgent;
let app: RegisteredApp;
/** A public client. */
let open: RegisteredApp;
beforeAll(async () => {
  world = await createWorld();
  ({ agent } = await world.signUp());
  app = await world.registerApp();
  open = await world.registerApp({ token_endpoint_auth_method: 'none' });
});
afterAll(() => world.close());

type Changes = Record<string, string | undefined>;

/** The parameters of a valid exchange. */
const exchange = async (of: RegisteredApp) => {
  const { url, checks } = await of.rp.authorizationUrl({ prompt: 'consent' });
  const page = await agent.navigate(url);
  const { url: callback } = await world.approve(agent, world.interactionOf(page.url));
  return {
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: of.redirectUri,
    code_verifier: checks.pkceCodeVerifier,
  };
};

const ask = async (of: RegisteredApp, form: Record<string, string>, changes: Changes = {}) => {
  const isPublic = of === open;
  const { status, json } = await world.browser().request('POST', '/oauth/token', {
    form: Object.fromEntries(
      Object.entries({ ...form, ...(isPublic && { client_id: of.clientId }), ...changes }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
    headers: { origin: '', ...(!isPublic && basic(of)) },
  });
  return { status, ...json() };
};

const expire = (code = '') =>
  world.db
    .updateTable('authorization_code')
    .set({ expires_at: new Date(Date.now() - 60_000) })
    .where('id_hash', '=', hashOf(code))
    .execute();

describe('the token endpoint describes errors usefully for developers', () => {
  test.each<[string, Changes, RegExp]>([
    ['a wrong verifier', { code_verifier: 'w'.repeat(43) }, /^code_verifier is not the one/],
    ['no verifier', { code_verifier: undefined }, /^code_verifier is missing/],
    ['another redirect_uri', { redirect_uri: 'https://app.example/x' }, /^redirect_uri is not the one/],
    ['an unknown code', { code: 'unknown' }, /^the code is unknown, expired, used or for another client/],
  ])('for %s', async (_name, changes, description) => {
    expect(await ask(app, await exchange(app), changes)).toEqual({
      status: 400,
      error: 'invalid_grant',
      error_description: expect.stringMatching(description),
    });
  });

  test('for a code that expired, was used, or needs no verifier', async () => {
    const late = await exchange(app);
    await expire(late.code);
    expect((await ask(app, late)).error_description).toBe('the code has expired: it is good for 60 seconds');
    const used = await exchange(app);
    await ask(app, used);
    expect((await ask(app, used)).error_description).toMatch(/^the code was used before/);
    const { url } = await app.rp.authorizationUrl();
    for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name);
    const code = (await agent.navigate(url)).url.searchParams.get('code') ?? '';
    expect((await ask(app, { ...used, code })).error_description).toMatch(/had no code_challenge/);
  });

  test('and reveals nothing about a code of another app', async () => {
    const other = await world.registerApp();
    const unknown = await ask(other, { ...(await exchange(app)), code: 'unknown' });
    expect(await ask(other, await exchange(app))).toEqual(unknown);
  });

  test('and does not reveal to a client without authentication or verifier whether a code exists or existed', async () => {
    const [live, late, foreign] = [await exchange(open), await exchange(open), await exchange(app)];
    await expire(late.code);
    const answers = [
      await ask(open, live, { code: 'unknown' }),
      await ask(open, live, { code_verifier: 'w'.repeat(43) }),
      await ask(open, live, { code_verifier: 'short' }),
      await ask(open, late),
      await ask(open, foreign),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const missing = await ask(open, live, { code_verifier: undefined });
    expect(missing.error_description).toMatch(/^code_verifier is missing/);
    expect(await ask(open, live, { code: 'unknown', code_verifier: undefined })).toEqual(missing);
    // The verifier shows that the client began the request.
    expect((await ask(open, live, { redirect_uri: 'https://app.example/x' })).error_description).toMatch(
      /^redirect_uri is not the one/,
    );
    expect((await ask(open, live)).status).toBe(200);
    expect((await ask(open, live)).error_description).toMatch(/^the code was used before/);
  });

  test('for every invalid refresh token with the same text, and with what to do', async () => {
    const { refresh_token: token } = await ask(app, await exchange(app));
    const { refresh_token: foreign } = await ask(open, await exchange(open));
    const refresh = (value: string) => ask(app, { grant_type: 'refresh_token', refresh_token: value });
    const unknown = await refresh('unknown');
    expect(unknown.error_description).toMatch(
      /^the refresh token is unknown, expired, ended .* sign in again$/,
    );
    expect(await refresh(foreign)).toEqual(unknown);
    await agent.delete('/api/authorizations');
    expect(await refresh(token)).toEqual(unknown);
  });

  test('for a grant type with those that the client has', async () => {
    const error_description = 'grant_types of this client: authorization_code refresh_token';
    expect(await ask(app, { grant_type: 'client_credentials' })).toMatchObject({
      error: 'unauthorized_client',
      error_description,
    });
    expect(await ask(app, { grant_type: 'password' })).toMatchObject({
      error: 'unsupported_grant_type',
      error_description,
    });
  });

  test('for failed authentication with the same text, whether or not the client exists', async () => {
    const wrong = 'x'.repeat(32);
    const send = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
      const body = { grant_type: 'refresh_token', refresh_token: 'x', ...form };
      const answer = await world.browser().request('POST', '/oauth/token', {
        form: body,
        headers: { origin: '', ...headers },
      });
      return { status: answer.status, ...answer.json() };
    };
    const refused = await send({}, basic({ ...app, clientSecret: wrong }));
    expect(refused).toMatchObject({ status: 401, error: 'invalid_client' });
    expect(refused.error_description).toMatch(
      /unknown, its secret or key is another, or its token_endpoint_auth_method/,
    );
    expect(await send({}, basic({ clientId: 'nobody', clientSecret: wrong }))).toEqual(refused);
    // This client is registered with the authentication method none.
    expect(await send({ client_id: open.clientId, client_secret: wrong })).toEqual(refused);
    const silent = await send({ client_id: app.clientId });
    expect(silent.error_description).toMatch(/neither a secret nor an assertion was sent/);
    expect(await send({ client_id: 'nobody' })).toEqual(silent);
  });
});
