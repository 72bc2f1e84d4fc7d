import { randomBytes } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { expect } from 'vitest';
import { startHttpsServer } from '../support/https-server.ts';
import { createLogoutListener, type ReceivedLogout, readLogoutToken } from '../support/logout-listener.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';

export interface LogoutApp extends RegisteredApp {
  /** The address of its back-channel logout endpoint; all apps share one host. */
  path: string;
}

export type LogoutApps = Awaited<ReturnType<typeof startLogoutApps>>;

/** A world, and a web server of apps with back-channel logout; `where` is another world that uses these apps. */
export const startLogoutApps = async () => {
  const { listener, receivedAt, replyAt, untilReceived } = createLogoutListener();
  const { host, close: closeServer } = await startHttpsServer(listener);
  const world = await createWorld({ env: { BACKCHANNEL_HOSTS: host } });

  const rowsOf = ({ clientId }: RegisteredApp, where = world) =>
    where.db.selectFrom('backchannel_logout').selectAll().where('client_id', '=', clientId).execute();

  return {
    world,
    host,
    receivedAt,
    replyAt,
    untilReceived,
    rowsOf,

    registerApp: async (metadata: Record<string, unknown> = {}, where = world): Promise<LogoutApp> => {
      const path = `/${randomBytes(6).toString('hex')}`;
      const app = await where.registerApp({
        backchannel_logout_uri: `https://${host}${path}`,
        backchannel_logout_session_required: true,
        ...metadata,
      });
      return { ...app, path };
    },

    /** Signs in to the app, and returns the sid of the session and the subject of the person. */
    signInTo: async (agent: UserAgent, { rp }: RegisteredApp, where = world) => {
      const claims = (await where.link(agent, rp)).tokens.claims();
      return { sid: claims?.sid, sub: claims?.sub };
    },

    readToken: (
      received: ReceivedLogout,
      { clientId }: RegisteredApp,
      issuer = world.origin,
    ): Promise<JWTPayload> => readLogoutToken(received, { issuer, clientId }),

    /** Resolves when no logout of the app waits. */
    untilSettled: (app: RegisteredApp, where = world) =>
      expect.poll(() => rowsOf(app, where), { timeout: 60_000 }).toEqual([]),

    close: async () => {
      await world.close();
      await closeServer();
    },
  };
};
