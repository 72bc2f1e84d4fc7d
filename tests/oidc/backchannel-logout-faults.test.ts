import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { openPglite } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';
import { type LogoutApp, type LogoutApps, startLogoutApps } from './logout-apps.ts';

const SOON_MS = 1_000;

let apps: LogoutApps;
beforeAll(async () => {
  apps = await startLogoutApps();
});
afterAll(() => apps?.close());

describe('OA15: an app whose endpoint fails', () => {
  /** Signs a person out of these apps and a working one, and measures how long the person and the working one waited. */
  const signOutOf = async (used: LogoutApp[], where = apps.world) => {
    const witness = await apps.registerApp({}, where);
    const { agent } = await where.signUp();
    for (const app of [...used, witness]) await apps.signInTo(agent, app, where);
    const before = performance.now();
    expect((await agent.post('/api/sign-out')).status).toBe(204);
    const signedOut = performance.now() - before;
    const [told] = await apps.untilReceived(witness.path);
    return { waitedMs: signedOut, witnessMs: (told?.at ?? Infinity) - before };
  };
  const untilTried = (app: RegisteredApp, attempts = 1, where = apps.world) =>
    expect
      .poll(() => apps.rowsOf(app, where), { timeout: 60_000 })
      .toEqual([expect.objectContaining({ attempts, due_at: expect.toSatisfy(isPaused) })]);
  /** A try that is under way holds its row for 15 seconds, and the pause after the first is 5. */
  const isPaused = (at: Date) => at.getTime() > Date.now() + 1_000 && at.getTime() < Date.now() + 9_000;
  const makeDue = (app: RegisteredApp, where = apps.world) =>
    where.db
      .updateTable('backchannel_logout')
      .set({ due_at: new Date(0) })
      .where('client_id', '=', app.clientId)
      .execute();

  /** Signed out before the other tests, so that the server’s retries run meanwhile. */
  const signOutOfSilent = async () => {
    const app = await apps.registerApp();
    const hungUp = Promise.withResolvers<number>();
    apps.replyAt(app.path, (_, request) =>
      request.socket.once('close', () => hungUp.resolve(performance.now())),
    );
    return { app, hungUp: hungUp.promise, ...(await signOutOf([app])) };
  };
  let silent: Awaited<ReturnType<typeof signOutOfSilent>>;
  beforeAll(async () => {
    silent = await signOutOfSilent();
  });

  test('with an error gets the logout later, with a new token for each try', async () => {
    const app = await apps.registerApp();
    apps.replyAt(app.path, (reply) => reply.writeHead(503).end('x'.repeat(1_000)));
    await signOutOf([app]);
    await untilTried(app);
    apps.replyAt(app.path, (reply) => reply.writeHead(204).end());
    await makeDue(app);
    const [first, second] = await apps.untilReceived(app.path, 2);
    await apps.untilSettled(app);
    if (!first || !second) throw new Error('nothing came');
    const tokens = [await apps.readToken(first, app), await apps.readToken(second, app)] as const;
    expect(tokens[0].sid).toBe(tokens[1].sid);
    expect(tokens[0].jti).not.toBe(tokens[1].jti);
  });

  test('with a refusal is not asked again', async () => {
    const app = await apps.registerApp();
    apps.replyAt(app.path, (reply) => reply.writeHead(400).end());
    await signOutOf([app]);
    await apps.untilReceived(app.path);
    await apps.untilSettled(app);
    expect(apps.receivedAt(app.path)).toHaveLength(1);
  });

  test('without an answer does not delay a logout by an app either', async () => {
    const app = await apps.registerApp();
    const held = Promise.withResolvers<ServerResponse>();
    apps.replyAt(app.path, held.resolve);
    const { agent } = await apps.world.signUp();
    await apps.signInTo(agent, app);
    const page = await agent.navigate(app.rp.endSessionUrl());
    const before = performance.now();
    const done = await agent.submit(page, { logout: 'yes' });
    expect(done.answer?.body).toContain('You are signed out');
    expect(performance.now() - before).toBeLessThan(SOON_MS);
    (await held.promise).destroy();
  });

  test('with an endless answer is read no further than its status', async () => {
    const app = await apps.registerApp();
    const hungUp = Promise.withResolvers<void>();
    apps.replyAt(app.path, (reply) => {
      reply.on('close', hungUp.resolve);
      reply.writeHead(200);
      const pour = () => {
        while (!reply.destroyed && reply.write('x'.repeat(65_536)));
      };
      reply.on('drain', pour);
      pour();
    });
    await signOutOf([app]);
    await hungUp.promise;
    await apps.untilSettled(app);
  });

  test('with a redirect is not followed', async () => {
    const app = await apps.registerApp();
    const elsewhere = `${app.path}/elsewhere`;
    apps.replyAt(app.path, (reply) =>
      reply.writeHead(307, { location: `https://${apps.host}${elsewhere}` }).end(),
    );
    await signOutOf([app]);
    await untilTried(app);
    expect(apps.receivedAt(elsewhere)).toEqual([]);
  });

  describe('an endpoint on this machine or in its network', () => {
    const connections: Socket[] = [];
    const inside = createServer((socket) => void connections.push(socket.on('error', () => undefined)));
    let port = 0;
    beforeAll(async () => {
      await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
      const address = inside.address();
      port = typeof address === 'object' && address ? address.port : 0;
    });
    afterAll(() => {
      for (const socket of connections) socket.destroy();
      inside.close();
    });

    test('is not connected to', async () => {
      const uris = [
        'https://127.0.0.1/',
        'https://2130706433/',
        'https://[::ffff:127.0.0.1]/',
        'https://localhost/',
        `https://localhost:${port}/`,
        `http://127.0.0.1:${port}/`,
      ];
      const used = await Promise.all(uris.map((uri) => apps.registerApp({ backchannel_logout_uri: uri })));
      const { waitedMs, witnessMs } = await signOutOf(used);
      expect(waitedMs).toBeLessThan(SOON_MS);
      expect(witnessMs).toBeLessThan(SOON_MS);
      for (const app of used) await untilTried(app);
      expect(connections).toEqual([]);
    });
  });

  test('gets the logout from the process that follows the one that tried', async () => {
    const connection = await openPglite();
    const env = {
      BACKCHANNEL_HOSTS: apps.host,
      SECRET_KEY: 'a secret key of both processes that is long enough',
      COOKIE_KEYS: 'a cookie key of both processes that is long enough',
    };
    const before = await createWorld({ env, connection: { ...connection, close: async () => undefined } });
    const app = await apps.registerApp({}, before);
    apps.replyAt(app.path, (reply) => reply.writeHead(500).end());
    await signOutOf([app], before);
    await untilTried(app, 1, before);
    await before.close();
    await makeDue(app, before);

    apps.replyAt(app.path, (reply) => reply.writeHead(200).end());
    const after = await createWorld({ env, connection });
    try {
      const [, received] = await apps.untilReceived(app.path, 2);
      expect(received && (await apps.readToken(received, app, after.origin))).toHaveProperty('sid');
      await apps.untilSettled(app, after);
    } finally {
      await after.close();
    }
  });

  test('without an answer delays nobody, and its connection is closed after five seconds', async () => {
    const { app, hungUp, waitedMs, witnessMs } = silent;
    expect(waitedMs).toBeLessThan(SOON_MS);
    expect(witnessMs).toBeLessThan(SOON_MS);
    const [received] = await apps.untilReceived(app.path);
    const patienceMs = (await hungUp) - (received?.at ?? 0);
    expect(patienceMs).toBeGreaterThan(4_000);
    expect(patienceMs).toBeLessThan(7_000);
    await expect.poll(async () => (await apps.rowsOf(app))[0]?.attempts).toBeGreaterThanOrEqual(1);
  });
});
