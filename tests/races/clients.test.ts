import { connect } from '@candela/server/db/connect';
import { sweep } from '@candela/server/sweep';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { createRegistrations } from '@candela/server/testing/registrations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests, startCluster } from '../support/cluster.ts';
import { inParallel, linkHomes, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

type Registrations = ReturnType<typeof createRegistrations>;

const operator = { kind: 'operator' } as const;
const file = { kind: 'file' } as const;
const URI = 'https://app.example/callback';

describe.skipIf(!testDatabaseUrl)(`registrations beside four processes${skipped}`, () => {
  let cluster: Cluster;
  const opened: { close(): Promise<void> }[] = [];
  /** Registries as four more processes have them: each with connections and a cache of its own. */
  const registries: Registrations[] = [];
  beforeAll(async () => {
    cluster = await startCluster({ databaseUrl: testDatabaseUrl ?? '' });
    for (let count = 0; count < 4; count += 1) {
      const { db, close } = await connect({
        databaseUrl: cluster.env.DATABASE_URL,
        dataDir: '',
        poolSize: 4,
      });
      opened.push({ close });
      registries.push(createRegistrations(db, { secretKeys: [cluster.env.SECRET_KEY] }));
    }
  });
  afterAll(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    await cluster?.close();
  });

  const registryOf = (index: number) => {
    const found = registries[index % registries.length];
    if (!found) throw new Error('there is no registry');
    return found.registry;
  };
  const createApp = async () => {
    const { client, secret = '' } = await registryOf(0).create(operator, {
      preset: 'web',
      name: 'Rotating',
      redirect_uris: [URI],
    });
    return { clientId: client.client_id, clientSecret: secret, redirectUri: URI };
  };
  const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

  const statusOf = async (app: Parameters<typeof createTokenRequests>[1]) =>
    (await createTokenRequests(cluster, app).refresh('anything')).status;

  test(
    'CL1: rotations of one secret at once leave at most five, of one name each, and never none',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const app = await createApp();
        const id = app.clientId;
        const counts: number[] = [];
        const outcomes = await inParallel(async (index) => {
          const registry = registryOf(index);
          const name = `key-${index % 7}`;
          const rows = await cluster.db
            .selectFrom('client_secret')
            .select('name')
            .where('client_id', '=', id)
            .execute();
          counts.push(rows.length);
          const attempt =
            index % 5 === 4
              ? registry.removeSecret(operator, id, name)
              : registry.addSecret(operator, id, { name });
          return attempt.then((made) => made ?? 'removed', messageOf);
        });
        expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
        expect(Math.max(...counts)).toBeLessThanOrEqual(5);
        const left = await cluster.db
          .selectFrom('client_secret')
          .select('name')
          .where('client_id', '=', id)
          .execute();
        expect(left.length).toBeLessThanOrEqual(5);
        expect(left.map(({ name }) => name)).toContain('registered');
        // The secret that was in use all the while works at every process, as does the last one of each name.
        const statuses = await inParallel(() => statusOf(app), 4);
        expect(statuses).toEqual([400, 400, 400, 400]);
        const made = outcomes.filter((outcome) => typeof outcome === 'object');
        const working = await Promise.all(
          made.map(async ({ secret }) => (await statusOf({ ...app, clientSecret: secret })) === 400),
        );
        expect(working.filter(Boolean)).toHaveLength(left.length - 1);
      }
      expect(await cluster.deadlocks()).toBe(0);
    },
    RACE_TIMEOUT,
  );

  test(
    'a developer’s removals at once leave a secret that works',
    async () => {
      const { accountId } = await signedUp(cluster);
      const ada = { kind: 'account', id: accountId } as const;
      for (let round = 0; round < ROUNDS; round += 1) {
        const { client } = await registryOf(0).create(ada, {
          preset: 'web',
          name: `Lamp ${round}`,
          redirect_uris: [URI],
        });
        const id = client.client_id;
        const names = ['registered', 'a', 'b', 'c', 'd'];
        for (const name of names.slice(1)) await registryOf(0).addSecret(ada, id, { name });
        const outcomes = await inParallel(
          (index) =>
            registryOf(index)
              .removeSecret(ada, id, names[index % names.length] ?? '')
              .then(() => 'removed', messageOf),
          20,
        );
        expect(tally(outcomes)).toMatchObject({ removed: 4 });
        expect(outcomes).toContain('last_secret');
        expect((await registryOf(0).get(ada, id)).secrets).toHaveLength(1);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'CL4: a client that is deleted while it asks for tokens leaves nothing',
    async () => {
      const { agent } = await cluster.signUp();
      for (let round = 0; round < ROUNDS; round += 1) {
        const app = await cluster.registerApp();
        const tokens = createTokenRequests(cluster, app);
        const links = await linkHomes(cluster, { agent, app }, 3);
        const answers = await inParallel(async (index) => {
          if (index === (round * 7) % PARALLEL) {
            await registryOf(round).delete(operator, app.clientId);
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
        ] as const;
        for (const table of tables) {
          const { length } = await cluster.db
            .selectFrom(table)
            .select('client_id')
            .where('client_id', '=', app.clientId)
            .execute();
          expect([table, length]).toEqual([table, 0]);
        }
      }
      expect(cluster.faults()).toEqual([]);
      expect(await cluster.deadlocks()).toBe(0);
    },
    RACE_TIMEOUT,
  );

  test(
    'CL5: a file and developers who change a client in turn lose nothing: each change begins where the last one ended',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const app = await createApp();
        const id = app.clientId;
        const entry = {
          client_id: id,
          client_secret: app.clientSecret,
          preset: 'web',
          client_name: 'Applied',
          redirect_uris: [URI],
        };
        await inParallel<unknown>((index) => {
          const registry = registryOf(index);
          if (index % 3 === 0) return registry.apply(file, [{ ...entry, access_token_ttl: 600 + index }]);
          if (index % 3 === 1) return registry.update(operator, id, { name: `Console ${index}` });
          return registry.update(operator, id, { client_uri: `https://app.example/${index}` });
        });
        const changes = await cluster.db
          .selectFrom('client_change')
          .select(['action', 'changes'])
          .where('client_id', '=', id)
          .orderBy('id')
          .execute();
        const { metadata } = await cluster.db
          .selectFrom('client')
          .select('metadata')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const values = new Map<string, unknown>([['client_name', 'Rotating']]);
        const broken: unknown[] = [];
        for (const { field, from, to, note } of changes.flatMap(({ changes }) => changes)) {
          if (note !== undefined) continue;
          if (values.has(field) && values.get(field) !== from) broken.push({ field, from, to });
          values.set(field, to);
        }
        expect(broken).toEqual([]);
        for (const field of ['client_name', 'client_uri', 'access_token_ttl'])
          expect([field, metadata[field]]).toEqual([field, values.get(field)]);
        expect(await statusOf(app)).toBe(400);
      }
      expect(cluster.faults()).toEqual([]);
      expect(await cluster.deadlocks()).toBe(0);
    },
    RACE_TIMEOUT,
  );
});

/** A new person, by the id of their account. */
const signedUp = async (cluster: Cluster): Promise<{ accountId: string }> => {
  const { agent } = await cluster.signUp();
  return { accountId: (await agent.get('/api/account')).json().id };
};
