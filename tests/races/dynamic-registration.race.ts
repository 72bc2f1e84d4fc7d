import { createRegistrationTokenService } from '@candela/server/registration-token';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, MEETINGS, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`clients that register themselves at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  const issue = (maxUses: number) =>
    createRegistrationTokenService({ db: cluster.db, now: () => new Date() }).create({
      name: 'Race',
      policy: { presets: ['web'], redirectHosts: ['app.example'] },
      maxUses,
      expiresAt: new Date(Date.now() + 3_600_000),
    });

  const nearlySpend = (key: string, hits: number) =>
    cluster.db
      .insertInto('rate_limit')
      .values({ key, hits, expires_at: new Date(Date.now() + 3_600_000) })
      .execute();

  const metadata = { client_name: 'Racing Lamp', redirect_uris: ['https://app.example/callback'] };

  const call = (method: string, path: string, token?: string, json?: unknown) =>
    cluster.browser().request(method, path, {
      ...(json !== undefined && { json }),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        origin: '',
        'sec-fetch-site': '',
      },
    });

  const clearLimits = () => cluster.db.deleteFrom('rate_limit').execute();
  const madeSince = async (ids: readonly string[]) =>
    (await cluster.db.selectFrom('client').select('id').where('source', '=', 'dynamic').execute()).filter(
      ({ id }) => !ids.includes(id),
    ).length;
  const known = async () =>
    (await cluster.db.selectFrom('client').select('id').execute()).map(({ id }) => id);

  test(
    'OA24: of 20 parallel uses of a token that is good for one, or for three, so many register',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await clearLimits();
        for (const uses of [1, 3]) {
          const before = await known();
          const { token, id } = await issue(uses);
          const answers = await inParallel(() => call('POST', '/oauth/register', token, metadata), 20);
          expect(tally(answers.map(({ status }) => status))).toEqual({ 201: uses, 401: 20 - uses });
          expect(await madeSince(before)).toBe(uses);
          const { uses: counted } = await cluster.db
            .selectFrom('registration_token')
            .select('uses')
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          expect(counted).toBe(uses);
        }
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'of 20 parallel registrations without a token as many are made as the hour has left, beside wrong ones',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await clearLimits();
        await nearlySpend('registration-open-hour', 997);
        const before = await known();
        const answers = await inParallel(
          (index) => call('POST', '/oauth/register', undefined, index % 4 ? metadata : {}),
          20,
        );
        expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 3, 400: 5, 429: 12 });
        expect(await madeSince(before)).toBe(3);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a client that is replaced, read and deleted at once is whole or gone',
    async () => {
      for (let round = 0; round < MEETINGS; round += 1) {
        await clearLimits();
        const { token } = await issue(1);
        const made = (await call('POST', '/oauth/register', token, metadata)).json();
        const { client_id, registration_access_token: access } = made;
        const path = `/oauth/register/${client_id}`;
        const answers = await inParallel(async (index) => {
          if (index === 11) return call('DELETE', path, access);
          if (index % 2) return call('GET', path, access);
          return call('PUT', path, access, { ...metadata, client_id, client_name: `Lamp ${index}` });
        }, 20);
        const statuses = Object.keys(tally(answers.map(({ status }) => status)));
        expect(statuses.filter((status) => !['200', '204', '401', '403'].includes(status))).toEqual([]);
        expect(answers[11]?.status).toBe(204);
        expect((await call('GET', path, access)).status).toBe(401);
        for (const table of ['client_secret', 'dynamic_client'] as const) {
          const left = cluster.db.selectFrom(table).select('client_id').where('client_id', '=', client_id);
          expect([table, await left.execute()]).toEqual([table, []]);
        }
      }
    },
    RACE_TIMEOUT,
  );
});
