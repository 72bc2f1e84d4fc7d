import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, linkHomes, MEETINGS, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`endings at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  const remaining = async (clientId: string) => {
    const of = async (
      table: 'authorization_grant' | 'authorization_code' | 'access_token' | 'refresh_token',
    ) =>
      (await cluster.db.selectFrom(table).select('brand').where('client_id', '=', clientId).execute()).length;
    return {
      grants: await of('authorization_grant'),
      codes: await of('authorization_code'),
      accessTokens: await of('access_token'),
      refreshTokens: await of('refresh_token'),
    };
  };
  const nothing = { grants: 0, codes: 0, accessTokens: 0, refreshTokens: 0 };

  const beginConsent = async (agent: UserAgent, app: Awaited<ReturnType<Cluster['registerApp']>>) => {
    const { url, checks } = await app.rp.authorizationUrl({ prompt: 'consent' });
    const { url: page } = await agent.navigate(url);
    expect(page.pathname).toBe('/consent');
    return { uid: cluster.interactionOf(page), checks };
  };

  test(
    'tokens issued while their approvals are withdrawn do not survive',
    async () => {
      const { agent } = await cluster.signUp();
      const app = await cluster.registerApp();
      const tokens = createTokenRequests(cluster, app);
      for (let round = 0; round < MEETINGS; round += 1) {
        const links = await linkHomes(cluster, { agent, app }, 3);
        const { url, checks } = await app.rp.authorizationUrl();
        const code = (await agent.navigate(url)).url.searchParams.get('code') ?? '';
        const [newest] = (await agent.get('/api/authorizations')).json().items;
        const answers = await inParallel(async (index) => {
          // The withdrawal has another place among the requests each time.
          if (index === (round * 7) % PARALLEL) return agent.delete('/api/authorizations');
          if (index === (round * 7 + 25) % PARALLEL) return agent.delete(`/api/authorizations/${newest.id}`);
          if (index % 10 === 9) return tokens.redeem(code, checks.pkceCodeVerifier);
          return tokens.refresh(links[index % links.length] ?? '');
        });
        const statuses = tally(answers.map(({ status }) => status));
        expect(
          Object.keys(statuses).filter((status) => !['200', '204', '400', '404'].includes(status)),
        ).toEqual([]);
        expect(statuses[204]).toBeGreaterThanOrEqual(1);
        expect(await remaining(app.clientId)).toEqual(nothing);
        const issued = answers.filter(({ status }) => status === 200).map((answer) => answer.json());
        const active = await Promise.all(issued.map(({ access_token }) => tokens.isActive(access_token)));
        expect(active).not.toContain(true);
        const successors = [...new Set(issued.map(({ refresh_token }) => refresh_token))];
        const refused = await Promise.all(successors.map((token) => tokens.refresh(token)));
        for (const answer of refused) expect(answer.json().error).toBe('invalid_grant');
      }
    },
    RACE_TIMEOUT,
  );

  test.each(['the portal', 'an app'])(
    'a silent sign-on while the session is ended by %s leaves no approval behind but links',
    async (by) => {
      const { identifier } = await cluster.signUp();
      const app = await cluster.registerApp({ grant_types: ['authorization_code'] });
      const tokens = createTokenRequests(cluster, app);
      const hub = await cluster.registerApp();
      for (let round = 0; round < MEETINGS; round += 1) {
        const { agent } = await cluster.signIn(identifier);
        const [link = ''] = await linkHomes(cluster, { agent, app: hub }, 1);
        // The first approval is remembered, so that later sign-ons are silent.
        await cluster.link(agent, app.rp);
        const requests = await inParallel(() => app.rp.authorizationUrl());
        const cookie = await agent.jar.getCookieString(cluster.origin);
        const crowd = cluster.browser();
        const end = await prepareEnd(by, agent);
        const codes = await inParallel(async (index) => {
          if (index === (round * 7) % PARALLEL) return end();
          const request = requests[index];
          const answer = await crowd.get(String(request?.url), { headers: { cookie } });
          expect([303, 410], answer.body.slice(0, 300)).toContain(answer.status);
          const location = URL.parse(String(answer.headers.location), cluster.origin);
          const code = location?.searchParams.get('code');
          return code ? { code, verifier: request?.checks.pkceCodeVerifier ?? '' } : undefined;
        });
        expect(await remaining(app.clientId)).toEqual(nothing);
        for (const issued of codes.filter((code) => code !== undefined).slice(0, 3)) {
          expect((await tokens.redeem(issued.code, issued.verifier)).json().error).toBe('invalid_grant');
        }
        expect((await agent.get('/api/account')).status).toBe(401);
        expect((await createTokenRequests(cluster, hub).refresh(link)).status).toBe(200);
      }
    },
    RACE_TIMEOUT,
  );

  /** Ends the session of the agent; the requests that prepare it are sent before. */
  const prepareEnd = async (by: string, agent: UserAgent) => {
    if (by === 'the portal') {
      return async () => {
        expect((await agent.post('/api/sign-out')).status).toBe(204);
        return undefined;
      };
    }
    const page = await agent.get('/oauth/logout');
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page.body) ?? [];
    expect(xsrf).not.toBe('');
    return async () => {
      const answer = await agent.request('POST', '/oauth/logout/confirm', { form: { xsrf, logout: 'yes' } });
      expect(answer.status, answer.body.slice(0, 300)).toBe(303);
      return undefined;
    };
  };

  test(
    'of parallel answers to an interaction one is accepted',
    async () => {
      const { agent } = await cluster.signUp();
      const app = await cluster.registerApp();
      const tokens = createTokenRequests(cluster, app);
      for (let round = 0; round < ROUNDS; round += 1) {
        const { uid, checks } = await beginConsent(agent, app);
        const before = await remaining(app.clientId);
        const answers = await inParallel((index) =>
          agent.post(`/interaction/${uid}/${index % 5 === 4 ? 'abort' : 'consent'}`, {}),
        );
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 410: PARALLEL - 1 });
        const winner = answers.findIndex(({ status }) => status === 200);
        const { returnTo } = answers[winner]?.json() ?? {};
        const { url } = await agent.navigate(returnTo);
        const after = await remaining(app.clientId);
        if (winner % 5 === 4) {
          expect(url.searchParams.get('error')).toBe('access_denied');
          expect(after.grants).toBe(before.grants);
        } else {
          expect(after.grants).toBe(before.grants + 1);
          const code = url.searchParams.get('code') ?? '';
          expect((await tokens.redeem(code, checks.pkceCodeVerifier)).status).toBe(200);
        }
      }
    },
    RACE_TIMEOUT,
  );
});
