import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { catalogs } from '../../apps/web/src/i18n/catalogs.ts';
import { type AtDesk, hireStaff, idOf } from '../desk/staff.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { violationsOf } from './accessibility.ts';
import { layoutFaults } from './layout-faults.ts';
import { signInAs } from './stage.ts';

let world: BrowserWorld;
let operator: AtDesk;
let viewer: AtDesk;
beforeAll(async () => {
  world = await createBrowserWorld({ env: { DYNAMIC_REGISTRATION: 'open' } });
  operator = await hireStaff(world, 'operator');
  viewer = await hireStaff(world, 'viewer');
});
afterAll(() => world.close());
afterEach(() => expect(world.takeFaults()).toEqual([]));

const open = async (agent: UserAgent, path: string, { lang = 'en', width = 1280 } = {}) => {
  const page = await world.openPage({ viewport: { width, height: width === 360 ? 640 : 800 } });
  await signInAs(page.context(), agent, world.origin);
  await page.context().addCookies([{ name: 'locale', value: lang, url: world.origin }]);
  await page.goto(world.origin + path);
  await page.locator('h1').waitFor();
  return page;
};

/** Gives the reason in the dialog that is open. */
const giveReason = async (page: Page, reason: string) => {
  await page.getByRole('dialog').locator('#reason').fill(reason);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

const isGood = async (page: Page) => {
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.context().close();
};

/** A day on which people signed in, an app was linked, and codes were pumped. */
const liveADay = async () => {
  const { agent, identifier } = await world.signUp();
  const { rp } = await world.registerApp({ client_name: 'Lamp Studio' });
  const { tokens } = await world.link(agent, rp);
  await rp.refresh(tokens.refresh_token ?? '');
  const wrong = world.browser();
  const uid = world.interactionOf((await wrong.navigate('/login')).url);
  await wrong.post(`/interaction/${uid}/login`, { identifier, password: 'wrong1234' });
  await world.flushCounts();
  const pumped = { 'code_sent sms 998': 90, 'code_used sms 998': 2, 'message_taken sms 998': 90 };
  await world.db
    .insertInto('service_count')
    .values({ grain: 'minute', at: new Date(), process: 'another', counts: JSON.stringify(pumped) as never })
    .execute();
};

test('a page of the desk stays on screen until the next one can be drawn', async () => {
  const page = await open(viewer.agent, '/desk');
  await page.locator('#desk-search').waitFor();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await page.route('**/service-page-*.js', async (route) => {
    asked.resolve();
    await answer.promise;
    await route.continue();
  });
  const heading = page.locator('h1');
  const before = await heading.textContent();
  await page.getByRole('link', { name: catalogs.en['desk.service.title'] ?? '', exact: true }).click();
  await asked.promise;
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await heading.textContent()).toBe(before);
  answer.resolve();
  await page.locator('[data-section=sign-ins]').waitFor();
  expect(await heading.textContent()).not.toBe(before);
  await page.context().close();
});

test.each([
  { lang: 'en', width: 1280 },
  { lang: 'ru', width: 360 },
] as const)('an operator withdraws what a second one was asked, in $lang at $width pixels', async (seat) => {
  const { agent } = await world.signUp();
  await world.db
    .insertInto('desk_approval')
    .values({
      id: `asked-${seat.lang}`,
      account_id: await idOf(agent),
      asked_by: operator.id,
      reason: 'The phone is at the bottom of a lake',
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute();
  const page = await open(operator.agent, '/desk/approvals', seat);
  const withdraw = page.getByRole('button', { name: catalogs[seat.lang]['desk.approvals.withdraw'] ?? '' });
  await withdraw.waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/approvals.${seat.lang}.png` });
  await withdraw.click();
  await page.getByRole('dialog').locator('#reason').waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/withdraw.${seat.lang}.png` });
  await giveReason(page, 'It was found');
  await page.getByText(catalogs[seat.lang]['desk.approvals.none'] ?? '').waitFor();
  await isGood(page);
});

describe('the service at the desk', () => {
  test.each([
    { lang: 'en', width: 1280 },
    { lang: 'ru', width: 360 },
    { lang: 'zh-Hans', width: 360 },
    { lang: 'zh-Hant', width: 1280 },
  ] as const)('is read in $lang at $width pixels: charts, and the numbers behind them', async (seat) => {
    await liveADay();
    const page = await open(viewer.agent, '/desk', seat);
    const say = (key: string) => catalogs[seat.lang][key] ?? key;
    await page.getByRole('link', { name: say('desk.service.title'), exact: true }).click();
    const signIns = page.locator('[data-section=sign-ins]');
    await signIns.getByRole('img').waitFor();
    expect(await page.getByRole('img', { name: say('desk.service.spans.day') }).count()).toBe(4);
    await signIns.getByText(say('desk.service.table')).click();
    await signIns
      .getByRole('columnheader', { name: say('desk.service.series.refused'), exact: true })
      .waitFor();
    await signIns.getByText('invalid_credentials').waitFor();
    const gateways = page.locator('[data-section=gateways]');
    await gateways.getByText('SMS +998').waitFor();
    await gateways.getByText(say('desk.service.pumped')).waitFor();
    await page.locator('main select').selectOption('quarter');
    await page
      .getByRole('img', { name: say('desk.service.spans.quarter') })
      .first()
      .waitFor();
    await isGood(page);
  });
});

describe('apps at the desk', () => {
  test('are read by a viewer, who disables none', async () => {
    const { clientId } = await world.registerApp({ client_name: 'Viewed Lamp' });
    const page = await open(viewer.agent, '/desk', { width: 360 });
    await page.locator('#desk-search').fill(clientId);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Viewed Lamp' }).waitFor();
    await page.getByText('No developer does: operators manage it.').waitFor();
    await page.locator('[data-section=history]').getByText('Registered', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Disable' }).count()).toBe(0);
    await isGood(page);
  });

  test('are found by how they registered, disabled with a reason, and enabled again', async () => {
    const registered = await world.browser().request('POST', '/oauth/register', {
      json: {
        client_name: 'An assistant',
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'none',
      },
    });
    expect(registered.status, registered.body).toBe(201);
    const page = await open(operator.agent, '/desk/apps');
    await page.getByRole('combobox', { name: 'Registered by' }).selectOption('dynamic');
    await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'An assistant' }).click();
    await page.getByRole('button', { name: 'Disable' }).click();
    await giveReason(page, 'Asks for everything');
    await page.getByText('This app is disabled: it gets no tokens.').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await giveReason(page, 'Was mended');
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await page.getByRole('link', { name: 'Record' }).click();
    await page.getByRole('cell', { name: 'Was mended' }).waitFor();
    await page.context().close();
  });
});

describe('who wants to register apps', () => {
  test('asks with a sentence, waits, and is let in by an operator', async () => {
    const ada = await world.signUp();
    const page = await open(ada.agent, '/developers', { width: 360 });
    await page.getByRole('button', { name: 'Ask for access' }).click();
    await page.getByText('Say what you are building', { exact: true }).waitFor();
    await page.getByLabel('What are you building?').fill('Lamps for <b>gardens</b>');
    await page.keyboard.press('Enter');
    await page.getByText('You asked for access').waitFor();

    const desk = await open(operator.agent, '/desk/developers', { width: 360 });
    const row = desk.locator('tr', { hasText: 'Lamps for <b>gardens</b>' });
    await row.getByRole('button', { name: /^Allow/ }).click();
    await giveReason(desk, 'Known to us');
    await desk.getByText('Nobody asks.').waitFor();
    await isGood(desk);

    expect((await world.lastMessageTo(ada.identifier)).purpose).toBe('developer_allowed');
    await page.reload();
    await page.getByRole('button', { name: 'Ask for access' }).waitFor({ state: 'detached' });
    await page.locator('a[href^="/developers/new"]').first().waitFor();
    await isGood(page);
  });
});
