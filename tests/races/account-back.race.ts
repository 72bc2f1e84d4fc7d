import { createWaitingChangeService } from '@candela/server/settings/waiting-change';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import { bind, nextPhone, passTheWait, undoTokenTo } from '../api/settings.ts';
import type { Cluster } from '../support/cluster.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, MEETINGS, outcomeOf, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

describe.skipIf(!testDatabaseUrl)(`recovering accounts at four processes${skipped}`, () => {
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
  const changesOf = (value: string) =>
    cluster.db.selectFrom('identifier_change').select('id').where('value', '=', value).execute();
  /** A fifth process, besides the four of the cluster. */
  const carryOut = () =>
    createWaitingChangeService({
      db: cluster.db,
      messages: { add: async () => ({ start: async () => undefined }) },
      events: { emit: () => undefined },
      brands: [],
      now: () => new Date(),
    }).carryOut();
  const signInByCode = async (identifier: string): Promise<UserAgent> => {
    const agent = cluster.browser();
    const { url } = await agent.navigate('/login');
    const uid = cluster.interactionOf(url);
    const code = await cluster.receiveCode(agent, identifier, 'login');
    const answer = await agent.post(`/interaction/${uid}/login`, { identifier, code });
    await agent.navigate(answer.json().returnTo);
    return agent;
  };
  const signUp = async () => {
    const { agent, identifier: email } = await cluster.signUp();
    const phone = nextPhone();
    await bind(cluster, agent, 'phone', phone);
    return { agent, email, phone };
  };
  /** A reader of the younger phone’s messages is about to remove the e-mail. */
  const letWait = async () => {
    const person = await signUp();
    const intruder = await signInByCode(person.phone);
    expect((await intruder.delete('/api/account/email?wait=true')).status).toBe(202);
    return { ...person, intruder, token: await undoTokenTo(cluster, person.email) };
  };
  const undo = (token: string) => cluster.browser().post('/api/undo', { token });

  test(
    'of parallel uses of a link one undoes',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { email, phone } = await signUp();
        const { agent: intruder } = await cluster.signIn(email);
        expect((await intruder.delete('/api/account/email')).status).toBe(204);
        const token = await undoTokenTo(cluster, email);
        const answers = await inParallel(() => undo(token), 20);
        expect(tally(answers.map(outcomeOf))).toEqual({ 200: 1, not_found: 19 });
        expect(await ownersOf(email)).toHaveLength(1);
        const told = (await cluster.messages()).filter(
          ({ to, purpose }) => to === phone && purpose === 'email_kept',
        );
        expect(told).toHaveLength(1);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a change is either undone or carried out',
    async () => {
      for (let round = 0; round < MEETINGS; round += 1) {
        const { email, token } = await letWait();
        const work = await inParallel<string | number>(async (index) => {
          // The end of the wait falls between the requests.
          if (index === 6) await passTheWait(cluster);
          if (index % 3 === 0) return outcomeOf(await undo(token));
          return `carried ${await carryOut()}`;
        }, 18);
        const { 200: undone = 0, 'carried 1': carried = 0, ...others } = tally(work);
        expect(Object.keys(others).filter((name) => !['not_found', 'carried 0'].includes(name))).toEqual([]);
        // The servers carry out what is due once a minute, too: then nobody here has, and one of them may be about to.
        expect(undone + carried).toBeLessThanOrEqual(1);
        await expect.poll(() => changesOf(email)).toEqual([]);
        expect(await ownersOf(email)).toHaveLength(undone);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'a recovery beside a due change leaves the account with the identifier that recovered it, or changes nothing',
    async () => {
      for (let round = 0; round < MEETINGS; round += 1) {
        const { email, phone } = await letWait();
        const agent = cluster.browser();
        const code = await cluster.receiveCode(agent, email, 'recover');
        const { ticket } = (await agent.post('/api/recovery/verify', { identifier: email, code })).json();
        await passTheWait(cluster);
        const json = { ticket, password: `starlight${round}z`, dropIdentifiers: ['phone'] };
        const [recovered, ...carried] = await Promise.all([
          agent.post('/api/recovery/password', json),
          carryOut(),
          carryOut(),
        ]);
        // The change won, carried out here or by a server, which does it once a minute.
        const won = outcomeOf(recovered) === 'ticket_invalid';
        if (!won) expect([outcomeOf(recovered), ...carried]).toEqual([204, 0, 0]);
        await expect.poll(() => changesOf(email)).toEqual([]);
        expect([await ownersOf(email), await ownersOf(phone)].map(({ length }) => length)).toEqual(
          won ? [0, 1] : [1, 0],
        );
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'an undo beside changes of the intruder ends with the owner’s identifier bound',
    async () => {
      for (let round = 0; round < MEETINGS; round += 1) {
        const { email } = await signUp();
        const { agent: intruder } = await cluster.signIn(email);
        await bind(cluster, intruder, 'email', `first-${email}`);
        const token = await undoTokenTo(cluster, email);
        const second = `second-${email}`;
        const code = await cluster.receiveCode(intruder, second, 'bind');
        const [undone, ...theirs] = await Promise.all([
          undo(token),
          intruder.request('PUT', '/api/account/email', { json: { email: second, code } }),
          intruder.delete('/api/account/phone'),
        ]);
        expect(outcomeOf(undone)).toBe(200);
        for (const answer of theirs)
          expect([200, 204, 'not_signed_in', 'code_incorrect', 'code_expired']).toContain(outcomeOf(answer));
        expect(await ownersOf(email)).toHaveLength(1);
        for (const value of [`first-${email}`, second]) expect(await ownersOf(value)).toEqual([]);
        expect((await intruder.get('/api/account')).status).toBe(401);
      }
    },
    RACE_TIMEOUT,
  );
});
