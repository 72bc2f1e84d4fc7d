import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { describeOnDatabases } from '../../../../testing/describe-on-databases.ts';
import { startEngine } from '../../../../testing/engine.ts';
import { CLIENT, createProbe, insertAccount, secretKeys } from '../../../../testing/protocol-store.ts';
import { recordEvents } from '../../../../testing/recorded-events.ts';
import type { Database } from '../../../ground/db/database.ts';
import { deriveKey } from '../../../ground/seal.ts';
import { createFailedAuthentications } from './failed-authentication.ts';

const HERE = '192.0.2.1';
const TOO_MANY = /too many failed authentications/;

describeOnDatabases('failed authentication of clients', (connection) => {
  let db: Kysely<Database>;
  beforeAll(async () => {
    db = connection.db;
    await insertAccount(db);
  });

  const create = () => {
    const events = recordEvents();
    const failures = createFailedAuthentications({ db, events });
    const isRefused = (client: string, address: string) => {
      try {
        failures.requireTry(client, address);
        return false;
      } catch (error) {
        expect(error).toMatchObject({ statusCode: 401, error: 'invalid_client' });
        return true;
      }
    };
    const guess = async (client: string, address: string, times: number, from = 0) => {
      for (let turn = from; turn < from + times; turn += 1)
        await failures.count(client, address, `guess ${turn}`);
    };
    return { events, failures, isRefused, guess };
  };

  test('after twenty guesses a network is refused for that client; other networks and clients are not', async () => {
    const { events, isRefused, guess } = create();
    await guess('app', HERE, 20);
    expect(isRefused('app', HERE)).toBe(false);
    await guess('app', HERE, 1, 20);
    expect(isRefused('app', HERE)).toBe(true);
    expect(isRefused('app', '192.0.2.2')).toBe(false);
    expect(isRefused('app', '198.51.100.1')).toBe(false);
    expect(isRefused('another', HERE)).toBe(false);
    expect(events.all).toEqual([
      { event: 'rate_limit.exceeded', limit: 'client-authentication', clientId: 'app' },
    ]);
  });

  test('another process refuses from the first wrong guess there on', async () => {
    const [one, two] = [create(), create()];
    await one.guess('shared', HERE, 21);
    expect(two.isRefused('shared', HERE)).toBe(false);
    await two.guess('shared', HERE, 1, 100);
    expect(two.isRefused('shared', HERE)).toBe(true);
  });

  test('an old secret sent repeatedly counts as one guess', async () => {
    const { failures, isRefused } = create();
    for (let turn = 0; turn < 100; turn += 1) await failures.count('left behind', HERE, 'an old secret');
    expect(isRefused('left behind', HERE)).toBe(false);
  });

  test('a caller with a whole network of addresses has no more guesses than the network', async () => {
    const { isRefused, guess } = create();
    for (let host = 1; host <= 41; host += 1) await guess('wide', `198.51.100.${host}`, 1, host);
    expect(isRefused('wide', '198.51.100.200')).toBe(true);
    expect(isRefused('wide', '198.51.101.1')).toBe(false);
  });

  const startGuessed = async () => {
    const { probe, db: counted } = createProbe(db);
    const engine = await startEngine(counted);
    const introspect = (secret?: string) => engine.post('/oauth/introspect', { token: 'unknown' }, secret);
    const close = async () => {
      await sql`delete from rate_limit where key like ${`%${CLIENT}%`}`.execute(db);
      await engine.close();
    };
    return { probe, introspect, close };
  };

  test('over HTTP a right secret passes after any number of guesses, and costs no statement', async () => {
    const { probe, introspect, close } = await startGuessed();
    /** The smaller count of two requests: at most one of them also reads the client anew. */
    const statementsOf = async (secret?: string) => {
      const counts: number[] = [];
      for (let turn = 0; turn < 2; turn += 1) {
        probe.statements = 0;
        expect((await introspect(secret)).status).toBe(secret ? 401 : 200);
        counts.push(probe.statements);
      }
      return Math.min(...counts);
    };
    const usual = await statementsOf();
    for (let turn = 0; turn < 21; turn += 1) expect((await introspect(`guess ${turn}`)).status).toBe(401);
    const refused = await introspect('guess 21');
    expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect(JSON.stringify(refused.body)).toMatch(TOO_MANY);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect(await statementsOf('guess 22')).toBe(0);
    expect(await statementsOf()).toBe(usual);
    await close();
  });

  test('a right secret that is short enough to guess is refused like the guesses', async () => {
    const { introspect, close } = await startGuessed();
    const key = deriveKey(secretKeys[0] ?? '', 'client secrets');
    const stored = createHmac('sha256', key).update('short').digest('base64url');
    await db.updateTable('client_secret').set({ hash: stored }).where('client_id', '=', CLIENT).execute();
    expect((await introspect('short')).status).toBe(200);
    for (let turn = 0; turn < 21; turn += 1) expect((await introspect(`guess ${turn}`)).status).toBe(401);
    const refused = await introspect('short');
    expect(refused.status).toBe(401);
    expect(refused.retryAfter).toBeGreaterThan(0);
    await close();
    // The next engine registers the client with a long secret again.
    await sql`delete from client where id = ${CLIENT}`.execute(db);
  });
});
