import { randomBytes } from 'node:crypto';
import type { PasskeyRequestOptions } from '@candela/contract';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../support/cluster.ts';
import { askPasskey, givePasskey } from '../support/passkeys.ts';
import { createSoftwareAuthenticator } from '../support/software-authenticator.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, outcomeOf, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`passkeys at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  test(
    'PK6: of two accounts that add one credential at once, one gets it',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const people = [await cluster.signUp(), await cluster.signUp()];
        const credentialId = randomBytes(16);
        const authenticator = createSoftwareAuthenticator(cluster);
        const ready = await inParallel(async (index) => {
          const { agent } = people[index % 2] ?? (await cluster.signUp());
          const options = (await agent.post('/api/passkeys/options')).json();
          return { agent, response: authenticator.create(options, { credentialId }) };
        }, 10);
        const answers = await Promise.all(
          ready.map(({ agent, response }) => agent.post('/api/passkeys', { response })),
        );
        expect(tally(answers.map(outcomeOf))).toEqual({ 201: 1, passkey_exists: 9 });
        const kept = await cluster.db
          .selectFrom('passkey')
          .select('id')
          .where('credential_id', '=', credentialId.toString('base64url'))
          .execute();
        expect(kept).toHaveLength(1);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'PK10: one assertion in many requests at once signs in once',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { agent: own } = await cluster.signUp();
        const { authenticator } = await givePasskey(own, cluster.origin);
        const agent = cluster.browser();
        const uid = cluster.interactionOf((await agent.navigate('/login')).url);
        const path = `/interaction/${uid}/passkey`;
        const options: PasskeyRequestOptions = (await agent.post(`${path}/options`)).json();
        const response = authenticator.get(options);
        const outcomes = tally((await inParallel(() => agent.post(path, { response }))).map(outcomeOf));
        expect(outcomes).toMatchObject({ 200: 1 });
        const {
          200: won,
          passkey_rejected: replayed = 0,
          interaction_expired: late = 0,
          ...others
        } = outcomes;
        expect([won, replayed + late, others]).toEqual([1, PARALLEL - 1, {}]);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'PK14: of many uses at once with one value of the counter, one is taken, and its owner is told once',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { agent, identifier } = await cluster.signUp();
        const { authenticator } = await givePasskey(agent, cluster.origin, { synced: false });
        const uses = await inParallel(async () => {
          const options: PasskeyRequestOptions = (await agent.post('/api/step-up/options')).json();
          return authenticator.get(options, { counter: 5 });
        }, 20);
        const answers = await Promise.all(uses.map((passkey) => agent.post('/api/step-up', { passkey })));
        expect(tally(answers.map(outcomeOf))).toEqual({ 204: 1, passkey_rejected: 19 });
        const told = (await cluster.messages()).filter(
          ({ to, purpose }) => to === identifier && purpose === 'passkey_counter',
        );
        expect(told).toHaveLength(1);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'PK4: of the last two ways in, removed at once, one stays',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { agent } = await cluster.signUp();
        const passkeys = [];
        for (let one = 0; one < 2; one += 1) {
          const { authenticator, passkey } = await givePasskey(agent, cluster.origin);
          passkeys.push(passkey);
          // Each is removed by a proof of itself.
          await agent.post('/api/step-up', {
            passkey: await askPasskey(agent, authenticator, '/api/step-up/options'),
          });
        }
        const { id } = (await agent.get('/api/account')).json();
        await cluster.db.deleteFrom('account_identifier').where('account_id', '=', id).execute();
        const answers = await Promise.all(
          passkeys.map((passkey) => agent.delete(`/api/passkeys/${passkey.id}`)),
        );
        expect(tally(answers.map(outcomeOf))).toEqual({ 204: 1, last_way_in: 1 });
        expect((await agent.get('/api/passkeys')).json().items).toHaveLength(1);
      }
    },
    RACE_TIMEOUT,
  );
});
