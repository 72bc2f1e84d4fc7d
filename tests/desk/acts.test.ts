import type { Activity, DeskAccount, DeskActState } from '@candela/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bind, nextPhone } from '../api/settings.ts';
import { start } from '../oidc/authorization.ts';
import { outcomeOf } from '../races/rounds.ts';
import { turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { type AtDesk, customer, hireStaff, proveTotp } from './staff.ts';

const HOUR = 3_600;
const STEP_MS = 30_000;
const reason = 'The caller asked for it';

describe('what staff do', () => {
  let world: World;
  let shiftSeconds = 0;
  let base = 0;
  const now = () => new Date(base + shiftSeconds * 1000);
  let support: AtDesk;
  let operator: AtDesk;
  let second: AtDesk;

  beforeAll(async () => {
    base = Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2;
    world = await createWorld({ now, env: { DESK_SHOWS_LOOKS: 'on' } });
    support = await hireStaff(world, 'support', now);
    operator = await hireStaff(world, 'operator', now);
    second = await hireStaff(world, 'operator', now);
  });
  afterAll(() => world.close());
  beforeEach(() => {
    base = Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2;
    shiftSeconds = 0;
  });

  const act = (id: string, name: string, body: object = {}, { agent }: AtDesk = support) =>
    agent.post(`/api/desk/accounts/${id}/${name}`, { reason, ...body });
  const look = async (id: string, { agent }: AtDesk = support): Promise<DeskAccount> => {
    const answered = await agent.get(`/api/desk/accounts/${id}`);
    expect(answered.status, answered.body).toBe(200);
    return answered.json();
  };
  const offOf = async (id: string, name: string, by = support) =>
    (await look(id, by)).acts.find(({ act: known }: DeskActState) => known === name)?.off;
  const kindsOf = async (agent: UserAgent) =>
    (await agent.get('/api/activity')).json().items.map(({ kind, detail }: Activity) => detail?.act ?? kind);
  /** The caller reads the code that came to the contact. */
  const proveCaller = async (person: { id: string; identifier: string }, by = support) => {
    const path = `/api/desk/accounts/${person.id}/caller`;
    const asked = await by.agent.post(path, { way: 'code', contact: 'email' });
    expect(asked.status, asked.body).toBe(200);
    const code = (await world.lastMessageTo(person.identifier)).code;
    const answered = await by.agent.post(`${path}/answer`, { answer: code });
    expect(answered.json()).toMatchObject({ state: 'right' });
  };
  const lastEntry = async () => {
    const { items } = (await operator.agent.get('/api/desk/record')).json();
    // The look at the record itself is the newest.
    return items[1];
  };

  /** The desk closes without use; whoever proves the app anew opens it. */
  const reopened = async (member: AtDesk): Promise<AtDesk> => {
    await proveTotp(member.agent, member.secret, now());
    expect((await member.agent.post('/api/desk/session')).status).toBe(200);
    return member;
  };

  const proveFresh = async ({ agent }: { agent: UserAgent }) =>
    expect((await agent.post('/api/step-up', { password: PASSWORD })).status).toBe(204);

  test('a code that the caller reads opens what takes a caller, and the agent never sees it', async () => {
    const ada = await customer(world);
    expect(outcomeOf(await act(ada.id, 'begin-leaving'))).toBe('caller_unproven');
    expect(await offOf(ada.id, 'begin-leaving')).toBe('caller_unproven');
    const path = `/api/desk/accounts/${ada.id}/caller`;
    const asked = await support.agent.post(path, { way: 'code', contact: 'email' });
    const { code = '' } = await world.lastMessageTo(ada.identifier);
    expect(code).toMatch(/^\d{6}$/);
    expect(asked.body).not.toContain(code);
    expect(asked.json()).toMatchObject({ state: 'asked', triesLeft: 3 });
    const other = code === '000000' ? '111111' : '000000';
    expect((await support.agent.post(`${path}/answer`, { answer: other })).json()).toMatchObject({
      state: 'asked',
      triesLeft: 2,
    });
    const right = await support.agent.post(`${path}/answer`, {
      answer: ` ${code.slice(0, 3)} ${code.slice(3)}`,
    });
    expect(right.json()).toMatchObject({ state: 'right' });
    expect(await offOf(ada.id, 'begin-leaving')).toBeUndefined();
    // To this agent alone, and for half an hour.
    expect(await offOf(ada.id, 'begin-leaving', operator)).toBe('caller_unproven');
    shiftSeconds += 1_801;
    expect((await look(ada.id, await reopened(support))).caller.state).toBe('over');
    expect(JSON.stringify(await look(ada.id))).not.toContain(code);
  });

  test('DK3: three wrong codes end the check, and then the right one is too late', async () => {
    const ada = await customer(world);
    const path = `/api/desk/accounts/${ada.id}/caller`;
    await support.agent.post(path, { way: 'code', contact: 'email' });
    const { code } = await world.lastMessageTo(ada.identifier);
    const wrong = code === '000000' ? '111111' : '000000';
    for (const state of ['asked', 'asked', 'wrong'])
      expect((await support.agent.post(`${path}/answer`, { answer: wrong })).json()).toMatchObject({ state });
    expect(outcomeOf(await support.agent.post(`${path}/answer`, { answer: code }))).toBe('nothing_to_do');
    expect(outcomeOf(await act(ada.id, 'begin-leaving'))).toBe('caller_unproven');
  });

  test('two digits prove who is signed in; one wrong answer ends it', async () => {
    const ada = await customer(world);
    const path = `/api/desk/accounts/${ada.id}/caller`;
    expect((await ada.agent.get('/api/account/caller-digits')).json()).toEqual({});
    const asked = await support.agent.post(path, { way: 'digits' });
    expect(asked.json()).toMatchObject({ state: 'asked', way: 'digits', triesLeft: 1 });
    const { digits } = (await ada.agent.get('/api/account/caller-digits')).json();
    expect(digits).toMatch(/^\d\d$/);
    expect(asked.body).not.toContain(`"${digits}"`);
    const wrong = digits === '11' ? '22' : '11';
    expect((await support.agent.post(`${path}/answer`, { answer: wrong })).json()).toMatchObject({
      state: 'wrong',
    });
    await support.agent.post(path, { way: 'digits' });
    const again = (await ada.agent.get('/api/account/caller-digits')).json().digits;
    expect((await support.agent.post(`${path}/answer`, { answer: again })).json()).toMatchObject({
      state: 'right',
    });
    await ada.agent.post('/api/sign-out');
    expect(outcomeOf(await support.agent.post(path, { way: 'digits' }))).toBe('not_there');
  });

  test('DK12: after two wrong answers by digits in a day, whoever asked, only a code is left', async () => {
    const ada = await customer(world);
    const path = `/api/desk/accounts/${ada.id}/caller`;
    const answerWrong = async ({ agent }: AtDesk) => {
      await agent.post(path, { way: 'digits' });
      const { digits } = (await ada.agent.get('/api/account/caller-digits')).json();
      return (await agent.post(`${path}/answer`, { answer: digits === '11' ? '22' : '11' })).json();
    };
    expect(await answerWrong(support)).not.toHaveProperty('digitsSpent');
    expect(await answerWrong(operator)).toMatchObject({ state: 'wrong', digitsSpent: true });
    expect(outcomeOf(await second.agent.post(path, { way: 'digits' }))).toBe('digits_exhausted');
    expect((await look(ada.id)).caller.digitsSpent).toBe(true);
    await proveCaller(ada, second);
    shiftSeconds += 86_401;
    await reopened(support);
    expect(outcomeOf(await support.agent.post(path, { way: 'digits' }))).toBe(200);
  });

  test('a contact that came lately proves nobody', async () => {
    const ada = await customer(world);
    const phone = nextPhone();
    shiftSeconds += 60;
    await proveFresh(ada);
    await bind(world, ada.agent, 'phone', phone);
    const path = `/api/desk/accounts/${ada.id}/caller`;
    expect(outcomeOf(await support.agent.post(path, { way: 'code', contact: 'phone' }))).toBe(
      'contact_too_young',
    );
    expect((await look(ada.id)).contacts).toMatchObject([{ provesCaller: true }, { provesCaller: false }]);
  });
  test('DK7: contacts are masked until the agent types what the caller told, or gives a reason', async () => {
    const ada = await customer(world);
    const path = `/api/desk/accounts/${ada.id}/contacts`;
    expect(JSON.stringify((await look(ada.id)).contacts)).not.toContain(ada.identifier);
    expect(outcomeOf(await support.agent.post(path, { identifier: 'somebody@example.com' }))).toBe(
      'contact_differs',
    );
    const shown = await support.agent.post(path, { identifier: ada.identifier.toUpperCase() });
    expect(shown.json().contacts).toMatchObject([{ identifier: ada.identifier }]);
    expect((await look(ada.id)).contacts).toMatchObject([{ identifier: ada.identifier }]);
    expect((await look(ada.id, operator)).contacts[0]).not.toHaveProperty('identifier');
    expect(outcomeOf(await operator.agent.post(path, { reason: '' }))).toBe('reason_blank');
    expect((await operator.agent.post(path, { reason })).json().contacts).toMatchObject([
      { identifier: ada.identifier },
    ]);
    expect(await lastEntry()).toMatchObject({ action: 'reveal', account: ada.id, reason, outcome: 'done' });
  });

  test('each act takes a reason of 1 to 500 characters, and nothing happens without', async () => {
    const ada = await customer(world);
    expect(outcomeOf(await act(ada.id, 'disable', { reason: ' ' }))).toBe('reason_blank');
    expect(outcomeOf(await act(ada.id, 'disable', { reason: undefined }))).toBe('reason_blank');
    expect(outcomeOf(await act(ada.id, 'disable', { reason: 'x'.repeat(5_000) }))).toBe('reason_too_long');
    expect((await look(ada.id)).signIn.can).toBe(true);
  });

  test('a look by an id that is nobody’s is in the record', async () => {
    expect((await support.agent.get('/api/desk/accounts/nobody')).status).toBe(404);
    expect(await lastEntry()).toMatchObject({ action: 'look', subject: 'not_found', outcome: 'refused' });
  });

  test('an account is disabled and enabled, and its person sees by whom', async () => {
    const ada = await customer(world);
    expect((await act(ada.id, 'disable')).status).toBe(200);
    expect(await lastEntry()).toMatchObject({ action: 'disable', account: ada.id, reason, outcome: 'done' });
    expect((await look(ada.id)).signIn).toMatchObject({ can: false, states: [{ kind: 'disabled', reason }] });
    expect(outcomeOf(await act(ada.id, 'disable'))).toBe('nothing_to_do');
    expect(outcomeOf(await act(ada.id, 'resend-recovery', { contact: 'email' }))).toBe('nothing_to_do');
    await proveCaller(ada, operator);
    expect((await act(ada.id, 'enable', {}, operator)).status).toBe(200);
    const { agent } = await world.signIn(ada.identifier);
    const kinds = await kindsOf(agent);
    expect(kinds).toEqual(expect.arrayContaining(['enable', 'disable', 'staff_looked', 'account_disabled']));
    expect(kinds.filter((kind: string) => kind === 'staff_looked')).toHaveLength(1);
  });

  test('sessions end, limits of wrong tries are lifted, and an app is withdrawn', async () => {
    const ada = await customer(world);
    const { agent } = await world.signIn(ada.identifier);
    for (let tried = 0; tried < 10; tried += 1) {
      const { uid } = await start(world, { agent: ada.agent, parameters: { prompt: 'login' } });
      await ada.agent.post(`/interaction/${uid}/login`, {
        identifier: ada.identifier,
        password: 'wrong42day',
      });
    }
    expect((await look(ada.id)).signIn.states).toMatchObject([{ kind: 'password_tries', blocks: false }]);
    await proveCaller(ada);
    expect((await act(ada.id, 'lift-limits')).status).toBe(200);
    expect((await look(ada.id)).signIn.states).toEqual([]);
    expect(outcomeOf(await act(ada.id, 'lift-limits'))).toBe('nothing_to_do');

    const app = await world.registerApp();
    await world.link(agent, app.rp);
    const [linked] = (await look(ada.id)).apps;
    expect((await act(ada.id, 'withdraw-authorization', { authorization: linked?.id })).status).toBe(200);
    expect((await look(ada.id)).apps).toEqual([]);
    expect(outcomeOf(await act(ada.id, 'withdraw-authorization', { authorization: 'other' }))).toBe(
      'not_found',
    );

    expect((await act(ada.id, 'end-sessions')).status).toBe(200);
    expect(outcomeOf(await agent.get('/api/account'))).toBe('not_signed_in');
    expect(outcomeOf(await act(ada.id, 'end-sessions'))).toBe('nothing_to_do');
  });

  test('leaving begins and is taken back; all contacts are told', async () => {
    const ada = await customer(world);
    await proveCaller(ada);
    expect((await act(ada.id, 'begin-leaving')).json()).toMatchObject({ at: expect.any(String) });
    expect((await world.lastMessageTo(ada.identifier)).text).toMatch(/delet/);
    expect((await look(ada.id)).signIn.states).toMatchObject([{ kind: 'leaving' }]);
    expect((await act(ada.id, 'keep')).status).toBe(200);
    expect((await look(ada.id)).signIn.states).toEqual([]);
  });

  test('messages go to the person’s own contacts, and the desk says what became of them', async () => {
    const ada = await customer(world);
    expect((await act(ada.id, 'resend-recovery', { contact: 'email' })).status).toBe(200);
    expect((await world.lastMessageTo(ada.identifier)).text).toContain('/findbackPWD');
    expect(outcomeOf(await act(ada.id, 'check-contact', { contact: 'phone' }))).toBe('not_found');
    expect((await act(ada.id, 'check-contact', { contact: 'email' })).status).toBe(200);
    const [newest, before] = (await look(ada.id)).messages.items;
    expect(newest).toMatchObject({ purpose: 'contact_checked', state: 'taken', channel: 'email' });
    expect(before).toMatchObject({ purpose: 'recovery_help' });
    expect(newest?.to).not.toBe(ada.identifier);
  });

  test('an export is prepared for the person alone', async () => {
    const ada = await customer(world);
    await proveCaller(ada);
    expect((await act(ada.id, 'export')).status).toBe(200);
    expect(outcomeOf(await act(ada.id, 'export'))).toBe('nothing_to_do');
    await world.prepareExports();
    expect((await support.agent.get('/api/export')).json()).toMatchObject({ state: 'none' });
    expect((await ada.agent.get('/api/export')).json()).toMatchObject({ state: 'ready' });
  });

  test('a lost second factor goes after 72 hours, in which its person can stop it', async () => {
    const ada = await customer(world);
    await turnOnTotp(ada.agent, now());
    await proveCaller(ada);
    const done = await act(ada.id, 'remove-factor', { contact: 'email' });
    expect(done.status, done.body).toBe(200);
    expect(Date.parse(done.json().at) - now().getTime()).toBeGreaterThan(71 * HOUR * 1000);
    expect((await world.lastMessageTo(ada.identifier)).text).toContain('/undo#');
    expect((await look(ada.id)).signIn.states).toMatchObject([
      { kind: 'recovery_waits' },
      { kind: 'factor_on' },
    ]);
    expect(outcomeOf(await act(ada.id, 'remove-factor', { contact: 'email' }))).toBe('nothing_to_do');
    expect((await act(ada.id, 'stop-removal')).status).toBe(200);
    expect((await look(ada.id)).ways.factor).toBeDefined();
  });

  test('DK4: at once it goes by two operators, of whom neither approves their own', async () => {
    const ada = await customer(world);
    await turnOnTotp(ada.agent, now());
    await proveCaller(ada);
    expect(outcomeOf(await act(ada.id, 'remove-factor', { contact: 'email', atOnce: true }))).toBe(
      'role_insufficient',
    );
    await proveCaller(ada, operator);
    const asked = (await act(ada.id, 'remove-factor', { contact: 'email', atOnce: true }, operator)).json();
    expect(outcomeOf(await act(ada.id, 'remove-factor', { contact: 'email', atOnce: true }, operator))).toBe(
      'approval_asked',
    );
    expect((await look(ada.id)).ways.factor).toBeDefined();
    const answering = ({ agent }: AtDesk, approve: boolean) =>
      agent.post(`/api/desk/approvals/${asked.approval}`, { approve, reason });
    expect(outcomeOf(await answering(operator, true))).toBe('own_approval');
    expect(await lastEntry()).toMatchObject({ action: 'approve', account: ada.id, outcome: 'refused' });
    expect(outcomeOf(await answering(support, true))).toBe('role_insufficient');
    expect((await second.agent.get('/api/desk/approvals')).json().items).toMatchObject([
      { id: asked.approval, own: false, account: { id: ada.id } },
    ]);
    expect(await lastEntry()).toMatchObject({ action: 'look-at-approvals', outcome: 'done' });
    expect((await answering(second, true)).status).toBe(200);
    expect((await look(ada.id)).ways.factor).toBeUndefined();
    expect(outcomeOf(await answering(second, true))).toBe('not_found');
    expect((await world.lastMessageTo(ada.identifier)).purpose).toBe('totp_removed');
  });

  test('what waits for a second operator is withdrawn, or goes with the role of whoever asked', async () => {
    const ada = await customer(world);
    await turnOnTotp(ada.agent, now());
    const asker = await hireStaff(world, 'operator', now);
    const ask = async (by: AtDesk) => {
      await proveCaller(ada, by);
      return act(ada.id, 'remove-factor', { contact: 'email', atOnce: true }, by);
    };
    const answering = ({ agent }: AtDesk, approval: string, approve: boolean) =>
      agent.post(`/api/desk/approvals/${approval}`, { approve, reason });
    const first = (await ask(asker)).json().approval;
    expect((await answering(asker, first, false)).status).toBe(200);
    const other = (await ask(asker)).json().approval;
    await world.allowStaff(asker.identifier, 'support');
    expect(outcomeOf(await answering(second, other, true))).toBe('nothing_to_do');
    const last = (await ask(operator)).json().approval;
    expect((await second.agent.get('/api/desk/approvals')).json().items).toMatchObject([{ id: last }]);
    expect((await answering(second, last, false)).status).toBe(200);
    expect((await look(ada.id)).ways.factor).toBeDefined();
  });

  test('an approval removes no factor that came after it was asked for', async () => {
    const ada = await customer(world);
    const { secret } = await turnOnTotp(ada.agent, now());
    await proveCaller(ada, operator);
    const ask = () => act(ada.id, 'remove-factor', { contact: 'email', atOnce: true }, operator);
    const approve = (approval: string) =>
      second.agent.post(`/api/desk/approvals/${approval}`, { approve: true, reason });
    const before = (await ask()).json().approval;
    await proveTotp(ada.agent, secret, now());
    expect((await ada.agent.delete('/api/totp')).status).toBe(204);
    shiftSeconds += 60;
    await turnOnTotp(ada.agent, now());
    expect(outcomeOf(await approve(before))).toBe('nothing_to_do');
    expect((await look(ada.id)).ways.factor).toBeDefined();
    // Nobody waits a day for what cannot be approved.
    const { approval } = (await ask()).json();
    expect((await approve(approval)).status).toBe(200);
    expect((await look(ada.id)).ways.factor).toBeUndefined();
  });

  test('nobody works at their own account, and a note is for staff alone', async () => {
    expect(outcomeOf(await act(support.id, 'end-sessions'))).toBe('own_account');
    expect(await lastEntry()).toMatchObject({ outcome: 'refused', subject: 'own_account' });
    const check = `/api/desk/accounts/${support.id}/caller`;
    expect(outcomeOf(await support.agent.post(check, { way: 'digits' }))).toBe('own_account');
    expect(await lastEntry()).toMatchObject({ action: 'start-check', subject: 'digits own_account' });
    expect(outcomeOf(await support.agent.post(`${check}/answer`, { answer: '11' }))).toBe('nothing_to_do');
    expect(await lastEntry()).toMatchObject({ action: 'answer-check', outcome: 'refused' });
    const ada = await customer(world);
    const text = '<script>alert(1)</script> called twice';
    expect((await act(ada.id, 'note', { reason: text })).status).toBe(200);
    expect((await look(ada.id)).notes).toMatchObject([{ text }]);
    expect(await kindsOf(ada.agent)).not.toContain('note');
  });

  test('an account that ends while it is looked at is not found, and nothing is done', async () => {
    const ada = await customer(world);
    await look(ada.id);
    await world.db.deleteFrom('account').where('id', '=', ada.id).execute();
    expect(outcomeOf(await act(ada.id, 'disable'))).toBe('not_found');
    expect(await lastEntry()).toMatchObject({ action: 'disable', outcome: 'refused', subject: 'not_found' });
  });

  test('more than 500 looks within an hour are refused, and the operators are told', async () => {
    const busy = await hireStaff(world, 'viewer', now);
    await world.db
      .updateTable('rate_limit')
      .set({ hits: 499 })
      .where('key', '=', `desk.looks ${busy.id}`)
      .execute();
    await busy.agent.get('/api/desk/search?q=nobody');
    await world.db
      .updateTable('rate_limit')
      .set({ hits: 499 })
      .where('key', '=', `desk.looks ${busy.id}`)
      .execute();
    expect((await busy.agent.get('/api/desk/search?q=nobody')).status).toBe(200);
    expect(outcomeOf(await busy.agent.get('/api/desk/search?q=nobody'))).toBe('rate_limited');
    expect(world.countEvent('desk.looks_exhausted')).toBe(1);
    expect((await busy.agent.get('/api/desk')).json().looksLeft).toBe(0);
  });

  test('a role that is taken away closes the desk at once', async () => {
    const gone = await hireStaff(world, 'support', now);
    await world.db.deleteFrom('staff').where('account_id', '=', gone.id).execute();
    expect(outcomeOf(await gone.agent.get('/api/desk'))).toBe('not_found');
  });

  test('DK2: no answer of the desk has a code, a password, a secret or the contents of an export', async () => {
    const ada = await customer(world);
    const { secret, recoveryCodes } = await turnOnTotp(ada.agent, now());
    await proveCaller(ada);
    await act(ada.id, 'export');
    await world.prepareExports();
    const code = await world.receiveCode(world.browser(), ada.identifier, 'login');
    const answers = [
      await support.agent.get(`/api/desk/accounts/${ada.id}`),
      await support.agent.get(`/api/desk/accounts/${ada.id}/messages`),
      await support.agent.get(`/api/desk/accounts/${ada.id}/activity`),
      await operator.agent.get('/api/desk/record'),
      await operator.agent.get('/api/desk/record/file'),
    ].map(({ body }) => body);
    for (const hidden of [code, secret, PASSWORD, ...recoveryCodes])
      for (const body of answers) expect(body).not.toContain(hidden);
  });
});
