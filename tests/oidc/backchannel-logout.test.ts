import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bind, nextPhone, putPassword } from '../api/settings.ts';
import { readJwt } from '../support/token.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import { answer, start, wayToStay } from './authorization.ts';
import { type LogoutApp, type LogoutApps, startLogoutApps } from './logout-apps.ts';

const NEW_PASSWORD = 'starlight88';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const SOON_MS = 1_000;

let apps: LogoutApps;
beforeAll(async () => {
  apps = await startLogoutApps();
});
afterAll(() => apps?.close());

/** The subjects of the logouts that the app got so far. */
const toldOf = async (app: LogoutApp) => {
  const payloads = await Promise.all(
    apps.receivedAt(app.path).map((received) => apps.readToken(received, app)),
  );
  return payloads.map(({ sid }) => sid);
};

/** An app that the person uses in two browsers, with the sid and the subject of each session. */
const usedTwice = async () => {
  const app = await apps.registerApp();
  const { agent, identifier } = await apps.world.signUp();
  const { agent: other } = await apps.world.signIn(identifier);
  const here = await apps.signInTo(agent, app);
  const there = await apps.signInTo(other, app);
  expect(here.sid).not.toBe(there.sid);
  return { app, agent, other, identifier, here: here.sid, there: there.sid };
};

describe('OA15: the logout token', () => {
  test('names the person, the session and the app, is valid for two minutes, and has its own type', async () => {
    const app = await apps.registerApp();
    const { agent } = await apps.world.signUp();
    const { sid, sub } = await apps.signInTo(agent, app);
    const before = performance.now();
    expect((await agent.post('/api/sign-out')).status).toBe(204);
    const [received] = await apps.untilReceived(app.path);
    if (!received) throw new Error('nothing came');
    expect(received.at - before).toBeLessThan(SOON_MS);
    const { method, headers } = received.request;
    expect([method, headers['content-type']]).toEqual(['POST', 'application/x-www-form-urlencoded']);
    expect([headers.cookie, headers.authorization]).toEqual([undefined, undefined]);

    const { iat = 0, exp = 0, jti, ...payload } = await apps.readToken(received, app);
    expect(payload).toEqual({ iss: apps.world.origin, aud: app.clientId, sub, sid, events: { [EVENT]: {} } });
    expect(Math.abs(Date.now() / 1000 - iat)).toBeLessThan(10);
    expect(exp - iat).toBeLessThanOrEqual(120);
    expect(exp).toBeGreaterThan(iat);
    expect(jti).toBeTypeOf('string');
    expect(payload).not.toHaveProperty('nonce');
    await apps.untilSettled(app);
    expect(apps.receivedAt(app.path)).toHaveLength(1);
  });

  test('names the session only if the app registered for it, and so does the id_token', async () => {
    const app = await apps.registerApp({ backchannel_logout_session_required: false });
    const { agent } = await apps.world.signUp();
    const { sid, sub } = await apps.signInTo(agent, app);
    expect(sid).toBeUndefined();
    await agent.post('/api/sign-out');
    const [received] = await apps.untilReceived(app.path);
    const payload = received && (await apps.readToken(received, app));
    expect(payload).toMatchObject({ sub });
    expect(payload).not.toHaveProperty('sid');
  });

  test('is signed, and names the person, like the app’s id_tokens', async () => {
    const app = await apps.registerApp({ subject_type: 'pairwise', id_token_signed_response_alg: 'ES256' });
    const known = await apps.registerApp();
    const { agent } = await apps.world.signUp();
    const { sub } = await apps.signInTo(agent, app);
    expect(sub).not.toBe((await apps.signInTo(agent, known)).sub);
    await agent.post('/api/sign-out');
    const [received] = await apps.untilReceived(app.path);
    expect(received && (await apps.readToken(received, app))).toMatchObject({ sub });
    const token = new URLSearchParams(received?.body).get('logout_token') ?? '';
    expect(readJwt(token).header).toMatchObject({ alg: 'ES256', typ: 'logout+jwt' });
  });

  test('oidcc-backchannel-logout-discovery-endpoint-verification: is announced by discovery', async () => {
    const discovery = (await apps.world.browser().get('/.well-known/openid-configuration')).json();
    expect(discovery).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      end_session_endpoint: `${apps.world.origin}/oauth/logout`,
    });
  });
});

describe('OA15: ending a session notifies the apps that were used in it', () => {
  test('signing out: all apps of the session, and none of another session', async () => {
    const { app, agent, here } = await usedTwice();
    const second = await apps.registerApp();
    const { sid } = await apps.signInTo(agent, second);
    await agent.post('/api/sign-out');
    await Promise.all([apps.untilReceived(app.path), apps.untilReceived(second.path)]);
    expect(await toldOf(app)).toEqual([here]);
    expect(await toldOf(second)).toEqual([sid]);
  });

  test('apps that one browser signed in to at the same moment', async () => {
    const used = await Promise.all(Array.from({ length: 4 }, () => apps.registerApp()));
    const { agent, identifier } = await apps.world.signUp();
    // The next sign-ins ask nothing, so that their requests meet.
    for (const app of used) await apps.signInTo(agent, app);
    const { agent: other } = await apps.world.signIn(identifier);
    const sids = await Promise.all(used.map(async (app) => (await apps.signInTo(other, app)).sid));
    expect((await other.post('/api/sign-out')).status).toBe(204);
    for (const app of used) await apps.untilReceived(app.path);
    expect(await Promise.all(used.map(toldOf))).toEqual(sids.map((sid) => [sid]));
  });

  test('an app to which one browser signs in twice at the same moment', async () => {
    const app = await apps.registerApp();
    const { agent, identifier } = await apps.world.signUp();
    await apps.signInTo(agent, app);
    const { agent: other } = await apps.world.signIn(identifier);
    const requests = await Promise.all([1, 2, 3].map(() => app.rp.authorizationUrl()));
    const signIns = requests.map(async ({ url, checks }) => {
      const { url: callback } = await other.navigate(url);
      return (await app.rp.exchange(callback, checks)).claims()?.sid;
    });
    const sids = new Set(await Promise.all(signIns));
    expect((await other.post('/api/sign-out')).status).toBe(204);
    await apps.untilReceived(app.path);
    expect(await toldOf(app)).toEqual([...sids]);
  });

  test('ending one session from another browser', async () => {
    const { app, agent, there } = await usedTwice();
    const { items } = (await agent.get('/api/sessions')).json();
    const { id } = items.find(({ current }: { current: boolean }) => !current);
    expect((await agent.delete(`/api/sessions/${id}`)).status).toBe(204);
    await apps.untilReceived(app.path);
    expect(await toldOf(app)).toEqual([there]);
  });

  test('ending all other sessions, then all', async () => {
    const { app, agent, here, there } = await usedTwice();
    await agent.delete('/api/sessions?except=current');
    await apps.untilReceived(app.path);
    expect(await toldOf(app)).toEqual([there]);
    await agent.delete('/api/sessions');
    await apps.untilReceived(app.path, 2);
    expect(await toldOf(app)).toEqual([there, here]);
  });

  test('a new password: the other sessions', async () => {
    const { app, agent, there } = await usedTwice();
    expect((await putPassword(agent, NEW_PASSWORD)).status).toBe(204);
    await apps.untilReceived(app.path);
    await apps.untilSettled(app);
    expect(await toldOf(app)).toEqual([there]);
  });

  test('recovery: all sessions, links withdrawn or not', async () => {
    const { app, identifier, here, there } = await usedTwice();
    const agent = apps.world.browser();
    const code = await apps.world.receiveCode(agent, identifier, 'recover');
    const { ticket } = (await agent.post('/api/recovery/verify', { identifier, code })).json();
    const set = { ticket, password: NEW_PASSWORD, withdrawAuthorizations: true };
    expect((await agent.post('/api/recovery/password', set)).status).toBe(204);
    await apps.untilReceived(app.path, 2);
    expect((await toldOf(app)).toSorted()).toEqual([here, there].toSorted());
  });

  test('oidcc-backchannel-rp-initiated-logout: each app once, including the app that began it, to which the browser returns signed out', async () => {
    const app = await apps.registerApp();
    const second = await apps.registerApp();
    const { agent } = await apps.world.signUp();
    const { tokens } = await apps.world.link(agent, app.rp);
    await apps.signInTo(agent, second);
    const back = 'https://app.example/';
    const url = app.rp.endSessionUrl({
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: back,
      state: 'x',
    });
    const arrived = await agent.submit(await agent.navigate(url), { logout: 'yes' });
    expect(arrived.url.href).toBe(`${back}?state=x`);
    await Promise.all([apps.untilReceived(app.path), apps.untilReceived(second.path)]);
    await Promise.all([apps.untilSettled(app), apps.untilSettled(second)]);
    expect(await toldOf(app)).toEqual([tokens.claims()?.sid]);
    expect(await toldOf(second)).toHaveLength(1);
    const { url: silent } = await app.rp.authorizationUrl({ prompt: 'none' });
    expect((await agent.navigate(silent)).url.searchParams.get('error')).toBe('login_required');
  });

  test('signing in as someone else: the earlier session', async () => {
    const { identifier: someoneElse } = await apps.world.signUp();
    const app = await apps.registerApp();
    const { agent } = await apps.world.signUp();
    const { sid } = await apps.signInTo(agent, app);
    const uid = apps.world.interactionOf((await agent.navigate('/sign-in?prompt=login')).url);
    await apps.world.login(agent, uid, someoneElse);
    await apps.untilReceived(app.path);
    await apps.untilSettled(app);
    expect(await toldOf(app)).toEqual([sid]);
  });
});

describe('OA15: nothing else notifies an app', () => {
  /** The app gets the logout of the final sign-out, and had none before. */
  const expectSilenceThenSignOut = async (agent: UserAgent, app: LogoutApp, sid: unknown) => {
    expect(await apps.rowsOf(app)).toEqual([]);
    expect(apps.receivedAt(app.path)).toEqual([]);
    await agent.post('/api/sign-out');
    await apps.untilReceived(app.path);
    await apps.untilSettled(app);
    expect(await toldOf(app)).toEqual([sid]);
  };
  const usedOnce = async () => {
    const app = await apps.registerApp();
    const { agent } = await apps.world.signUp();
    return { app, agent, sid: (await apps.signInTo(agent, app)).sid };
  };

  test('a withdrawn authorization', async () => {
    const { app, agent, sid } = await usedOnce();
    const { items } = (await agent.get('/api/authorizations')).json();
    expect((await agent.delete(`/api/authorizations/${items[0].id}`)).status).toBe(204);
    expect((await agent.delete('/api/authorizations')).status).toBe(204);
    await expectSilenceThenSignOut(agent, app, sid);
  });

  test('another phone number', async () => {
    const { app, agent, sid } = await usedOnce();
    await bind(apps.world, agent, 'phone', nextPhone());
    await expectSilenceThenSignOut(agent, app, sid);
  });

  test('staying signed in when asked whether to sign out', async () => {
    const { app, agent, sid } = await usedOnce();
    const page = await agent.navigate(`/oauth/logout?client_id=${app.clientId}`);
    await agent.navigate(wayToStay(page));
    await expectSilenceThenSignOut(agent, app, sid);
  });

  test('a disabled app gets nothing, not even when a session ends', async () => {
    const { app, agent } = await usedOnce();
    const entry = {
      client_id: app.clientId,
      client_secret: app.clientSecret,
      redirect_uris: [app.redirectUri],
      backchannel_logout_uri: `https://${apps.host}${app.path}`,
      grant_types: ['authorization_code', 'refresh_token'],
    };
    await apps.world.registerClients([{ ...entry, disabled: true }]);
    const witness = await apps.registerApp();
    await apps.signInTo(agent, witness);
    await agent.post('/api/sign-out');
    await apps.untilReceived(witness.path);
    await apps.untilSettled(app);
    expect(apps.receivedAt(app.path)).toEqual([]);
  });
});

test('a session that expires notifies nobody', async () => {
  const app = await apps.registerApp();
  const { agent } = await apps.world.signUp();
  await apps.signInTo(agent, app);
  await apps.world.db
    .updateTable('session')
    .set({ expires_at: new Date(0) })
    .execute();
  expect((await agent.get('/api/account')).status).toBe(401);
  const { uid, path } = await start(apps.world, { agent, app });
  expect(path).toBe('/login');
  const { identifier } = await apps.world.signUp();
  await answer(agent, `/interaction/${uid}/login`, { identifier, password: PASSWORD });
  expect(await apps.rowsOf(app)).toEqual([]);
  expect(apps.receivedAt(app.path)).toEqual([]);
});
