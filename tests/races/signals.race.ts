import { testDatabaseUrl } from '@candela/server/testing/databases';
import { insertStream, listSignals } from '@candela/server/testing/signal-streams';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createTokenRequests } from '../support/cluster.ts';
import { hashOf } from '../support/token.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, linkHomes, MEETINGS, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`signals at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  /** A person, and an app with a stream of its own name. */
  const settle = async () => {
    const { agent, identifier } = await cluster.signUp();
    const app = await cluster.registerApp();
    await insertStream(cluster.db, { id: app.clientId, brand: 'aurelia', client_id: app.clientId });
    const { clientId } = app;
    const told = async () => tally((await listSignals(cluster.db, clientId)).map(({ event }) => event));
    const ended = async () => {
      const rows = cluster.db.selectFrom('ended_link').select('reason').where('client_id', '=', clientId);
      return tally((await rows.execute()).map(({ reason }) => reason));
    };
    return { agent, identifier, app, tokens: createTokenRequests(cluster, app), told, ended };
  };

  test(
    'of withdrawals at once, each link tells of its end once, and none is forgotten',
    async () => {
      const { agent, app, told, ended } = await settle();
      for (let round = 1; round <= ROUNDS; round += 1) {
        await linkHomes(cluster, { agent, app }, 3);
        const [newest] = (await agent.get('/api/authorizations')).json().items;
        const statuses = await inParallel(async (index) => {
          const path = index % 2 === 0 ? '' : `/${newest.id}`;
          return (await agent.delete(`/api/authorizations${path}`)).status;
        }, 16);
        expect(statuses).toContain(204);
        expect(await told()).toEqual({ 'link-created': 3 * round, 'link-ended': 3 * round });
        expect(await ended()).toEqual({ withdrawn: 3 * round });
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'of thefts at once, while the person withdraws, one ends the link and tells',
    async () => {
      const { agent, app, tokens, told, ended } = await settle();
      for (let round = 1; round <= MEETINGS; round += 1) {
        const [first = ''] = await linkHomes(cluster, { agent, app }, 1);
        const second = (await tokens.refresh(first)).json().refresh_token;
        expect((await tokens.refresh(second)).status).toBe(200);
        await sql`update refresh_token set first_used_at = first_used_at - interval '61 seconds'
          where id_hash = ${hashOf(second)}`.execute(cluster.db);
        const statuses = await inParallel(async (index) => {
          if (index % 8 === 7) return (await agent.delete('/api/authorizations')).status;
          return (await tokens.refresh(first)).status;
        }, 16);
        expect(statuses.every((status) => [204, 400].includes(status))).toBe(true);
        expect(await told()).toEqual({ 'link-created': round, 'link-ended': round });
        expect(Object.values(await ended()).reduce((sum, count) => sum + count, 0)).toBe(round);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a code presented many times at once makes one link, and tells of one',
    async () => {
      const { agent, app, tokens, told } = await settle();
      for (let round = 1; round <= ROUNDS; round += 1) {
        const { url, checks } = await app.rp.authorizationUrl();
        let { url: page } = await agent.navigate(url);
        if (page.pathname === '/consent')
          ({ url: page } = await cluster.approve(agent, cluster.interactionOf(page)));
        const code = page.searchParams.get('code') ?? '';
        const answers = await inParallel(() => tokens.redeem(code, checks.pkceCodeVerifier), 16);
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 400: 15 });
        expect(await told()).toEqual({ 'link-created': round });
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a session that is ended by many at once tells of its end once, by whichever way',
    async () => {
      const { agent, identifier, app, told } = await settle();
      for (let round = 1; round <= ROUNDS; round += 1) {
        await cluster.link(agent, app.rp);
        const other = (await cluster.signIn(identifier)).agent;
        await cluster.link(other, app.rp);
        await inParallel(
          (index) =>
            index % 2 === 0 ? agent.delete('/api/sessions?except=current') : other.post('/api/sign-out'),
          8,
        );
        expect((await told())['session-revoked']).toBe(round);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a stream that is deleted while it is told stops nobody',
    async () => {
      const { agent, app, tokens } = await settle();
      for (let round = 0; round < MEETINGS; round += 1) {
        const { url, checks } = await app.rp.authorizationUrl();
        let { url: page } = await agent.navigate(url);
        if (page.pathname === '/consent')
          ({ url: page } = await cluster.approve(agent, cluster.interactionOf(page)));
        const code = page.searchParams.get('code') ?? '';
        const stream = { id: app.clientId, brand: 'aurelia', client_id: app.clientId };
        const remove = () => cluster.db.deleteFrom('signal_stream').where('id', '=', app.clientId).execute();
        const [answer] = await Promise.all([tokens.redeem(code, checks.pkceCodeVerifier), remove()]);
        expect(answer.status, answer.body).toBe(200);
        await insertStream(cluster.db, stream);
      }
    },
    RACE_TIMEOUT,
  );
});
