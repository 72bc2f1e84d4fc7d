import { connect } from '@candela/server/db/connect';
import { sweep } from '@candela/server/sweep';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { createRegistrations } from '@candela/server/testing/registrations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, linkHomes, MEETINGS, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

const URI = 'https://app.example/callback';
const NAMES = ['registered', 'a', 'b', 'c', 'd', 'e', 'f'];

describe.skipIf(!testDatabaseUrl)(`registrations at four processes${skipped}`, () => {
  let cluster: Cluster;
  let operator: Awaited<ReturnType<typeof connect>>;
  let registrations: ReturnType<typeof createRegistrations>;
  beforeAll(async () => {
    cluster = await fourProcesses();
    // As wide as the file's part of a race: each of its changes waits for the others.
    operator = await connect({ databaseUrl: cluster.env.DATABASE_URL, dataDir: '', poolSize: 8 });
    registrations = createRegistrations(operator.db, { secretKeys: [cluster.env.SECRET_KEY] });
  });
  afterAll(() => operator?.close());

  /** A developer with a client. Requests go to each process in turn. */
  const register = async () => {
    const { agent, identifier } = await cluster.signUp();
    await registrations.developers.allow(identifier);
    const draft = { preset: 'web', name: 'Raced', redirect_uris: [URI] };
    const created = await agent.post('/api/clients', draft);
    expect(created.status).toBe(201);
    const { client, secret } = created.json();
    const app = { clientId: client.client_id, clientSecret: secret, redirectUri: URI };
    const at = `/api/clients/${app.clientId}`;
    return {
      agent,
      app,
      addSecret: async (name: string) => agent.post(`${at}/secrets`, { name }),
      removeSecret: async (name: string) => agent.delete(`${at}/secrets/${name}`),
      update: async (json: object) => agent.request('PATCH', at, { json }),
      delete: async () => agent.request('DELETE', at, { json: { confirm: 'Raced' } }),
    };
  };

  /** Whether the app authenticates by its secret. */
  const isIn = async (app: Parameters<typeof createTokenRequests>[1]) =>
    (await createTokenRequests(cluster, app).refresh('anything')).status === 400;

  const secretsOf = async (clientId: string) =>
    cluster.db.selectFrom('client_secret').select('name').where('client_id', '=', clientId).execute();

  test(
    'CL1: rotations of one secret at once leave at most five, each with a name of its own, and never none',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { app, addSecret, removeSecret } = await register();
        const counts: number[] = [];
        const answers = await inParallel(async (index) => {
          counts.push((await secretsOf(app.clientId)).length);
          const name = NAMES[(index * 3 + round) % NAMES.length] ?? '';
          return index % 2 === 0 ? addSecret(name) : removeSecret(name);
        });
        const statuses = tally(answers.map(({ status }) => status));
        const unexpected = Object.keys(statuses).filter(
          (status) => !['201', '204', '404', '409'].includes(status),
        );
        expect(unexpected).toEqual([]);
        const left = await secretsOf(app.clientId);
        expect(Math.min(left.length, ...counts)).toBeGreaterThanOrEqual(1);
        expect(Math.max(left.length, ...counts)).toBeLessThanOrEqual(5);
        // Each secret that is left works, and no other.
        const made = answers.filter(({ status }) => status === 201).map(({ json }) => String(json().secret));
        await expect
          .poll(
            async () => {
              const judged = [app.clientSecret, ...made].map((clientSecret) =>
                isIn({ ...app, clientSecret }),
              );
              return (await Promise.all(judged)).filter(Boolean).length;
            },
            { timeout: 60_000, interval: 100 },
          )
          .toBe(left.length);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'CL4: a client that is deleted while it asks for tokens leaves nothing',
    async () => {
      for (let round = 0; round < MEETINGS; round += 1) {
        const developer = await register();
        const { agent } = developer;
        const app = await cluster.registerApp();
        const accountId: string = (await agent.get('/api/account')).json().id;
        await cluster.db
          .insertInto('client_member')
          .values({ client_id: app.clientId, account_id: accountId, role: 'owner' })
          .execute();
        const tokens = createTokenRequests(cluster, app);
        const links = await linkHomes(cluster, { agent, app }, 3);
        const answers = await inParallel(async (index) => {
          if (index === (round * 7) % PARALLEL) {
            const json = { confirm: 'Example App' };
            const gone = await agent.request('DELETE', `/api/clients/${app.clientId}`, { json });
            expect(gone.status).toBe(204);
            return 'deleted';
          }
          if (index % 10 === 9)
            return (await agent.navigate((await app.rp.authorizationUrl()).url)).url.origin;
          const { status, json } = await tokens.refresh(links[index % links.length] ?? '');
          return status === 200 ? json() : status;
        });
        const statuses = tally(answers.filter((answer) => typeof answer === 'number'));
        expect(Object.keys(statuses).filter((status) => !['400', '401'].includes(status))).toEqual([]);
        await expect
          .poll(
            async () => (await inParallel(() => tokens.refresh('anything'), 8)).map(({ status }) => status),
            { timeout: 1_000, interval: 50 },
          )
          .toEqual(Array(8).fill(401));
        const issued = answers.filter((answer) => typeof answer === 'object');
        for (const { access_token: accessToken } of issued) {
          const headers = { authorization: `Bearer ${accessToken}` };
          expect((await agent.get('/oauth/userinfo', { headers })).status).toBe(401);
        }
        await sweep(cluster.db);
        const tables = [
          'authorization_grant',
          'access_token',
          'refresh_token',
          'oidc_model',
          'remembered_consent',
          'client_secret',
          'client_member',
        ] as const;
        for (const table of tables) {
          const rows = await cluster.db
            .selectFrom(table)
            .select('client_id')
            .where('client_id', '=', app.clientId)
            .execute();
          expect([table, rows.length]).toEqual([table, 0]);
        }
        expect((await developer.delete()).status).toBe(204);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'CL5: a file and a developer who change a client in turn lose nothing: each change begins where one ended',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { app, update } = await register();
        const id = app.clientId;
        const entry = {
          client_id: id,
          client_secret: app.clientSecret,
          preset: 'web',
          client_name: 'Applied',
          redirect_uris: [URI],
        };
        const answers = await inParallel<unknown>(async (index) => {
          if (index % 3 === 0) {
            await registrations.apply([{ ...entry, access_token_ttl: 600 + index }]);
            return 200;
          }
          const patch = index % 3 === 1 ? { name: `Console ${index}` } : { client_uri: `${URI}/${index}` };
          return (await update(patch)).status;
        }, 24);
        expect(new Set(answers)).toEqual(new Set([200]));
        const history = await cluster.db
          .selectFrom('client_change')
          .select('changes')
          .where('client_id', '=', id)
          .orderBy('id')
          .execute();
        const values = new Map<string, unknown>([['client_name', 'Raced']]);
        const broken: unknown[] = [];
        for (const { field, from, to } of history.flatMap(({ changes }) => changes)) {
          if (values.has(field) && values.get(field) !== from) broken.push({ field, from, to });
          values.set(field, to);
        }
        expect(broken).toEqual([]);
        const { metadata } = await cluster.db
          .selectFrom('client')
          .select('metadata')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        for (const field of ['client_name', 'client_uri', 'access_token_ttl'])
          expect([field, metadata[field]]).toEqual([field, values.get(field)]);
        expect(await isIn(app)).toBe(true);
      }
    },
    RACE_TIMEOUT,
  );
});
