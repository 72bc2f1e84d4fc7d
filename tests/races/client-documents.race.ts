import { testDatabaseUrl } from '@candela/server/testing/databases';
import { createRegistrations } from '@candela/server/testing/registrations';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import type { DocumentHost } from '../support/document-host.ts';
import { documentHost, fourProcesses } from './four-processes.ts';
import { inParallel, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`documents asked for at four processes${skipped}`, () => {
  let web: DocumentHost;
  let cluster: Cluster;
  beforeAll(async () => {
    web = await documentHost();
    cluster = await fourProcesses();
  });

  /** Begins an approval in a new browser, and answers where it leads. Each round has a network of its own. */
  const begin = async (id: string, round: number): Promise<string> => {
    const parameters = new URLSearchParams({
      client_id: id,
      response_type: 'code',
      redirect_uri: 'https://app.example/callback',
      scope: 'openid',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const headers = { 'x-forwarded-for': `198.${18 + (round >> 8)}.${round & 255}.1` };
    const answer = await cluster.browser().get(`/oauth/authorize?${parameters}`, { headers });
    return answer.status === 303 ? 'begins' : `${answer.status}`;
  };

  const historyOf = (id: string) =>
    cluster.db
      .selectFrom('client_change')
      .select(['actor_kind', 'action'])
      .where('client_id', '=', id)
      .orderBy('id')
      .execute();

  test(
    'the first requests register one client, by one fetch of each process at most',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const path = `/first/${round}.json`;
        const id = web.publish(path);
        const outcomes = await inParallel(() => begin(id, round));
        expect(new Set(outcomes)).toEqual(new Set(['begins']));
        expect(outcomes).toHaveLength(PARALLEL);
        expect(web.asked.filter((asked) => asked === path).length).toBeLessThanOrEqual(4);
        expect(await historyOf(id)).toEqual([{ actor_kind: 'document', action: 'created' }]);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a document that is due is fetched once, and never takes back what an operator decides meanwhile',
    async () => {
      const { setDisabled } = createRegistrations(cluster.db, { secretKeys: [cluster.env.SECRET_KEY] });
      for (let round = 0; round < ROUNDS; round += 1) {
        const path = `/due/${round}.json`;
        const id = web.publish(path);
        expect(await begin(id, 1_000 + round)).toBe('begins');
        web.publish(path, { client_name: `Lamp oracle ${round}` });
        await cluster.db
          .updateTable('client_document')
          .set({ due_at: new Date(Date.now() - 2 * 3_600_000) })
          .where('client_id', '=', id)
          .execute();
        await inParallel(async (index) => {
          if (index === 20) await setDisabled(id, true);
          else await begin(id, 1_000 + round);
        });
        expect(web.asked.filter((asked) => asked === path).length).toBeLessThanOrEqual(2);
        const row = await cluster.db
          .selectFrom('client')
          .select(['disabled', 'metadata'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        expect(row).toMatchObject({ disabled: true, metadata: { client_name: `Lamp oracle ${round}` } });
      }
    },
    RACE_TIMEOUT,
  );
});
