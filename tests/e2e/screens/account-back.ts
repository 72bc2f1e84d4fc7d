import type { Page } from 'playwright-core';
import { bind, nextPhone, undoTokenTo } from '../../api/settings.ts';
import { givePasskey } from '../../support/passkeys.ts';
import { turnOnTotp } from '../../support/totp.ts';
import { type Stage, signInAs } from '../stage.ts';
import { codeField, dialogs, goTo, type Journey, refuse, submit, typeEmail } from './journey.ts';

/** A person whose e-mail was bound before the phone, in a browser that is signed in by the password. */
const createPerson = async ({ world }: Stage) => {
  const { agent, identifier: email } = await world.signUp();
  const phone = nextPhone();
  await bind(world, agent, 'phone', phone);
  return { agent, email, phone };
};

/** Creates such a person, and signs the page in by a code to the phone. */
const enterByPhone = async (page: Page, stage: Stage) => {
  const { world } = stage;
  const person = await createPerson(stage);
  const agent = world.browser();
  const { url } = await agent.navigate('/login');
  const uid = world.interactionOf(url);
  const code = await world.receiveCode(agent, person.phone, 'login');
  const answer = await agent.post(`/interaction/${uid}/login`, { identifier: person.phone, code });
  await agent.navigate(answer.json().returnTo);
  await signInAs(page.context(), agent, world.origin);
  return { ...person, agent };
};

const openIndex = async (page: Page, stage: Stage) => {
  await goTo(page, stage, '/index');
  await page.locator('[data-setting=email] button').first().waitFor();
};

const recovery: Journey = {
  name: 'a recovery that shows another identifier',
  signedIn: false,
  visit: async function* (page, stage) {
    const { email, agent } = await createPerson(stage);
    await givePasskey(agent, stage.world.origin);
    await goTo(page, stage, '/findbackPWD');
    await typeEmail(page, email);
    await submit(page);
    await codeField(page).waitFor();
    await codeField(page).fill(await stage.world.codeFor(email, page));
    await page.locator('#repeated').waitFor();
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    yield 'recovery-others';
  },
};

const contact: Journey = {
  name: 'an e-mail that is older than what signed in',
  signedIn: false,
  visit: async function* (page, stage) {
    const { agent } = await enterByPhone(page, stage);
    await openIndex(page, stage);
    await page.locator('[data-setting=email] button').nth(1).click();
    await dialogs(page).last().getByRole('button').last().click();
    await page.locator('#step-up-code').waitFor();
    yield 'contact-proof';
    await dialogs(page).last().getByRole('button').nth(-3).click();
    await page.locator('[role=alertdialog] p').nth(1).waitFor();
    await page.locator('#step-up-code').waitFor({ state: 'detached' });
    yield 'contact-wait';
    await agent.delete('/api/account/email?wait=true');
    await openIndex(page, stage);
    await page.locator('[data-setting=email] time').first().waitFor();
    yield 'index-change-waits';
  },
};

const undo: Journey = {
  name: 'the link that came with a notice',
  signedIn: false,
  visit: async function* (page, stage) {
    const { world } = stage;
    const { email } = await createPerson(stage);
    const { agent: other } = await world.signIn(email);
    await bind(world, other, 'email', `new-${email}`);
    await goTo(page, stage, `/undo#${await undoTokenTo(world, email)}`);
    await page.locator('main button').last().waitFor();
    yield 'undo';
    await page.locator('main button').last().click();
    await page.locator('main a[href*=findbackPWD]').waitFor();
    yield 'undo-done';
    await page.goto('about:blank');
    await goTo(page, stage, '/undo#used');
    await page.locator('main a[href*=findbackPWD]').waitFor();
    yield 'undo-dead';
    await refuse(page, '/api/undo/look', 503, 'unavailable');
    await page.goto('about:blank');
    await goTo(page, stage, '/undo#used');
    await page.getByRole('alert').waitFor();
    yield 'undo-failed';
  },
};

const stop: Journey = {
  name: 'the link that stops a recovery without the second step',
  signedIn: false,
  visit: async function* (page, stage) {
    const { world } = stage;
    const { agent, email } = await createPerson(stage);
    await turnOnTotp(agent);
    const lost = world.browser();
    const code = await world.receiveCode(lost, email, 'recover');
    const { ticket } = (await lost.post('/api/recovery/verify', { identifier: email, code })).json();
    await lost.post('/api/recovery/wait', { ticket });
    await goTo(page, stage, `/undo#${await undoTokenTo(world, email)}`);
    await page.locator('main button').last().waitFor();
    yield 'undo-recovery';
    await page.locator('main button').last().click();
    await page.locator('main p[role=status]').waitFor();
    yield 'undo-recovery-done';
  },
};

/** The recovery of an account, and the protections against a takeover. */
export const accountBackJourneys: readonly Journey[] = [recovery, contact, undo, stop];
