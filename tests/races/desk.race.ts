import type { StaffRole } from '@candela/contract';
import { createRecordReviewService } from '@candela/server/record';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import { idOf, proveTotp } from '../desk/staff.ts';
import type { Cluster } from '../support/cluster.ts';
import { turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, MEETINGS, outcomeOf, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

const reason = 'The caller asked for it';

describe.skipIf(!testDatabaseUrl)(`the desk at four processes${skipped}`, () => {
  let cluster: Cluster;
  let agents: { agent: UserAgent; id: string }[];
  const verify = () => createRecordReviewService(cluster).verify();

  const hire = async (role: StaffRole) => {
    const { agent } = await cluster.signUp();
    const { secret } = await turnOnTotp(agent);
    const id = await idOf(agent);
    await cluster.db.insertInto('staff').values({ account_id: id, role }).execute();
    await proveTotp(agent, secret, new Date());
    expect(outcomeOf(await agent.post('/api/desk/session'))).toBe(200);
    return { agent, id };
  };
  const agentAt = (index: number) => {
    const found = agents[index % agents.length];
    if (!found) throw new Error('nobody is at the desk');
    return found.agent;
  };
  /** Somebody with a second factor, whose caller has proven who they are to all of these. */
  const customer = async () => {
    const { agent, identifier } = await cluster.signUp();
    await turnOnTotp(agent);
    const id = await idOf(agent);
    for (const { agent: asking } of agents) {
      const path = `/api/desk/accounts/${id}/caller`;
      expect(outcomeOf(await asking.post(path, { way: 'code', contact: 'email' }))).toBe(200);
      const { code } = await cluster.lastMessageTo(identifier, ({ purpose }) => purpose === 'caller_check');
      expect((await asking.post(`${path}/answer`, { answer: code })).json()).toMatchObject({
        state: 'right',
      });
    }
    return { id, identifier };
  };

  beforeAll(async () => {
    cluster = await fourProcesses();
    agents = [await hire('operator'), await hire('operator')];
  });

  test(
    `${PARALLEL} looks and acts at once stand in one order, and the chain is whole`,
    async () => {
      const { id } = await customer();
      const before = await verify();
      const answers = await inParallel((index) =>
        index % 2
          ? agentAt(index).post(`/api/desk/accounts/${id}/note`, { reason: `${index}` })
          : agentAt(index).get(`/api/desk/search?q=nobody${index}`),
      );
      expect(tally(answers.map(outcomeOf))).toEqual({ 200: PARALLEL });
      const after = await verify();
      expect(after).toMatchObject({ entries: before.entries + PARALLEL });
      expect(after).not.toHaveProperty('brokenAt');
    },
    RACE_TIMEOUT,
  );

  test(
    'DK6: of two agents who remove one factor, one does',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id } = await customer();
        const remove = (index: number) =>
          agentAt(index).post(`/api/desk/accounts/${id}/remove-factor`, { reason, contact: 'email' });
        const answers = await inParallel(remove, 8);
        expect(tally(answers.map(outcomeOf))).toEqual({ 200: 1, nothing_to_do: 7 });
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'one answer to what a second operator is asked counts, and none of the asker',
    async () => {
      const { id } = await customer();
      const asking = { reason, contact: 'email', atOnce: true };
      const asked = await inParallel(
        (index) => agentAt(index).post(`/api/desk/accounts/${id}/remove-factor`, asking),
        8,
      );
      expect(tally(asked.map(outcomeOf))).toEqual({ 200: 1, approval_asked: 7 });
      const approval = asked.find(({ status }) => status === 200)?.json().approval;
      const answers = await inParallel(
        (index) => agentAt(index).post(`/api/desk/approvals/${approval}`, { approve: true, reason }),
        8,
      );
      const counts = tally(answers.map(outcomeOf));
      expect(counts[200]).toBe(1);
      expect((counts.own_approval ?? 0) + (counts.not_found ?? 0) + (counts.nothing_to_do ?? 0)).toBe(7);
      expect(
        await cluster.db.selectFrom('totp').select('account_id').where('account_id', '=', id).execute(),
      ).toEqual([]);
    },
    RACE_TIMEOUT,
  );

  test(
    'once a role is taken away nothing is done by it, whatever was under way',
    async () => {
      const { id } = await customer();
      for (let round = 0; round < MEETINGS; round += 1) {
        const gone = await hire('support');
        const note = () => gone.agent.post(`/api/desk/accounts/${id}/note`, { reason: gone.id });
        const acting = inParallel(note, 16);
        await cluster.db.deleteFrom('staff').where('account_id', '=', gone.id).execute();
        const done = async () =>
          (
            await cluster.db
              .selectFrom('staff_record')
              .select('entry')
              .where('actor_account', '=', gone.id)
              .where('outcome', '=', 'done')
              .execute()
          ).length;
        const atOnce = await done();
        const answers = await acting;
        expect(await done()).toBe(atOnce);
        const counts = tally(answers.map(outcomeOf));
        const refused = (counts.not_found ?? 0) + (counts.desk_closed ?? 0);
        expect((counts[200] ?? 0) + refused).toBe(16);
      }
    },
    RACE_TIMEOUT,
  );
});
