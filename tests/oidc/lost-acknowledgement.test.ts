import { type Connection, connect } from '@candela/server/db/connect';
import { createMigratedDatabase, testDatabaseUrl } from '@candela/server/testing/databases';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { allowDevice, askForCode, poll, registerDevice } from '../support/device.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { basic } from '../support/token.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import type { RegisteredApp } from './authorization.ts';
import { createRequests, LIGHTS, resources } from './resources.ts';

const SPENDS_CODE = 'update "authorization_code" set "consumed_at"';
const SPENDS_IN_OIDC_MODEL = 'update "oidc_model" set "consumed_at"';
/** Longer than the window for duplicates of an honest request. */
const LATER_SECONDS = 11;

describe.skipIf(!testDatabaseUrl)(
  'a database that is lost before it acknowledges the spending of a code',
  () => {
    let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
    let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
    let connection: Connection;
    /** A connection that does not go through the proxy. */
    let direct: Connection;
    let world: World;
    let agent: UserAgent;
    beforeAll(async () => {
      database = await createMigratedDatabase(testDatabaseUrl ?? '');
      const { hostname, port } = new URL(database.databaseUrl);
      proxy = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
      const databaseUrl = proxy.through(database.databaseUrl);
      // Each statement is sent with its text, by which the proxy recognises it.
      connection = await connect({ databaseUrl, dataDir: '', prepared: false });
      direct = await connect({ databaseUrl: database.databaseUrl, dataDir: '' });
      world = await createWorld({ connection, env: { LOG_LEVEL: 'silent' } });
      await world.registerResources(resources);
      ({ agent } = await world.signUp());
    }, 60_000);
    afterAll(async () => {
      await world.close();
      await direct.close();
      await proxy.close();
      await database.drop();
    });

    const post = (app: RegisteredApp, path: string, form: Record<string, string>) =>
      agent.request('POST', path, { form, headers: { ...basic(app), origin: '', 'sec-fetch-site': '' } });

    const createExchange = async (app: RegisteredApp, scope: string, resource: string[] = []) => {
      const { checks, callback } = await createRequests(world, agent).approve({ app, scope, resource });
      return () =>
        post(app, '/oauth/token', {
          grant_type: 'authorization_code',
          code: callback.searchParams.get('code') ?? '',
          redirect_uri: app.redirectUri,
          code_verifier: checks.pkceCodeVerifier,
        });
    };

    const createDeviceExchange = async () => {
      const device = await registerDevice(world);
      const code = await askForCode(device);
      await allowDevice(world, agent, code);
      return { clientId: device.clientId, exchange: () => poll(device, code) };
    };

    const isGranted = async (clientId: string) =>
      (await world.db
        .selectFrom('authorization_grant')
        .select('id')
        .where('client_id', '=', clientId)
        .executeTakeFirst()) !== undefined;

    const heard = (answer: Answer) => [answer.status, answer.json().error];

    /** Sends a request whose spending is written but not acknowledged. */
    const loseWord = async (text: string, request: () => Promise<Answer>, then?: () => void) => {
      const lost = proxy.loseAnswerTo(text).then(then);
      const answer = await request();
      await lost;
      return answer;
    };

    test('costs a person nothing whose app pushed the request: the code comes', async () => {
      const app = await world.registerApp();
      await world.link(agent, app.rp);
      const { url } = await app.rp.authorizationUrl();
      const pushed = await post(app, '/oauth/par', Object.fromEntries(url.searchParams));
      const { request_uri } = pushed.json();
      const query = new URLSearchParams({ client_id: app.clientId, request_uri });
      const answer = await loseWord(SPENDS_IN_OIDC_MODEL, () => agent.get(`/oauth/authorize?${query}`));
      expect(new URL(String(answer.headers.location)).searchParams.get('code')).toBeTypeOf('string');
    });

    test('costs an app nothing: it gets tokens, which stay valid', async () => {
      const app = await world.registerApp();
      const exchange = await createExchange(app, 'openid');
      const answer = await loseWord(SPENDS_CODE, exchange);
      expect(answer.status, answer.body).toBe(200);
      const { access_token: token, refresh_token: refreshToken } = answer.json();
      expect((await post(app, '/oauth/introspect', { token })).json().active).toBe(true);
      const refreshed = await post(app, '/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      });
      expect(refreshed.status).toBe(200);
    });

    test('costs an app nothing whose only token is not stored', async () => {
      const app = await world.registerApp({ grant_types: ['authorization_code'] });
      const exchange = await createExchange(app, 'read', [LIGHTS]);
      const answer = await loseWord(SPENDS_CODE, exchange);
      expect(answer.status, answer.body).toBe(200);
      expect(answer.json().access_token.split('.')).toHaveLength(3);
      expect(answer.json().refresh_token).toBeUndefined();
      expect(heard(await exchange()), 'a code is good for one request').toEqual([400, 'invalid_grant']);
    });

    test('costs a device nothing', async () => {
      const { exchange } = await createDeviceExchange();
      const answer = await loseWord(SPENDS_IN_OIDC_MODEL, exchange);
      expect(answer.status, answer.body).toBe(200);
      expect(answer.json().refresh_token).toBeTypeOf('string');
    });

    test.each(['an app', 'a device'])(
      'and stays away is 503 to %s: who asks again ends nothing within seconds, and the grant later',
      async (who) => {
        const app = await world.registerApp();
        const { clientId, exchange } =
          who === 'an app'
            ? { clientId: app.clientId, exchange: await createExchange(app, 'openid') }
            : await createDeviceExchange();
        const text = who === 'an app' ? SPENDS_CODE : SPENDS_IN_OIDC_MODEL;
        const answer = await loseWord(text, exchange, proxy.fallSilent);
        expect(heard(answer)).toEqual([503, 'temporarily_unavailable']);
        proxy.recover();
        proxy.cut();
        const again = await vi.waitFor(async () => {
          const retried = await exchange();
          expect(retried.status).not.toBe(503);
          return retried;
        }, 5_000);
        expect(heard(again)).toEqual([400, 'invalid_grant']);
        expect(await isGranted(clientId)).toBe(true);

        for (const table of ['authorization_code', 'oidc_model'])
          await sql`update ${sql.table(table)}
          set consumed_at = consumed_at - ${LATER_SECONDS} * interval '1 second'
          where client_id = ${clientId}`.execute(world.db);
        expect(heard(await exchange())).toEqual([400, 'invalid_grant']);
        expect(await isGranted(clientId)).toBe(false);
      },
    );

    /** Whether a statement waits for such a lock. */
    const seeWaiting = (kind: 'advisory' | 'transactionid') =>
      vi.waitFor(
        async () => {
          const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid)
          where locktype = ${kind} and not granted and datname = current_database()`.execute(direct.db);
          expect(rows.length).toBeGreaterThan(0);
        },
        { timeout: 60_000, interval: 20 },
      );

    test('while it still writes costs an app nothing', async () => {
      const app = await world.registerApp();
      const exchange = await createExchange(app, 'openid');
      await sql`create function hold() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return new; end $$`.execute(direct.db);
      await sql`create trigger hold before insert on access_token for each row execute function hold()`.execute(
        direct.db,
      );
      const answer = await direct.db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(1)`.execute(trx);
        const asked = exchange();
        await seeWaiting('advisory');
        proxy.cut();
        await seeWaiting('transactionid');
        return { asked };
      });
      const { status, body } = await answer.asked;
      await sql`drop trigger hold on access_token`.execute(direct.db);
      expect(status, body).toBe(200);
    });

    test('before the write is 503, and the same code is valid afterwards', async () => {
      const app = await world.registerApp();
      const exchange = await createExchange(app, 'openid');
      const refuse = sql`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '53100', message = 'disk full'; end $$`;
      await refuse.execute(direct.db);
      await sql`create trigger refuse before insert on access_token execute function refuse()`.execute(
        world.db,
      );
      expect(heard(await exchange())).toEqual([503, 'temporarily_unavailable']);
      await sql`drop trigger refuse on access_token`.execute(world.db);
      expect((await exchange()).status).toBe(200);
    });
  },
);
