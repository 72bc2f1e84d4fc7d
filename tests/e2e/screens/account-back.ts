import type { Page } from 'playwright-core';
import { bind, nextPhone, undoTokenTo } from '../../api/settings.ts';
import { signInAs } from '../stage.ts';
import type { Screen, Stage } from './screens.ts';

const dialog = (page: Page) => page.locator('[role=dialog], [role=alertdialog]').last();

/** Somebody with an e-mail and, younger, a phone, and a browser that is signed in with the password. */
const createPerson = async ({ world }: Stage) => {
  const { agent, identifier: email } = await world.signUp();
  const phone = nextPhone();
  await bind(world, agent, 'phone', phone);
  return { agent, email, phone };
};

/** In a browser that proved the younger phone. */
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

const openIndex = async (page: Page, { world }: Stage) => {
  await page.goto(`${world.origin}/index`);
  await page.locator('[data-setting=email] button').first().waitFor();
};

/** The e-mail is to be unbound, and a code to it asked for. */
const askForContact = async (page: Page, stage: Stage) => {
  await enterByPhone(page, stage);
  await openIndex(page, stage);
  await page.locator('[data-setting=email] button').nth(1).click();
  await dialog(page).getByRole('button').last().click();
  await page.locator('#step-up-code').waitFor();
};

/** The link that came with a notice, whose e-mail a password has replaced. */
const openLink = async (page: Page, stage: Stage) => {
  const { world } = stage;
  const { agent, email } = await createPerson(stage);
  const { agent: other } = await world.signIn(email);
  await bind(world, other, 'email', `new-${email}`);
  await page.goto(`${world.origin}/undo#${await undoTokenTo(world, email)}`);
  await page.locator('main button').last().waitFor();
  return agent;
};

const screen = (name: string, open: (page: Page, stage: Stage) => Promise<unknown>): Screen => ({
  name,
  signedIn: false,
  open: async (page, stage) => void (await open(page, stage)),
});

/** Getting an account back, and what keeps it from being taken. */
export const accountBackScreens: readonly Screen[] = [
  screen('recovery-others', async (page, stage) => {
    const { email } = await createPerson(stage);
    await page.goto(`${stage.world.origin}/findbackPWD`);
    await page.locator('input[type=tel]').waitFor();
    await page.getByRole('button', { name: /e-mail|email|電子|电子|邮|почт/i }).click();
    await page.locator('input[type=email]').fill(email);
    await page.locator('form button[type=submit]').click();
    const code = page.locator('input[autocomplete=one-time-code]');
    await code.waitFor();
    await code.fill(await stage.world.codeFor(email, page));
    await page.getByRole('checkbox').check();
  }),
  screen('contact-proof', askForContact),
  screen('contact-wait', async (page, stage) => {
    await askForContact(page, stage);
    await dialog(page).getByRole('button').nth(-3).click();
    await page.locator('[role=alertdialog] p').nth(1).waitFor();
    await page.locator('#step-up-code').waitFor({ state: 'detached' });
  }),
  screen('index-change-waits', async (page, stage) => {
    const { agent } = await enterByPhone(page, stage);
    await agent.delete('/api/account/email?wait=true');
    await openIndex(page, stage);
    await page.locator('[data-setting=email] time').first().waitFor();
  }),
  screen('undo', openLink),
  screen('undo-done', async (page, stage) => {
    await openLink(page, stage);
    await page.locator('main button').last().click();
    await page.locator('main a[href*=findbackPWD]').waitFor();
  }),
  screen('undo-failed', async (page, { world }) => {
    const error = { code: 'unavailable', requestId: 'r' };
    await page.route('**/api/undo/look', (route) => route.fulfill({ status: 503, json: { error } }));
    await page.goto(`${world.origin}/undo#used`);
    await page.getByRole('alert').waitFor();
  }),
  screen('undo-dead', async (page, { world }) => {
    await page.goto(`${world.origin}/undo#used`);
    await page.locator('main a[href*=findbackPWD]').waitFor();
  }),
];
