import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { askForCode, type DeviceApp, enterCode, poll, registerDevice } from '../support/device.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`device codes at four processes${skipped}`, () => {
  let cluster: Cluster;
  let device: DeviceApp;
  let people: UserAgent[];
  beforeAll(async () => {
    cluster = await fourProcesses();
    device = await registerDevice(cluster);
    people = [(await cluster.signUp()).agent, (await cluster.signUp()).agent];
  });

  /** Enters the code and approves; returns the redirect of the approval. */
  const approve = async (person: UserAgent, userCode: string): Promise<string> => {
    const uid = cluster.interactionOf(await enterCode(person, userCode));
    return (await person.post(`/interaction/${uid}/consent`, {})).json().returnTo;
  };
  const grants = () =>
    cluster.db
      .selectFrom('authorization_grant')
      .select('account_id')
      .where('client_id', '=', device.clientId)
      .execute();

  test(
    'a code polled in parallel gives one set of tokens, and the other polls do not end the link',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const code = await askForCode(device);
        const [person] = people as [UserAgent];
        await person.navigate(await approve(person, code.user_code));
        const answers = await inParallel(() => poll(device, code));
        expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 400: PARALLEL - 1 });
        const refusals = answers.filter(({ status }) => status === 400).map((answer) => answer.json().error);
        expect(tally(refusals)).toEqual({ invalid_grant: PARALLEL - 1 });
        const winner = answers.find(({ status }) => status === 200)?.json();
        const refreshed = await device.post('/oauth/token', {
          grant_type: 'refresh_token',
          refresh_token: winner.refresh_token,
        });
        expect(refreshed.status).toBe(200);
        expect(await grants()).toHaveLength(1);
        await person.delete('/api/authorizations');
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'of two people who answer at once, one connects the device',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const code = await askForCode(device);
        const returns = await Promise.all(people.map((person) => approve(person, code.user_code)));
        const arrivals = await Promise.all(
          people.map((person, index) => person.navigate(returns[index] ?? '')),
        );
        const ends = arrivals.map(({ url }) => url.search);
        expect(ends.toSorted()).toEqual(['?outcome=connected', '?problem=used']);
        expect(await grants()).toHaveLength(1);
        expect((await poll(device, code)).status).toBe(200);
        await people[ends.indexOf('?outcome=connected')]?.delete('/api/authorizations');
        expect(await grants()).toEqual([]);
      }
    },
    RACE_TIMEOUT,
  );

  test('parallel polls are paced across processes', async () => {
    const code = await askForCode(device);
    const errors = (await inParallel(() => poll(device, code))).map((answer) => answer.json().error);
    expect(tally(errors)).toEqual({ authorization_pending: 1, slow_down: PARALLEL - 1 });
  });
});
