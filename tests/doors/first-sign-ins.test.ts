import { testDatabaseUrl } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { createOpenidProvider, type OpenidProvider, type PlayedPerson } from '../support/openid-provider.ts';
import { agreementsOf, locationOf, writeProviders } from './door-world.ts';

const PARALLEL = 50;

describe.skipIf(!testDatabaseUrl)('many first sign-ins at once, in several processes', () => {
  let played: OpenidProvider;
  let cluster: Cluster;

  beforeAll(async () => {
    played = await createOpenidProvider();
    cluster = await startCluster({
      databaseUrl: testDatabaseUrl ?? '',
      processes: 2,
      env: {
        PROVIDERS_FILE: await writeProviders([played.entry({ email_domains: ['ours.example'] })]),
        PROVIDER_HOSTS: played.host,
      },
    });
  });
  afterAll(async () => {
    await cluster.close();
    await played.close();
  });

  /** A browser in which a person came from the provider, and is to agree. */
  const arrive = async (person: PlayedPerson) => {
    const agent = cluster.browser();
    const { url } = await agent.navigate('/login');
    const uid = cluster.interactionOf(url);
    const there = await agent.get(`/interaction/${uid}/provider/played`);
    await agent.navigate(played.signIn(locationOf(there, cluster.origin), person));
    return { agent, uid, agreements: await agreementsOf(cluster, agent, uid) };
  };

  const signUpAtOnce = async (person: PlayedPerson) => {
    const ready = [];
    for (let one = 0; one < PARALLEL; one += 1) ready.push(await arrive(person));
    const answers = await Promise.all(
      ready.map(({ agent, uid, agreements }) => agent.post(`/interaction/${uid}/provider`, { agreements })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const ids = await Promise.all(
      ready.map(async ({ agent }, index) => {
        await agent.navigate(answers[index]?.json().returnTo);
        return (await agent.get('/api/account')).json().id;
      }),
    );
    return new Set(ids);
  };

  test.each([
    ['whose address the provider proved', { sub: 'one', email: 'one@ours.example', email_verified: true }],
    ['without an address', { sub: 'two' }],
  ])('IP8: 50 first sign-ins of one subject %s make one account', async (_what, person) => {
    const ids = await signUpAtOnce(person);
    expect(ids.size).toBe(1);
    const rows = await cluster.db
      .selectFrom('federated_identity')
      .select('account_id')
      .where('subject', '=', person.sub)
      .execute();
    expect(rows.map(({ account_id }) => account_id)).toEqual([...ids]);
    const accounts = await cluster.db
      .selectFrom('account')
      .select(({ fn }) => fn.countAll().as('total'))
      .executeTakeFirstOrThrow();
    expect(Number(accounts.total)).toBeLessThanOrEqual(2);
    expect(cluster.faults()).toEqual([]);
  });
});
