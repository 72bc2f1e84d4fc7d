import { randomBytes } from 'node:crypto';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { startHttpsServer } from '../support/https-server.ts';
import { createLogoutListener } from '../support/logout-listener.ts';
import type { Answer } from '../support/user-agent.ts';
import { createWorld, type World, type WorldOptions } from '../support/world.ts';

export const PUSH = 'urn:ietf:rfc:8935';
export const POLL = 'urn:ietf:rfc:8936';
export const SESSION_REVOKED = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';
export const CREDENTIAL_CHANGE = 'https://schemas.openid.net/secevent/caep/event-type/credential-change';

/** The claims of a security event token. */
interface SetClaims extends JWTPayload {
  txn: string;
  sub_id: Record<string, unknown>;
  events: Record<string, Record<string, unknown>>;
}

/** A row of `signal`, as a statement of the server adds it. */
interface NewSignal {
  accountId: string | null;
  sid?: string;
  event?: string;
  payload?: Record<string, unknown>;
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;
export type Receiver = Awaited<ReturnType<Receivers['register']>>;

/** Calls of one receiver: with its token, as no browser would. */
export const createCalls =
  ({ browser }: Pick<World, 'browser'>, token: string | undefined) =>
  (method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    browser().request(method, path, {
      headers: {
        origin: '',
        'sec-fetch-site': '',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(json !== undefined && { json }),
    });

export const startReceivers = async (options: Omit<WorldOptions, 'env'> = {}) => {
  const { listener, receivedAt, replyAt, untilReceived } = createLogoutListener();
  const { host, close: closeServer } = await startHttpsServer(listener);
  const world = await createWorld({ ...options, env: { BACKCHANNEL_HOSTS: host } });
  const { db, origin } = world;

  const tokenOf = async (rp: { configuration: oidc.Configuration }, scope: string): Promise<string> =>
    (await oidc.clientCredentialsGrant(rp.configuration, { scope })).access_token;

  const addSignals = async (streamId: string, signals: readonly NewSignal[]): Promise<string[]> => {
    const rows = await db
      .insertInto('signal')
      .values(
        signals.map(({ accountId, sid = null, event = 'session-revoked', payload = {} }) => ({
          stream_id: streamId,
          account_id: accountId,
          sid,
          event,
          payload: JSON.stringify(payload),
        })),
      )
      .returning('jti')
      .execute();
    return rows.map(({ jti }) => jti);
  };

  return {
    world,
    host,
    receivedAt,
    replyAt,
    untilReceived,
    addSignals,

    /** A client that may receive signals, and calls with its token. */
    register: async (metadata: Record<string, unknown> = {}) => {
      const app = await world.registerApp({
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        scope: 'openid profile email ssf.manage ssf.read',
        ...metadata,
      });
      const path = `/${randomBytes(6).toString('hex')}`;
      return {
        ...app,
        path,
        endpoint: `https://${host}${path}`,
        call: createCalls(world, await tokenOf(app.rp, 'ssf.manage ssf.read')),
        headers: async () => ({
          origin: '',
          'sec-fetch-site': '',
          authorization: `Bearer ${await tokenOf(app.rp, 'ssf.manage ssf.read')}`,
        }),
        callWith: async (scope: string) => createCalls(world, await tokenOf(app.rp, scope)),
      };
    },

    /** Creates a stream, and answers its configuration. */
    createStream: async (
      receiver: { call: ReturnType<typeof createCalls> },
      body: Record<string, unknown> = {},
    ) => {
      const answer = await receiver.call('POST', '/ssf/streams', body);
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
      return answer.json();
    },

    /** Verifies a security event token as its receiver does. */
    readSet: async (token: string, audience: string) => {
      const keys = createRemoteJWKSet(new URL('/oauth/jwks', origin));
      const checks = { issuer: origin, audience, typ: 'secevent+jwt', algorithms: ['RS256'] };
      return (await jwtVerify(token, keys, checks)).payload as SetClaims;
    },

    rowsOf: (streamId: string) =>
      db.selectFrom('signal').selectAll().where('stream_id', '=', streamId).orderBy('id').execute(),

    close: async () => {
      await world.close();
      await closeServer();
    },
  };
};
