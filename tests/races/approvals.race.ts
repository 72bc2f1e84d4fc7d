import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, MEETINGS, outcomeOf, RACE_TIMEOUT, skipped, tally } from './rounds.ts';

/** Fewer than an account may have in an hour. */
const APPROVALS = 20;
const APP_URI = 'https://app.aurelia.example/oauth';

describe.skipIf(!testDatabaseUrl)(`approvals without a browser at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  /** The token of a person in an app of the brand's own. */
  const signIn = async (agent: UserAgent, { rp }: Awaited<ReturnType<Cluster['registerApp']>>) => {
    const resource = `${cluster.origin}/api`;
    const { url, checks } = await rp.authorizationUrl({ resource });
    const { url: page } = await agent.navigate(url);
    const { url: callback } = await cluster.approve(agent, cluster.interactionOf(page));
    return (await rp.exchange(callback, checks, { resource })).access_token;
  };

  test(
    'OA34: each makes a grant of its own, and none outlives the withdrawal of all at that moment',
    async () => {
      const own = await cluster.registerApp(
        {
          first_party: true,
          preset: 'native',
          token_endpoint_auth_method: 'none',
          redirect_uris: [APP_URI],
          scope: 'openid approvals',
        },
        { redirectUri: APP_URI, scope: 'openid approvals' },
      );
      const { clientId, redirectUri } = await cluster.registerApp({
        native_approval: true,
        require_pkce: false,
      });
      const countGrants = async () =>
        (
          await cluster.db
            .selectFrom('authorization_grant')
            .select('id')
            .where('client_id', '=', clientId)
            .execute()
        ).length;
      for (let round = 0; round < MEETINGS; round += 1) {
        const { agent } = await cluster.signUp();
        const authorization = `Bearer ${await signIn(agent, own)}`;
        const approve = async () =>
          outcomeOf(
            await cluster.browser().request('POST', '/api/approvals', {
              json: { client_id: clientId, redirect_uri: redirectUri },
              headers: { authorization },
            }),
          );
        expect(tally(await inParallel(approve, 3))).toEqual({ 200: 3 });
        expect(await countGrants()).toBe(3);
        const answers = await inParallel(
          async (index) =>
            index === (round * 7) % APPROVALS
              ? outcomeOf(await agent.delete('/api/authorizations'))
              : approve(),
          APPROVALS,
        );
        const { 204: withdrawn, ...others } = tally(answers);
        expect(withdrawn).toBe(1);
        expect(Object.keys(others).filter((each) => !['200', 'not_signed_in'].includes(each))).toEqual([]);
        expect(await countGrants()).toBe(0);
      }
    },
    RACE_TIMEOUT,
  );
});
