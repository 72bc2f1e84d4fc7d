import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PORTAL_CLIENT_ID } from '@candela/contract/rules/portal-client';
import { createAccountStatusService } from '@candela/server/account-status';
import { recordEvents } from '@candela/server/testing/recorded-events';
import * as oidc from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { undoTokenTo } from '../api/settings.ts';
import { approvalsOf, type RegisteredApp } from '../oidc/authorization.ts';
import { readJwt } from '../support/token.ts';
import { turnOnTotp } from '../support/totp.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createVerbs, createWorld, freePort, type World } from '../support/world.ts';

type Place = Pick<World, 'origin' | 'browser'>;

const file = join(tmpdir(), `brands-of-apps-${process.pid}.json`);
const APP_URI = 'https://app.aurelia.example/oauth';
const ALEXA_URI = 'https://layla.amazon.com/api/skill/link/M2EXAMPLE1234';

const ownApp = {
  first_party: true,
  preset: 'native',
  client_name: 'Aurelia',
  client_secret: undefined,
  token_endpoint_auth_method: 'none',
  redirect_uris: [APP_URI],
  scope: 'openid approvals',
};
const alexa = {
  client_name: 'Alexa',
  preset: 'alexa',
  redirect_uris: [ALEXA_URI],
  token_endpoint_auth_method: 'client_secret_basic',
  require_auth_time: true,
};

let world: World;
/** The second brand of the same server. */
let second: Place;
let app: RegisteredApp;
let platform: RegisteredApp;
beforeAll(async () => {
  const port = await freePort();
  const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  await writeFile(
    file,
    JSON.stringify([{ id: 'aurelia' }, { id: 'fjord', name: 'Fjord', origin: origins[1] }]),
  );
  world = await createWorld({ env: { PORT: String(port), BRANDS_FILE: file } });
  second = createVerbs({
    origin: origins[1] ?? '',
    ports: world.ports,
    dataDirs: [world.config.dataDir],
    registerClients: () => Promise.reject(new Error('register with the first brand')),
  });
  app = await registerOwnApp();
  platform = await world.registerApp(alexa);
});
afterAll(async () => {
  await world.close();
  await rm(file, { force: true });
});

const registerOwnApp = (metadata: Record<string, unknown> = {}) =>
  world.registerApp({ ...ownApp, ...metadata }, { redirectUri: APP_URI, scope: 'openid approvals' });

/** Opens an authorization request, and approves it if asked. */
const approveIn = async (agent: UserAgent, url: URL) => {
  const arrived = await agent.navigate(url);
  if (arrived.url.pathname !== '/consent') return arrived;
  return world.approve(agent, world.interactionOf(arrived.url));
};

/** The token of a person in an app: signed in there with the browser of the phone. */
const signInTo = async (
  agent: UserAgent,
  { rp }: RegisteredApp,
  { resource = `${world.origin}/api`, ...parameters }: Record<string, string> = {},
): Promise<string> => {
  const { url, checks } = await rp.authorizationUrl({ resource, ...parameters });
  const arrived = await approveIn(agent, url);
  const { access_token: token } = await rp.exchange(arrived.url, checks, { resource });
  return token;
};

/** A person who is signed in to the brand's own app. */
const settle = async () => {
  const person = await world.signUp();
  return { ...person, token: await signInTo(person.agent, app) };
};

const asked = (more: Record<string, unknown> = {}) => ({
  client_id: platform.clientId,
  redirect_uri: ALEXA_URI,
  scope: 'openid profile',
  ...more,
});

/** The request as an app of a phone sends it: without cookies and without Origin. */
const approve = (
  token: string | undefined,
  json: object = asked(),
  at: Place = world,
  scheme = 'Bearer',
): Promise<Answer> =>
  at.browser().request('POST', '/api/approvals', {
    json,
    headers: {
      origin: '',
      'sec-fetch-site': '',
      'user-agent': 'Aurelia/7.1 (Android 16)',
      ...(token !== undefined && { authorization: `${scheme} ${token}` }),
    },
  });

const codeOf = async (token: string, more: Record<string, unknown> = {}): Promise<string> => {
  const answer = await approve(token, asked(more));
  expect([answer.status, Object.keys(answer.json())], answer.body).toEqual([200, ['code']]);
  expect(answer.headers['cache-control']).toBe('no-store');
  return answer.json().code;
};

/** The platform's cloud redeems the code with its own credentials. */
const redeem = (code: string, more: Record<string, string> = {}, { rp }: RegisteredApp = platform) =>
  oidc.genericGrantRequest(rp.configuration, 'authorization_code', {
    code,
    redirect_uri: ALEXA_URI,
    ...more,
  });

const errorOf = (work: Promise<unknown>) => work.then(String, ({ error }: { error?: string }) => error);

/** The status, the code and the fields of a refusal. */
const refusalOf = (answer: Answer) => {
  const { code, fields } = answer.json().error;
  return [answer.status, code, ...(fields ? [fields] : [])];
};

const countGrants = async (clientId = platform.clientId) =>
  (await world.db.selectFrom('authorization_grant').select('id').where('client_id', '=', clientId).execute())
    .length;

describe('OA34: a code without a browser', () => {
  test('links the home of the person: the platform redeems it, refreshes, and the person sees and withdraws it', async () => {
    const { agent, token } = await settle();
    const before = world.countEvent('consent.given');
    const tokens = await redeem(await codeOf(token));
    expect(tokens).toMatchObject({ scope: 'openid profile', refresh_token: expect.any(String) });
    const { payload } = readJwt(tokens.id_token ?? '');
    expect(payload).toMatchObject({ acr: expect.any(String), auth_time: expect.any(Number) });
    expect(await platform.rp.userinfo(tokens.access_token, payload.sub as string)).toMatchObject({
      nickname: expect.any(String),
    });
    await platform.rp.refresh(tokens.refresh_token ?? '');
    expect(world.countEvent('consent.given')).toBe(before + 1);

    const [link] = await approvalsOf(agent, platform);
    expect(link).toMatchObject({ scopes: ['openid', 'profile', 'offline_access'] });
    const { items } = (await agent.get('/api/activity')).json();
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: 'approval_given',
        client: expect.objectContaining({ name: 'Alexa' }),
      }),
    );
    await agent.delete(`/api/authorizations/${link?.id}`);
    expect(await errorOf(platform.rp.refresh(tokens.refresh_token ?? ''))).toBe('invalid_grant');
    expect((await approve(token)).status).toBe(200);
  });

  test('goes to an address of the app itself, where linking begins in the app', async () => {
    const { token } = await settle();
    const code = await codeOf(token, { redirect_uri: APP_URI });
    expect(await redeem(code, { redirect_uri: APP_URI })).toMatchObject({
      refresh_token: expect.any(String),
    });
  });

  test('asks for the default scope where none is named, and for what can be granted of any other', async () => {
    const { token } = await settle();
    for (const scope of [undefined, '', ' ', 'lights:all', 'offline_access']) {
      const tokens = await redeem(await codeOf(token, { scope, state: 'x'.repeat(4096) }));
      expect([scope, tokens.scope]).toEqual([scope, 'openid']);
    }
    expect((await redeem(await codeOf(token, { scope: 'profile lights:all' }))).scope).toBe('profile');
  });

  test('is bound to its client, its address and its challenge, and is spent once', async () => {
    const { token } = await settle();
    const verifier = oidc.randomPKCECodeVerifier();
    const challenge = await oidc.calculatePKCECodeChallenge(verifier);
    const bound = { code_challenge: challenge, code_challenge_method: 'S256' };
    const other = await world.registerApp(alexa);
    const code = await codeOf(token, bound);
    const refused = [
      redeem(code, { code_verifier: verifier }, other),
      redeem(code, { code_verifier: verifier, redirect_uri: APP_URI }),
      redeem(code, { code_verifier: oidc.randomPKCECodeVerifier() }),
      redeem(code),
    ];
    expect(await Promise.all(refused.map(errorOf))).toEqual(refused.map(() => 'invalid_grant'));
    expect(await redeem(code, { code_verifier: verifier })).toHaveProperty('refresh_token');
    expect(await errorOf(redeem(code, { code_verifier: verifier }))).toBe('invalid_grant');
  });

  test('makes a link of its own each time, also in parallel', async () => {
    const { agent, token } = await settle();
    const codes = await Promise.all([codeOf(token), codeOf(token)]);
    const [first, other] = await Promise.all(codes.map((code) => redeem(code)));
    const [newest, ...older] = await approvalsOf(agent, platform);
    expect(older).toHaveLength(1);
    await agent.delete(`/api/authorizations/${newest?.id}`);
    const refreshed = [first, other].map((tokens) =>
      errorOf(platform.rp.refresh(tokens?.refresh_token ?? '')),
    );
    expect((await Promise.all(refreshed)).toSorted()).toEqual(['[object Object]', 'invalid_grant']);
  });

  test('stands for one link: for the next one a browser asks', async () => {
    const { agent, token } = await settle();
    await codeOf(token);
    const { url } = await agent.navigate(
      `/oauth/authorize?${new URLSearchParams({
        client_id: platform.clientId,
        response_type: 'code',
        redirect_uri: ALEXA_URI,
        scope: 'openid',
      })}`,
    );
    expect(url.pathname).toBe('/consent');
  });
});

describe('OA34: an approval is refused, and nothing is linked:', () => {
  const taken = { client_id: 'approval_not_taken' };

  test('a client that nobody knows, that says no, that says nothing, that is disabled, or that described itself', async () => {
    const { token } = await settle();
    const no = await world.registerApp({ ...alexa, native_approval: false });
    const silent = await world.registerApp({});
    const disabled = await world.registerApp(alexa);
    await world.disableClient(disabled.clientId);
    const stranger = await world.registerApp(alexa);
    await world.db
      .updateTable('client')
      .set({ source: 'dynamic' })
      .where('id', '=', stranger.clientId)
      .execute();
    const foreign = await world.registerApp({ ...alexa, brand: 'fjord' });
    for (const { clientId, redirectUri } of [no, silent, disabled, stranger, foreign]) {
      const answer = await approve(token, asked({ client_id: clientId, redirect_uri: redirectUri }));
      expect(refusalOf(answer)).toEqual([403, 'approval_not_taken', taken]);
      expect(await countGrants(clientId)).toBe(0);
    }
    for (const id of ['nobody', PORTAL_CLIENT_ID, 'a b'])
      expect(refusalOf(await approve(token, asked({ client_id: id })))).toEqual([
        403,
        'approval_not_taken',
        taken,
      ]);
  });

  test('another address, more than the client may have, a challenge that is plain, missing or damaged', async () => {
    const { token } = await settle();
    const narrow = await world.registerApp({ ...alexa, scope: 'openid', require_pkce: true });
    const challenge = createHash('sha256').update('x').digest('base64url');
    const wrong: [Record<string, unknown>, string, string?][] = [
      [{ redirect_uri: 'https://evil.example/' }, 'redirect_uri_unknown', 'redirect_uri'],
      [{ redirect_uri: `${ALEXA_URI}?x=1` }, 'redirect_uri_unknown', 'redirect_uri'],
      [{ scope: 'openid email' }, 'scope_unknown', 'scope'],
      [{}, 'invalid_request', 'code_challenge'],
      [
        { code_challenge: challenge, code_challenge_method: 'plain' },
        'invalid_request',
        'code_challenge_method',
      ],
      [{ code_challenge: 'a'.repeat(42) }, 'invalid_request', 'code_challenge'],
      [{ code_challenge_method: 'S256' }, 'invalid_request', 'code_challenge'],
      [{ code_challenge: challenge, nonce: 'x' }, 'invalid_request', 'nonce'],
    ];
    for (const [more, code, field = ''] of wrong) {
      const answer = await approve(token, asked({ client_id: narrow.clientId, scope: 'openid', ...more }));
      expect([more, ...refusalOf(answer)]).toEqual([more, 400, code, { [field]: code }]);
    }
    expect(await countGrants(narrow.clientId)).toBe(0);
  });

  test('by no token, an unknown one, one for userinfo, one of a person at another brand, or one that ended', async () => {
    const { agent } = await world.signUp();
    const own = await registerOwnApp();
    const token = await signInTo(agent, own);
    const before = await countGrants();
    const plain = (await world.link(agent, own.rp, { scope: 'openid' })).tokens.access_token;
    const invalid = [401, 'not_signed_in'];
    for (const refused of ['unknown', plain, '~', '']) {
      const answer = await approve(refused);
      const wanted = refused === '' ? [403, 'cross_site'] : invalid;
      expect([refused, ...refusalOf(answer)]).toEqual([refused, ...wanted]);
      if (refused !== '')
        expect(answer.headers['www-authenticate']).toBe(
          `Bearer realm="${world.origin}", error="invalid_token"`,
        );
    }
    expect(refusalOf(await approve(undefined))).toEqual([403, 'cross_site']);
    expect(refusalOf(await agent.post('/api/approvals', asked()))).toEqual(invalid);
    expect(refusalOf(await approve(token, asked(), second))).toEqual(invalid);

    await world.db
      .updateTable('access_token')
      .set({ expires_at: new Date(Date.now() - 60_000) })
      .where('client_id', '=', own.clientId)
      .execute();
    expect(refusalOf(await approve(token))).toEqual(invalid);
    expect(await countGrants()).toBe(before);
  });

  test('by an app that lost the scope, that is not the brand’s own any more, that the person left, or whose token is bound to a key', async () => {
    const { agent } = await world.signUp();
    const fading = await registerOwnApp();
    const [narrowed, withdrawn] = [await signInTo(agent, fading), await signInTo(agent, fading)];
    const entry = { ...ownApp, client_id: fading.clientId };
    for (const change of [{ scope: 'openid' }, { first_party: false }]) {
      await world.registerClients([{ ...entry, ...change }]);
      const answer = await approve(narrowed);
      expect(refusalOf(answer)).toEqual([403, 'own_app_required']);
      expect(answer.headers['www-authenticate']).toBe(
        `Bearer realm="${world.origin}", error="insufficient_scope", scope="approvals"`,
      );
    }
    await world.registerClients([entry]);
    expect((await approve(withdrawn)).status).toBe(200);
    await agent.delete('/api/authorizations');
    expect(refusalOf(await approve(withdrawn))).toEqual([401, 'not_signed_in']);

    const { rp } = fading;
    const resource = `${world.origin}/api`;
    const { url, checks } = await rp.authorizationUrl({ resource });
    const callback = (await approveIn(agent, url)).url;
    const DPoP = oidc.getDPoPHandle(rp.configuration, await oidc.randomDPoPKeyPair('ES256'));
    const bound = await oidc.authorizationCodeGrant(
      rp.configuration,
      callback,
      checks,
      { resource },
      { DPoP },
    );
    for (const scheme of ['Bearer', 'DPoP'])
      expect(refusalOf(await approve(bound.access_token, asked(), world, scheme))).toEqual([
        401,
        'not_signed_in',
      ]);
  });

  test('by a link of the app that is older than the last change of the password; one made since approves', async () => {
    const { agent, token } = await settle();
    expect((await approve(token)).status).toBe(200);
    const { id } = (await agent.get('/api/account')).json();
    await world.db
      .updateTable('password')
      .set({ changed_at: new Date() })
      .where('account_id', '=', id)
      .execute();
    const before = await countGrants();
    expect(refusalOf(await approve(token))).toEqual([401, 'not_signed_in']);
    expect(await countGrants()).toBe(before);
    expect((await approve(await signInTo(agent, app))).status).toBe(200);
  });

  test('by a link of the app that is older than the end of a password that was closed', async () => {
    const { agent, token, identifier } = await settle();
    await turnOnTotp(agent);
    expect((await approve(token)).status).toBe(200);
    const undone = await world.browser().post('/api/undo', { token: await undoTokenTo(world, identifier) });
    expect(undone.status, undone.body).toBe(200);
    expect(refusalOf(await approve(token))).toEqual([401, 'not_signed_in']);
  });

  test('by a link of the app that is older than the warning of an identity provider; one made since approves', async () => {
    const { agent, token } = await settle();
    const { id } = (await agent.get('/api/account')).json();
    const way = {
      id,
      brand: 'aurelia',
      provider: 'google',
      subject: id,
      account_id: id,
      linked_at: new Date(),
    };
    const nothing = { email: null, last_used_at: null, closed_at: null, refresh_token_sealed: null };
    await world.db
      .insertInto('federated_identity')
      .values({ ...way, ...nothing })
      .execute();
    expect((await approve(token)).status).toBe(200);
    await world.db
      .updateTable('federated_identity')
      .set({ closed_at: new Date() })
      .where('account_id', '=', id)
      .execute();
    expect(refusalOf(await approve(token))).toEqual([401, 'not_signed_in']);
    expect((await approve(await signInTo(agent, app))).status).toBe(200);
  });

  test('of an account that is disabled, or that is to be deleted', async () => {
    const disabled = await settle();
    const leaving = await settle();
    const before = await countGrants();
    const { disable } = createAccountStatusService({ db: world.db, events: recordEvents() });
    await disable(disabled.identifier, { reason: 'lost', endLinks: false });
    expect(refusalOf(await approve(disabled.token))).toEqual([403, 'account_disabled']);
    await leaving.agent.delete('/api/account');
    expect(refusalOf(await approve(leaving.token))).toEqual([409, 'deletion_pending']);
    expect(await countGrants()).toBe(before);
  });

  test('after thirty of an account in an hour', async () => {
    const { token } = await settle();
    expect((await approve(token)).status).toBe(200);
    await world.db
      .updateTable('rate_limit')
      .set({ hits: 30 })
      .where('key', 'like', 'native_approvals %')
      .execute();
    const answer = await approve(token);
    expect(refusalOf(answer)).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('the scope of approvals', () => {
  test('is for apps of the brand’s own that are registered with it, and for no machine', async () => {
    const { agent } = await world.signUp();
    const resource = `${world.origin}/api`;
    for (const metadata of [{ first_party: false }, { scope: undefined }, { scope: 'openid' }]) {
      const { rp } = await registerOwnApp(metadata);
      const { url, checks } = await rp.authorizationUrl({ resource });
      const arrived = await approveIn(agent, url);
      expect(await errorOf(rp.exchange(arrived.url, checks, { resource }))).toBe('invalid_target');
    }
    const { url } = await app.rp.authorizationUrl({ resource });
    const { scopes } = await world.details(agent, world.interactionOf((await agent.navigate(url)).url));
    expect(scopes).toContainEqual(
      expect.objectContaining({
        name: 'approvals',
        resource: 'Aurelia',
        description: expect.objectContaining({ en: expect.stringContaining('link other apps') }),
      }),
    );
    const machine = await world.registerApp({
      preset: 'machine',
      redirect_uris: [],
      grant_types: ['client_credentials'],
      scope: 'approvals',
    });
    const granted = oidc.clientCredentialsGrant(machine.rp.configuration, { scope: 'approvals', resource });
    expect(await errorOf(granted)).toBe('invalid_target');
    const { token } = await settle();
    const clients = await world
      .browser()
      .get('/api/clients', { headers: { authorization: `Bearer ${token}` } });
    expect(refusalOf(clients)).toEqual([401, 'not_signed_in']);
  });
});
