import { randomBytes } from 'node:crypto';
import { testDatabaseUrl } from '@candela/server/testing/databases';
import { beforeAll, describe, expect, test } from 'vitest';
import { otherCode, putPassword } from '../api/settings.ts';
import type { Cluster } from '../support/cluster.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { PASSWORD } from '../support/world.ts';
import { fourProcesses } from './four-processes.ts';
import { inParallel, MEETINGS, outcomeOf, PARALLEL, RACE_TIMEOUT, ROUNDS, skipped, tally } from './rounds.ts';

/** Each of them signs in three times. */
const BROWSERS = process.env.FULL ? PARALLEL : 16;

describe.skipIf(!testDatabaseUrl)(`second factors at four processes${skipped}`, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await fourProcesses();
  });

  /** A right password in a sign-in that waits for the factor. */
  const factorDue = async (identifier: string, agent: UserAgent) => {
    const { url } = await agent.navigate('/sign-in?prompt=login');
    const uid = cluster.interactionOf(url);
    const given = await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    expect(outcomeOf(given)).toBe('second_factor_required');
    return (body: object) => agent.post(`/interaction/${uid}/second-factor`, body);
  };
  const withFactor = async () => {
    const person = await cluster.signUp();
    return { ...person, ...(await turnOnTotp(person.agent)) };
  };
  const sessionsOf = (accountId: string) =>
    cluster.db.selectFrom('session').select('uid').where('account_id', '=', accountId).execute();
  const idOf = async (agent: UserAgent): Promise<string> => (await agent.get('/api/account')).json().id;

  test(
    `SF3, SF4: of ${BROWSERS} browsers that send one code at once, one is signed in`,
    async () => {
      const { agent, identifier } = await cluster.signUp();
      // Browsers that the account knows have tries of their own, so that all of them get to compare the code.
      const browsers = await Promise.all(
        Array.from({ length: BROWSERS }, async () => (await cluster.signIn(identifier)).agent),
      );
      // The factor makes them forget the account: here they got to know it again.
      const known = await cluster.db.selectFrom('device_account').selectAll().execute();
      const { secret, recoveryCodes } = await turnOnTotp(agent);
      await cluster.db
        .insertInto('device_account')
        .values(known)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const sent = [
        { body: { totp: totpCode(secret, new Date(), 1) }, refused: 'totp_incorrect' },
        { body: { recoveryCode: recoveryCodes[0] }, refused: 'recovery_code_incorrect' },
      ];
      for (const { body, refused } of sent) {
        const due: Awaited<ReturnType<typeof factorDue>>[] = [];
        for (const browser of browsers) due.push(await factorDue(identifier, browser));
        const answers = await inParallel(
          async (index) => due[index]?.(body) ?? Promise.reject(new Error('none')),
          BROWSERS,
        );
        expect(tally(answers.map(outcomeOf))).toEqual({ 200: 1, [refused]: BROWSERS - 1 });
      }
      expect((await agent.get('/api/ways')).json().totp.recoveryCodesLeft).toBe(9);
    },
    RACE_TIMEOUT,
  );

  test(
    `SF5: of ${PARALLEL} wrong codes at once five are compared, and a right one beside them waits`,
    async () => {
      const { identifier, secret } = await withFactor();
      const pass = await factorDue(identifier, cluster.browser());
      const wrong = otherCode(totpCode(secret, new Date()));
      const answers = await inParallel(() => pass({ totp: wrong }));
      expect(tally(answers.map(outcomeOf))).toEqual({ totp_incorrect: 5, rate_limited: PARALLEL - 5 });
      expect(outcomeOf(await pass({ totp: totpCode(secret, new Date()) }))).toBe('rate_limited');
    },
    RACE_TIMEOUT,
  );

  test(
    'SF6: a sign-in that waits is finished once, by whichever of its factors; the other is not used up',
    async () => {
      const { agent, identifier, secret, recoveryCodes } = await withFactor();
      const id = await idOf(agent);
      const left = async () => (await agent.get('/api/ways')).json().totp.recoveryCodesLeft;
      const browser = (await withoutFactor(identifier, recoveryCodes[9])).agent;
      for (let round = 0; round < Math.min(ROUNDS, 5); round += 1) {
        const before = [(await sessionsOf(id)).length, await left()];
        const pass = await factorDue(identifier, browser);
        const same = { recoveryCode: recoveryCodes[round] };
        const answers = await inParallel(() => pass(same), 5);
        const counts = tally(answers.map(outcomeOf));
        expect(counts['200']).toBe(1);
        expect(
          Object.keys(counts).filter(
            (code) => !['200', 'interaction_expired', 'rate_limited'].includes(code),
          ),
        ).toEqual([]);
        expect([(await sessionsOf(id)).length, await left()]).toEqual([before[0], Number(before[1]) - 1]);
      }
      const pass = await factorDue(identifier, browser);
      const spent = await left();
      const both = await Promise.all([
        pass({ recoveryCode: recoveryCodes[8] }),
        pass({ totp: totpCode(secret, new Date(), 1) }),
      ]);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      const [byCode] = both;
      expect(await left()).toBe(byCode?.status === 200 ? spent - 1 : spent);
    },
    RACE_TIMEOUT,
  );

  /** A browser that the account knows. */
  const withoutFactor = async (identifier: string, recoveryCode: string | undefined) => {
    const agent = cluster.browser();
    const pass = await factorDue(identifier, agent);
    const answer = await pass({ recoveryCode });
    await agent.navigate(answer.json().returnTo);
    return { agent };
  };

  test(
    'SF8: a browser that becomes trusted while the password changes is not trusted afterwards',
    async () => {
      const { agent, identifier, recoveryCodes } = await withFactor();
      const id = await idOf(agent);
      for (let round = 0; round < MEETINGS; round += 1) {
        const pass = await factorDue(identifier, cluster.browser());
        const recoveryCode = recoveryCodes[round % 10];
        await Promise.all([pass({ recoveryCode, remember: true }), putPassword(agent, PASSWORD)]);
        const trusted = await cluster.db
          .selectFrom('trusted_browser')
          .select('id')
          .where('account_id', '=', id)
          .execute();
        expect(trusted).toEqual([]);
      }
    },
    RACE_TIMEOUT,
  );

  test(
    'SF22, SF23: a wait is begun once, and is either stopped or ends with a password',
    async () => {
      for (let round = 0; round < MEETINGS; round += 1) {
        const identifier = `${randomBytes(6).toString('hex')}@example.com`;
        const { agent } = await cluster.signUp(identifier);
        const id = await idOf(agent);
        await turnOnTotp(agent);
        const lost = cluster.browser();
        const verify = async () => {
          const code = await cluster.receiveCode(lost, identifier, 'recover');
          return (await lost.post('/api/recovery/verify', { identifier, code })).json().ticket;
        };
        const ticket = await verify();
        const begun = await inParallel(() => lost.post('/api/recovery/wait', { ticket }), 20);
        expect(new Set(begun.map(({ body }) => body)).size).toBe(1);
        const told = (await cluster.messages()).filter(
          ({ to, purpose }) => to === identifier && purpose === 'recovery_wait_started',
        );
        expect(told).toHaveLength(1);

        await cluster.db
          .updateTable('recovery_wait')
          .set({ due_at: new Date(Date.now() - 60_000) })
          .where('account_id', '=', id)
          .execute();
        const body = { ticket: await verify(), password: 'starlight88' };
        const [set, stop] = await Promise.all([
          lost.post('/api/recovery/password', body),
          agent.delete('/api/account/recovery-wait'),
        ]);
        // Either somebody was in time.
        expect([
          [204, 'not_found'],
          [204, 'not_signed_in'],
          ['second_factor_required', 204],
        ]).toContainEqual([outcomeOf(set), outcomeOf(stop)]);
        const factor = await cluster.db
          .selectFrom('totp')
          .select('account_id')
          .where('account_id', '=', id)
          .execute();
        expect(factor).toHaveLength(set.status === 204 ? 0 : 1);
      }
    },
    RACE_TIMEOUT,
  );

  /** A person without a session, whose recovery waits, and the token of the link that stops it. */
  const waiting = async () => {
    const { agent, identifier } = await withFactor();
    const id = await idOf(agent);
    const lost = cluster.browser();
    const verify = async () => {
      const code = await cluster.receiveCode(lost, identifier, 'recover');
      return (await lost.post('/api/recovery/verify', { identifier, code })).json().ticket;
    };
    expect((await lost.post('/api/recovery/wait', { ticket: await verify() })).status).toBe(200);
    const told = async (purpose: string) =>
      (await cluster.messages()).filter((one) => one.to === identifier && one.purpose === purpose);
    const [{ text } = { text: '' }] = await told('recovery_wait_started');
    return { id, lost, verify, told, token: /\/undo#([\w-]{43})/.exec(text)?.[1] };
  };

  test(
    `SF23: of ${PARALLEL} uses of the link that stops a wait one stops it, and contacts are told once`,
    async () => {
      const { told, token } = await waiting();
      const answers = await inParallel(() => cluster.browser().post('/api/undo', { token }));
      expect(tally(answers.map(outcomeOf))).toEqual({ 200: 1, not_found: PARALLEL - 1 });
      expect(await told('recovery_wait_stopped')).toHaveLength(1);
    },
    RACE_TIMEOUT,
  );

  test(
    'SF22: a wait that is due sets one password, switches the factor off once, and is told once',
    async () => {
      const { id, lost, verify, told } = await waiting();
      await cluster.db
        .updateTable('recovery_wait')
        .set({ due_at: new Date(Date.now() - 60_000) })
        .where('account_id', '=', id)
        .execute();
      const ticket = await verify();
      const answers = await inParallel(
        (n) => lost.post('/api/recovery/password', { ticket, password: `starlight8${n}x` }),
        8,
      );
      const outcomes = answers.map(outcomeOf);
      expect(outcomes.filter((outcome) => outcome === 204)).toHaveLength(1);
      // The wait is over for the others, or their ticket is.
      const refusals = ['second_factor_required', 'ticket_invalid'];
      expect(outcomes.filter((outcome) => outcome !== 204 && !refusals.includes(String(outcome)))).toEqual(
        [],
      );
      expect(await told('totp_removed')).toHaveLength(1);
      expect(await told('password_changed')).toHaveLength(1);
    },
    RACE_TIMEOUT,
  );
});
