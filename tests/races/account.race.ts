import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import { bind, nextPhone, patchAccount, putIdentifier, putPassword, readAccount } from '../api/settings.ts';
import type { Cluster } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, MEETINGS, outcomeOf, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`account settings at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  const ownersOf = async (value: string) =>
    (
      await cluster.db
        .selectFrom('account_identifier')
        .select('account_id')
        .where('value', '=', value)
        .execute()
    ).map(({ account_id }) => account_id);
  /** A full run takes longer than a sign-in counts as a step-up. */
  const stepUp = async (agent: UserAgent, password = PASSWORD) => {
    expect((await agent.post('/api/step-up', { password })).status).toBe(204);
  };

  test(
    'R3: of two accounts that bind one e-mail address at once, one gets it',
    async () => {
      const people = [await cluster.signUp(nextPhone()), await cluster.signUp(nextPhone())];
      for (let round = 0; round < ROUNDS; round += 1) {
        const address = `shared-${round}@example.com`;
        const ready: { agent: UserAgent; code: string }[] = [];
        for (const { agent } of people) {
          await stepUp(agent);
          ready.push({ agent, code: await cluster.receiveCode(agent, address, 'bind') });
        }
        const answers = await Promise.all(
          Array.from({ length: 5 }).flatMap(() =>
            ready.map(({ agent, code }) => putIdentifier(agent, 'email', address, code)),
          ),
        );
        const outcomes = tally(answers.map(outcomeOf));
        expect(outcomes).toMatchObject({ 200: 1 });
        expect(
          Object.keys(outcomes).filter((code) => !['200', 'identifier_taken', 'code_expired'].includes(code)),
        ).toEqual([]);
        const [owner, ...others] = await ownersOf(address);
        expect(others).toEqual([]);
        const accounts = await Promise.all(people.map(({ agent }) => readAccount(agent)));
        expect(accounts.filter(({ email }) => email === address).map(({ id }) => id)).toEqual([owner]);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'R3: two accounts that exchange their addresses at once lose no address and share none',
    async () => {
      const [one, two] = [await cluster.signUp(nextPhone()), await cluster.signUp(nextPhone())];
      for (let round = 0; round < MEETINGS; round += 1) {
        const [first, second] = [`first-${round}@example.com`, `second-${round}@example.com`];
        for (const { agent } of [one, two]) await stepUp(agent);
        await bind(cluster, one.agent, 'email', first);
        await bind(cluster, two.agent, 'email', second);
        const codes = [
          await cluster.receiveCode(one.agent, second, 'bind'),
          await cluster.receiveCode(two.agent, first, 'bind'),
        ];
        const answers = await Promise.all([
          putIdentifier(one.agent, 'email', second, codes[0] ?? ''),
          putIdentifier(two.agent, 'email', first, codes[1] ?? ''),
        ]);
        for (const answer of answers)
          expect([200, 'identifier_taken', 'code_incorrect']).toContain(outcomeOf(answer));
        for (const { agent } of [one, two]) expect((await readAccount(agent)).email).toBeTypeOf('string');
        for (const value of [first, second]) expect((await ownersOf(value)).length).toBeLessThanOrEqual(1);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'R4: of the last two identifiers, unbound at once, one stays',
    async () => {
      const { agent } = await cluster.signUp(nextPhone());
      for (let round = 0; round < ROUNDS; round += 1) {
        await stepUp(agent);
        const account = await readAccount(agent);
        if (account.phone) await bind(cluster, agent, 'email', `last-${round}@example.com`);
        else await bind(cluster, agent, 'phone', nextPhone());
        const answers = await inParallel(
          (index) => agent.delete(`/api/account/${index % 2 === round % 2 ? 'phone' : 'email'}`),
          10,
        );
        const outcomes = tally(answers.map(outcomeOf));
        expect(Object.keys(outcomes).filter((code) => !['204', 'last_identifier'].includes(code))).toEqual(
          [],
        );
        expect(outcomes.last_identifier).toBe(5);
        const { phone, email } = await readAccount(agent);
        expect([phone, email].filter(Boolean)).toHaveLength(1);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a new password beside other changes leaves the other browser without access',
    async () => {
      for (let round = 0; round < MEETINGS; round += 1) {
        const { agent, identifier } = await cluster.signUp(nextPhone());
        const { agent: thief } = await cluster.signIn(identifier);
        const [stolen, own] = [`stolen-${round}@example.com`, `own-${round}@example.com`];
        const codes = {
          stolen: await cluster.receiveCode(thief, stolen, 'bind'),
          own: await cluster.receiveCode(agent, own, 'bind'),
          stepUp: await cluster.receiveCode(thief, identifier, 'step-up'),
          recovery: await cluster.receiveCode(thief, identifier, 'recover'),
        };
        const recovery = { identifier, code: codes.recovery };
        const { ticket } = (await thief.post('/api/recovery/verify', recovery)).json();
        const requests = [
          () => putPassword(agent, 'starlight88'),
          () => putIdentifier(agent, 'email', own, codes.own),
          () => patchAccount(agent, { nickname: 'Ada' }),
          () => agent.delete('/api/sessions?except=current'),
          () => putIdentifier(thief, 'email', stolen, codes.stolen),
          () => thief.post('/api/step-up', { identifier, code: codes.stepUp }),
          () => thief.post('/api/recovery/password', { ticket, password: 'starlight99' }),
          () => thief.delete('/api/account/phone'),
          () => putPassword(thief, 'starlight77'),
        ];
        const answers = await Promise.all(
          requests.map(
            (_, index) => requests.at((index + round) % requests.length)?.() ?? agent.get('/api/account'),
          ),
        );
        const refused = ['not_signed_in', 'code_incorrect', 'last_identifier', 'ticket_invalid'];
        // A sign-in with the earlier password proves nothing about a phone older than the new password.
        const known = ['200', '204', 'step_up_required', ...refused];
        const outcomes = tally(answers.map(outcomeOf));
        expect(Object.keys(outcomes).filter((outcome) => !known.includes(outcome))).toEqual([]);
        // Each of the three changes ends the sessions of the other two, and voids their proofs.
        const browsers = await Promise.all([agent, thief].map((one) => one.get('/api/account')));
        expect(browsers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      }
    },
    RACE_TIMEOUT,
  );
});
