import { readFile } from 'node:fs/promises';
import { maskIdentifier } from '@candela/contract/rules/mask-identifier';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bind, nextPhone } from '../api/settings.ts';
import { hireStaff } from '../desk/staff.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { addAuthenticator } from '../support/virtual-authenticator.ts';
import { violationsOf } from './accessibility.ts';
import { type AnsweredCall, answerCall, type Seat, verdict } from './desk-calls.ts';
import { layoutFaults } from './layout-faults.ts';
import { signInAs } from './stage.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** A call is solved in fewer presses, from the search on. */
const LIMIT = 6;

let world: BrowserWorld;
let support: UserAgent;
beforeAll(async () => {
  world = await createBrowserWorld();
  ({ agent: support } = await hireStaff(world, 'support'));
});
afterAll(() => world.close());
afterEach(() => expect(world.takeFaults()).toEqual([]));

const isSignedIn = async (agent: UserAgent) => (await agent.get('/api/account')).status === 200;

/** Whether a message of a purpose has come. It leaves after the answer to the request. */
const messageOf = (to: string, purpose: string) =>
  vi.waitFor(() => world.lastMessageTo(to, (message) => message.purpose === purpose), 20_000);

/** Asks the caller for a code to a contact, which the caller reads from the message. */
const check = async ({ press, say, hear }: AnsweredCall, contact: string) => {
  const shown = maskIdentifier(contact).replaceAll(' ', '\u00a0');
  await press(say('desk.account.caller.code', { contact: shown }));
  await hear((await messageOf(contact, 'caller_check')).code ?? '');
};

describe('the desk answers ten calls', () => {
  /** The widths and the themes in which the page was read whole. */
  const seen = new Set<number | string>();
  /** Ends a call: how many presses it took, and that its page is good to read. */
  const hangUp = async (call: AnsweredCall) => {
    expect(call.presses()).toBeLessThan(LIMIT);
    const { width, theme } = call.seat;
    expect(await violationsOf(call.page, { width: seen.has(width), theme: seen.has(theme) })).toEqual([]);
    expect(await layoutFaults(call.page)).toEqual([]);
    seen.add(width).add(theme);
    await call.page.context().close();
  };
  const answer = (seat: Seat) => answerCall(world, support, seat);

  test('“Lost my phone”: a lost second step goes in 72 hours, of which every contact is told', async () => {
    const { agent, identifier } = await world.signUp();
    await turnOnTotp(agent);
    const call = await answer({ lang: 'en', width: 1280 });
    await call.find(identifier);
    await call.page.getByText('A second step is asked for since').waitFor();
    expect(await call.section('ways').textContent()).toContain('10 recovery codes left');
    await check(call, identifier);
    await call.press(call.act('remove-factor'));
    await call.giveReason('Lost the phone, has no recovery code');
    expect(await call.page.locator('#desk-done').textContent()).toMatch(/It takes effect in \d days/);
    await messageOf(identifier, 'recovery_wait_started');
    await hangUp(call);
  });

  test('“Alexa stopped”: the page says when its link ended, why, and what to do', async () => {
    const { agent, identifier } = await world.signUp();
    const { rp } = await world.registerApp({ client_name: 'Alexa' });
    const { tokens } = await world.link(agent, rp);
    await rp.revoke(tokens.refresh_token ?? '', 'refresh_token');
    const call = await answer({ lang: 'ru', width: 360 });
    await call.find(identifier);
    await call.page.getByText(/^Alexa больше не подключено/).waitFor();
    const told = await call.section('apps').textContent();
    expect(told).toContain(call.say('links.because.revoked_by_client'));
    expect(told).toContain(call.say('links.next.again', { app: 'Alexa' }));
    await hangUp(call);
  });

  test('“I get codes I did not ask for”: they are counted, and nobody reads one', async () => {
    const { identifier } = await world.signUp();
    const codes: string[] = [];
    for (let count = 0; count < 3; count += 1)
      codes.push(await world.receiveCode(world.browser(), identifier, 'login'));
    const call = await answer({ lang: 'zh-Hans', width: 1280 });
    await call.find(identifier);
    await call.page.getByText(call.say('desk.account.findings.codesText')).waitFor();
    expect(await call.section('messages').textContent()).toContain(call.say('desk.account.purposes.login'));
    const page = await call.page.content();
    expect(codes.filter((code) => page.includes(code))).toEqual([]);
    await hangUp(call);
  });

  test('“Deleted by mistake”: the account stays', async () => {
    const { agent, identifier } = await world.signUp();
    expect((await agent.request('DELETE', '/api/account')).status).toBe(200);
    const call = await answer({ lang: 'zh-Hant', width: 360, theme: 'dark' });
    await call.find(identifier);
    await check(call, identifier);
    await call.press(call.act('keep'), call.section('sign-in'));
    await call.giveReason('Pressed the wrong button');
    expect(await verdict(call.page)).toBe(call.say('desk.account.can'));
    expect(await call.page.getByText(call.startOf('desk.account.states.leaving')).count()).toBe(0);
    await messageOf(identifier, 'deletion_cancelled');
    await hangUp(call);
  });

  test('“I changed my number”: the way to a new password goes to the other contact', async () => {
    const { agent, identifier } = await world.signUp();
    await bind(world, agent, 'phone', nextPhone());
    const call = await answer({ lang: 'ru', width: 1280, theme: 'dark' });
    await call.find(identifier);
    await call.press(call.act('resend-recovery'));
    const email = call.page.getByRole('radio', { name: maskIdentifier(identifier) });
    if (!(await email.isChecked())) await call.choose(email);
    await call.giveReason('Has a new number');
    expect((await messageOf(identifier, 'recovery_help')).text).toContain('/findbackPWD');
    await hangUp(call);
  });

  test('“I cannot get in: too many tries”: the page says until when, and the tries start anew', async () => {
    const { identifier } = await world.signUp();
    const guesser = world.browser();
    const uid = world.interactionOf((await guesser.navigate('/login')).url);
    const guess = (password: string) => guesser.post(`/interaction/${uid}/login`, { identifier, password });
    await vi.waitFor(async () => expect((await guess('wrong1234')).status).toBe(429), {
      timeout: 60_000,
      interval: 1,
    });
    const call = await answer({ lang: 'en', width: 360 });
    await call.find(identifier);
    expect(await verdict(call.page)).toBe('Can sign in, but not in every way right now');
    await call.page.getByText(/^Too many wrong passwords: the next try in \d+ minutes/).waitFor();
    await check(call, identifier);
    await call.press(call.act('lift-limits'), call.section('sign-in'));
    await call.giveReason('A new keyboard');
    expect(await verdict(call.page)).toBe('Can sign in');
    expect((await guess('moonlight77')).status).toBe(200);
    await hangUp(call);
  });

  test('“Somebody is in my account”: every browser is out, and the way to a new password is sent', async () => {
    const { identifier } = await world.signUp();
    const intruder = world.browser({ userAgent: FIREFOX });
    await world.signIn(identifier, intruder);
    const call = await answer({ lang: 'zh-Hans', width: 360 });
    await call.find(identifier);
    await call.page
      .getByText(/Firefox 140/)
      .first()
      .waitFor();
    await call.press(call.act('end-sessions'), call.section('sign-in'));
    await call.giveReason('Does not know the browser');
    expect(await isSignedIn(intruder)).toBe(false);
    await call.press(call.act('resend-recovery'), call.section('acts'));
    await call.giveReason();
    await messageOf(identifier, 'recovery_help');
    await hangUp(call);
  });

  test('“Mail never arrives”: the words of the gateway are there, and the contact is tried again', async () => {
    const { identifier } = await world.signUp();
    await world.receiveCode(world.browser(), identifier, 'login');
    await world.db
      .updateTable('sent_message')
      .set({ state: 'refused', words: '552 5.2.2 mailbox full', settled_at: new Date() })
      .where('purpose', '=', 'login')
      .execute();
    const call = await answer({ lang: 'zh-Hant', width: 1280 });
    await call.find(identifier);
    expect(await call.section('messages').textContent()).toContain('552 5.2.2 mailbox full');
    await call.press(call.act('check-contact'), call.section('sign-in'));
    await call.giveReason('Has emptied the mailbox');
    await messageOf(identifier, 'contact_checked');
    await hangUp(call);
  });

  test('“An app I do not know”: the signed-in caller reads two digits, and the app is withdrawn', async () => {
    const { agent, identifier } = await world.signUp();
    const { rp } = await world.registerApp({ client_name: 'Strange Lamp' });
    const { tokens } = await world.link(agent, rp);
    const own = await world.openPage();
    await signInAs(own.context(), agent, world.origin);
    await own.goto(`${world.origin}/index`);
    const call = await answer({ lang: 'ru', width: 1280 });
    await call.find(identifier);
    await call.press(call.say('desk.account.caller.digits'));
    await own.reload();
    const shown = own.getByRole('region', { name: 'Two digits for your call' }).locator('p').nth(1);
    const digits = (await shown.textContent()) ?? '';
    expect(digits).toMatch(/^\d\d$/);
    await call.hear(digits);
    await call.press(call.say('desk.account.apps.withdrawOf', { app: 'Strange Lamp' }));
    await call.giveReason('Does not know the app');
    await expect(rp.refresh(tokens.refresh_token ?? '')).rejects.toThrow();
    await own.context().close();
    await hangUp(call);
  });

  test('“I want my data”: the file is for the person alone', async () => {
    const { agent, identifier } = await world.signUp();
    const call = await answer({ lang: 'en', width: 360 });
    await call.find(identifier);
    await check(call, identifier);
    await call.press(call.act('export'));
    await call.giveReason('Asked by phone');
    await world.prepareExports();
    await messageOf(identifier, 'export_ready');
    expect((await agent.get('/api/export')).json().state).toBe('ready');
    expect(await call.page.getByRole('link', { name: /zip|download/i }).count()).toBe(0);
    await hangUp(call);
  });
});

describe('the desk', () => {
  test('asks to be opened, and opens by a code of the authenticator app', async () => {
    const { agent, identifier } = await world.signUp();
    await world.allowStaff(identifier, 'support');
    const { secret } = await turnOnTotp(agent);
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/desk`);
    await page.getByRole('button', { name: 'Open the desk' }).click();
    await page.getByRole('dialog').locator('input').fill(totpCode(secret, new Date()));
    await page.locator('#desk-search:focus').waitFor();
    await page.getByRole('button', { name: 'Close the desk' }).click();
    await page.getByRole('heading', { name: 'Open the desk' }).waitFor();
    await page.context().close();
  });

  test('asks who has a passkey alone for the passkey, and for no code of an app', async () => {
    const { agent, identifier } = await world.signUp();
    await world.allowStaff(identifier, 'support');
    const page = await world.openPage();
    await addAuthenticator(page);
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/index`);
    await page.getByRole('button', { name: 'Add: Passkeys' }).click();
    await page.getByRole('dialog', { name: 'Name of the passkey' }).waitFor();
    await page.goto(`${world.origin}/desk`);
    await page.getByRole('button', { name: 'Open the desk' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await question.getByText('Use your passkey').waitFor();
    expect(await question.locator('input').count()).toBe(0);
    await question.getByRole('button', { name: 'Use a passkey' }).click();
    await page.locator('#desk-search:focus').waitFor();
    await page.context().close();
  });

  test('by keyboard: / leads to the search, and no address of a page keeps what was looked for', async () => {
    const { identifier } = await world.signUp();
    const call = await answerCall(world, support, { lang: 'en', width: 1280 });
    const { page } = call;
    await page.keyboard.type('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches “nobody@example.com”').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await call.find(identifier);
    await page.waitForFunction(() => document.activeElement?.matches('h1'));
    expect(page.url()).not.toContain('example.com');
    await page.keyboard.press('/');
    await page.locator('#desk-search:focus').waitFor();
    // Pressed once more it does not stand in the field.
    await page.keyboard.type('//n/a');
    expect(await page.locator('#desk-search').inputValue()).toBe('n/a');
    await page.context().close();
  });

  test('shows a contact that the caller tells, and says why an act is off', async () => {
    const { identifier } = await world.signUp();
    const call = await answerCall(world, support, { lang: 'en', width: 360 });
    const { page } = call;
    await call.find((await (await world.signIn(identifier)).agent.get('/api/account')).json().id);
    const off = page.getByRole('button', { name: call.act('export') });
    expect(await off.getAttribute('aria-disabled')).toBe('true');
    await off.click({ force: true });
    await page.getByRole('button', { name: 'Show contacts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Show contacts' });
    await dialog.getByLabel('What the caller tells').fill('other@example.com');
    await page.keyboard.press('Enter');
    await dialog.getByText('This is no contact of the account.').waitFor();
    await page.keyboard.type(identifier);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(identifier, { exact: true }).waitFor();
    await page.context().close();
  });

  test('lets a viewer look, and change nothing, until the role is taken away', async () => {
    const { identifier } = await world.signUp();
    const viewer = await hireStaff(world, 'viewer');
    const call = await answerCall(world, viewer.agent, { lang: 'en', width: 1280 });
    const { page } = call;
    await call.find(identifier);
    await page.getByText('Your role looks at accounts and changes nothing.').waitFor();
    expect(await call.section('caller').count()).toBe(0);
    expect(await call.section('acts').getByRole('button').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Record' }).count()).toBe(0);
    await world.db.deleteFrom('staff').where('account_id', '=', viewer.id).execute();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: 'The desk is no longer open to you' }).waitFor();
    expect(await page.locator('#desk-search').count()).toBe(0);
    await page.context().close();
  });

  /** An operator asks a second one to remove the second step of somebody at once. */
  const askAtOnce = async (identifier: string) => {
    const asking = await answerCall(world, (await hireStaff(world, 'operator')).agent, {
      lang: 'en',
      width: 1280,
    });
    await asking.find(identifier);
    await check(asking, identifier);
    await asking.press(asking.act('remove-factor'));
    await asking.page.getByRole('checkbox', { name: /second operator approves/ }).check();
    await asking.page.getByRole('dialog').locator('#reason').focus();
    await asking.giveReason('Was seen in the shop');
    await asking.page.getByText('A second operator is asked.').waitFor();
    return asking;
  };

  test('has a second operator approve, and keeps a record that an operator reads and takes along', async () => {
    const { agent, identifier } = await world.signUp();
    await turnOnTotp(agent);
    const asking = await askAtOnce(identifier);
    await asking.page.context().close();

    const { page } = await answerCall(world, (await hireStaff(world, 'operator')).agent, {
      lang: 'en',
      width: 1280,
    });
    await page.getByRole('link', { name: 'Approvals 1' }).click();
    await page.getByRole('button', { name: /^Approve: / }).click();
    await page.getByRole('dialog').locator('#reason').fill('Spoke with the shop');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing waits for you.').waitFor();
    expect((await agent.get('/api/account')).json().ways.totp).toBe(false);

    await page.getByRole('link', { name: 'Record' }).click();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('remove-factor-now');
    await page.getByRole('cell', { name: 'Spoke with the shop' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    const file = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const lines = (await readFile(await (await file).path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).action)).toEqual(['remove-factor-now']);
    await page.context().close();
  });

  test('lets whoever asked for a removal at once withdraw it at once', async () => {
    const { agent, identifier } = await world.signUp();
    await turnOnTotp(agent);
    const { page } = await askAtOnce(identifier);
    await page.getByRole('link', { name: 'Approvals' }).click();
    await page.getByText('You asked for it: another operator approves it').waitFor();
    expect(await page.getByRole('button', { name: /^Approve: / }).count()).toBe(0);
    await page.getByRole('button', { name: /^Withdraw: / }).click();
    await page.getByText('Your reason is kept in the record.').waitFor();
    await page.getByRole('dialog').locator('#reason').fill('Was found again');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing waits for you.').waitFor();
    expect((await agent.get('/api/account')).json().ways.totp).toBe(true);
    await page.context().close();
  });

  test('is loaded by nobody else', async () => {
    const { agent } = await world.signUp();
    const page = await world.openPage();
    const loaded: string[] = [];
    page.on('response', (response) => loaded.push(response.url()));
    await signInAs(page.context(), agent, world.origin);
    await page.goto(`${world.origin}/index`);
    await page.getByRole('heading', { name: 'Account settings' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect((await page.goto(`${world.origin}/desk`))?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(loaded.filter((url) => /\/desk-|-desk-/.test(url))).toEqual([]);
    await page.context().close();
  });
});
