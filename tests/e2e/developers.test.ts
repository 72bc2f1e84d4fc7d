import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { signInAs } from './stage.ts';

let world: BrowserWorld;
let page: Page;
let developer: string;
beforeAll(async () => {
  world = await createBrowserWorld();
  await world.registerResources([
    {
      identifier: 'https://lights.example/',
      name: 'Lights',
      scopes: [{ name: 'lights:write', description: { en: 'switch your lights' } }],
    },
  ]);
  const { agent, identifier } = await world.signUpDeveloper();
  developer = identifier;
  page = await world.openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await signInAs(page.context(), agent, world.origin);
});
afterAll(async () => {
  expect(world.takeFaults()).toEqual([]);
  await world.close();
});

const go = async (path: string) => {
  await page.goto(`${world.origin}${path}`);
  await page.locator('main h1:visible').first().waitFor();
};
const section = (name: string) => page.locator(`[data-section=${name}]`);
const dialog = () => page.locator('[role=dialog], [role=alertdialog]');
const told = (text: string) => page.locator('output:visible').getByText(text).waitFor();
const clientId = () => new URL(page.url()).pathname.split('/')[2] ?? '';
const pageOfClient = () => `/developers/${clientId()}`;
const parts = () => page.getByRole('navigation', { name: 'Parts of this app' });
const openPart = async (name: string) => {
  await parts().getByRole('link', { name }).click();
  await parts().locator('[aria-current=page]', { hasText: name }).waitFor();
};
/** The client as the server answers it to the page. */
const registered = () => page.evaluate(async (id) => (await fetch(`/api/clients/${id}`)).json(), clientId());

describe('the way to the developers’ pages', () => {
  test('an account that is no developer has no link there, and is told whom to ask', async () => {
    const { agent, identifier } = await world.signUp();
    const other = await world.openPage();
    await signInAs(other.context(), agent, world.origin);
    await other.goto(`${world.origin}/index`);
    await other.locator('main a[href="/tokens"]').waitFor();
    expect(await other.locator('main a[href="/developers"]').count()).toBe(0);
    for (const path of ['/developers', '/developers/some-app']) {
      await other.goto(`${world.origin}${path}`);
      await other.getByText('Your account cannot register apps yet').waitFor();
      // The brand has no support: nobody is told to ask it, and the reader runs the server.
      await other.getByText('Tell the people who run Aurelia what you are building').waitFor();
      await other.getByText(`Your account: ${identifier}`).waitFor();
      await other.getByText(`npx pnpm@12 candela developer allow ${identifier}`).waitFor();
      expect(await other.getByRole('link', { name: 'Ask support' }).count()).toBe(0);
    }
    await other.goto(`${world.origin}/developers/new`);
    await other.getByLabel('What is it called?').fill('Lamp Studio');
    await other.getByLabel('Address 1').fill('https://studio.example/callback');
    await other.getByRole('button', { name: 'Register' }).click();
    await other.getByText('Your account cannot register apps yet').waitFor();
    await other.context().close();
  });

  test('a browser without a session signs in first, and comes back', async () => {
    const other = await world.openPage();
    await other.goto(`${world.origin}/developers?reference=abc`);
    await other.locator('#identifier').waitFor();
    expect(decodeURIComponent(new URL(other.url()).search)).toContain('interaction');
    await other.context().close();
  });

  test('a developer follows a link in the account, and begins with the card of the kind of app', async () => {
    await go('/index');
    await page.locator('main a[href="/developers"]').click();
    await page.getByRole('heading', { name: 'Register your first app' }).waitFor();
    expect(await page.title()).toBe('Developers - Aurelia');
    const cards = page.locator('main li a');
    expect(
      await cards.evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('=')[1])),
    ).toEqual(['web', 'spa', 'native', 'device', 'machine', 'alexa']);
    await page.getByRole('link', { name: 'A voice assistant' }).click();
    await page.getByLabel('Vendor ID at Alexa').waitFor();
    expect(await page.getByRole('radio', { name: /Alexa skill/ }).isChecked()).toBe(true);
    expect(await page.title()).toBe('Register an app - Aurelia');
  });
});

describe('registering a client', () => {
  test('bad answers are refused at their fields, and stay typed', async () => {
    await go('/developers/new');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.locator('main [role=alert]').waitFor();
    expect(await page.locator('main [role=alert] li').allTextContents()).toEqual([
      'Enter a name.',
      'Enter at least one address.',
    ]);
    await go('/developers/new');
    const address = page.getByLabel('Address 1');
    await address.fill('http://studio.example/callback');
    await address.blur();
    await page.getByText('The address must begin with https://.').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('alert').getByText('Enter a name.').waitFor();
    expect(await page.title()).toBe('Error: Register an app - Aurelia');
    // The first letter is Cyrillic.
    await page.getByLabel('What is it called?').fill('\u041bamp Studio');
    await page.getByRole('button', { name: 'Register' }).click();
    const summary = page.locator('main [role=alert]');
    await summary.getByText('This name looks like another one.').waitFor();
    await summary.getByText('The address must begin with https://.').waitFor();
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    await summary.getByRole('link').last().click();
    expect(await address.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await address.inputValue()).toBe('http://studio.example/callback');
  });

  test('CL1: the finished page shows the secret once, and asks who kept it nowhere before it closes', async () => {
    await page.getByLabel('What is it called?').fill('Lamp Studio');
    await page.getByLabel('Address 1').fill('https://studio.example/callback');
    await page.getByRole('button', { name: 'Register' }).click();
    await dialog().getByRole('heading', { name: 'The secret of Lamp Studio' }).waitFor();
    const secret = (await dialog().locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    await page.keyboard.press('Escape');
    await dialog().getByText('Have you kept the secret?').waitFor();
    await dialog().getByRole('button', { name: 'Show it once more' }).click();
    await dialog().getByText(secret).waitFor();
    await dialog().getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    const downloading = page.waitForEvent('download');
    await dialog().getByRole('link', { name: 'Download as .env' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe(`${clientId()}.env`);
    expect(await readFile(await file.path(), 'utf8')).toBe(
      `ISSUER=${world.origin}\nCLIENT_ID=${clientId()}\nCLIENT_SECRET=${secret}\n`,
    );
    await dialog().getByRole('button', { name: 'Done' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await page.content()).not.toContain(secret);
    expect(await page.title()).toBe('Lamp Studio - Aurelia');
    const token = await fetch(`${world.origin}/oauth/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId()}:${secret}`)}` },
      body: new URLSearchParams({ token: 'none' }),
    });
    expect(await token.json()).toEqual({ active: false });
  });

  test('the list has the client, its kind and its state in words', async () => {
    await page.getByRole('link', { name: 'Developers', exact: true }).first().click();
    const row = page.locator('[data-record]').first();
    await row.getByText('No token yet').waitFor();
    expect(await row.textContent()).toMatch(/Lamp StudioWeb appNo token yet/);
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 640 });
    const words = await page.getByText('Apps that you register with').boundingBox();
    const button = await page.getByRole('link', { name: 'Register an app' }).boundingBox();
    expect((button?.y ?? 0) - (words?.y ?? 0) - (words?.height ?? 0)).toBeGreaterThanOrEqual(8);
    if (wide) await page.setViewportSize(wide);
    await row.getByRole('link', { name: 'Lamp Studio' }).click();
    await section('facts').waitFor();
  });
});

describe('the page of a client', () => {
  test('a new secret is added before the old one goes, and the last one stays', async () => {
    await section('secrets').getByRole('button', { name: 'Remove the secret registered' }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await dialog().getByText('This is the last secret that works.').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await section('secrets').getByRole('button', { name: 'Add a secret' }).click();
    await dialog().getByLabel('Name').fill('registered');
    await dialog().getByRole('button', { name: 'Add a secret' }).click();
    await dialog().getByText('There is already a secret with this name.').waitFor();
    await dialog().getByLabel('Name').fill('server-2');
    await dialog().getByRole('radio', { name: '30 days' }).check();
    await dialog().getByRole('button', { name: 'Add a secret' }).click();
    await dialog().getByRole('heading', { name: 'The new secret of Lamp Studio: server-2' }).waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await dialog().getByRole('button', { name: 'Yes, I have kept it' }).click();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Add a secret');
    const added = section('secrets').locator('li').filter({ hasText: 'server-2' });
    expect(await added.textContent()).toMatch(/last usedneverexpires(?:in 4 weeks|next month)/);
    await section('secrets').getByRole('button', { name: 'Remove the secret registered' }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await section('secrets').getByRole('heading', { name: 'registered' }).waitFor({ state: 'detached' });
    // The focus is on the row that is left.
    await page.waitForFunction(() => document.activeElement?.closest('[data-record="secret server-2"]'));
  });

  test('it has four parts, each with an address, a title and the mark of where one is', async () => {
    const path = pageOfClient();
    const names = await parts().getByRole('link').allTextContents();
    expect(names).toEqual(['Overview', 'Settings', 'Try it and code', 'Team and history']);
    expect(await parts().locator('[aria-current=page]').textContent()).toBe('Overview');
    // By keyboard: the ways to the parts come right after the heading.
    await page.locator('h1:visible').focus();
    for (const [index, part] of ['settings', 'code', 'team'].entries()) {
      for (let press = 0; press < index + 2; press += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${path}/${part}`);
      await parts()
        .locator('[aria-current=page]', { hasText: names[index + 1] ?? '' })
        .waitFor();
      await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
      expect(await page.title()).toBe(`${names[index + 1]} - Lamp Studio - Aurelia`);
      expect(await page.locator('main h1:visible').textContent()).toBe('Lamp Studio');
    }
    // An address of a section leads to the part that has it.
    await go(`${path}#ending`);
    await page.waitForURL(`**${path}/settings#ending`);
    await page.waitForFunction(() => document.activeElement?.textContent === 'Disable or delete');
    await page.goBack();
    await go(path);
  });

  test('the first view says whether the app works, and what is next', async () => {
    const status = section('status');
    await status.getByRole('heading', { name: 'Not used yet' }).waitFor();
    expect(await status.locator('dl').textContent()).toMatch(/Last tokenNeverTokens today0Errors today0/);
    const box = await status.getByRole('heading', { name: 'Not used yet' }).boundingBox();
    expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
    await status.getByRole('link', { name: 'Try it' }).click();
    await page.waitForURL('**/code#tryIt');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Try it');
  });

  test('an address is judged as it is left, and again by the server; a saved one can be undone', async () => {
    await openPart('Settings');
    const form = section('addresses');
    await form.getByRole('button', { name: 'Add an address' }).first().click();
    const added = form.getByLabel('Address 2', { exact: true });
    await page.waitForFunction(() => document.activeElement?.matches('input[type=url]'));
    await added.fill('https://*.studio.example/');
    await added.blur();
    await form.getByText('Write the address in full').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText('Write the address in full').waitFor();
    expect(await added.inputValue()).toBe('https://*.studio.example/');
    await added.fill('http://localhost:8080/callback');
    await form.getByRole('button', { name: 'Save' }).click();
    await told('Saved');
    const saved = ['https://studio.example/callback', 'http://localhost:8080/callback'];
    expect((await registered()).redirect_uris).toEqual(saved);
    await page.locator('output:visible').getByRole('button', { name: 'Undo' }).click();
    await told('Operation Successful');
    expect((await registered()).redirect_uris).toEqual(saved.slice(0, 1));
    await added.waitFor({ state: 'detached' });
  });

  test('the preview shows names and reasons as they are typed, and the approval shows them when saved', async () => {
    const preview = section('preview').locator('figure');
    await section('permissions').getByRole('checkbox', { name: /email/ }).waitFor();
    await section('permissions').getByLabel('Why the app asks for “email”').fill('To tell you of lamps');
    await preview.getByText('Lamp Studio says: “To tell you of lamps”').waitFor();
    await preview.getByText('switch your lights').waitFor();
    await section('permissions')
      .getByRole('checkbox', { name: /switch your lights/ })
      .uncheck();
    await preview.getByText('switch your lights').waitFor({ state: 'detached' });
    await section('permissions').getByRole('button', { name: 'Save' }).click();
    await told('Saved');
    await section('links').getByLabel('Name', { exact: true }).fill('Lantern Studio');
    await section('links').getByLabel('Privacy policy').fill('javascript:alert(1)');
    await section('links').getByLabel('Privacy policy').blur();
    await section('links').getByText('An address like this opens no app.').waitFor();
    await preview.getByText('Lantern Studio asks to use your Aurelia account').waitFor();
    expect(await preview.getByRole('link').count()).toBe(0);
    expect(await preview.getByRole('button', { name: 'Allow' }).getAttribute('aria-disabled')).toBe('true');
    await section('links').getByLabel('Privacy policy').fill('https://studio.example/privacy');
    const own = `**/api/clients/${clientId()}`;
    await page.route(own, (route) =>
      route.fulfill({ status: 401, json: { error: { code: 'not_signed_in', requestId: 'r' } } }),
    );
    await section('links').getByRole('button', { name: 'Save' }).click();
    await section('links').getByRole('alert').getByText('Sign in again').waitFor();
    await section('links').getByRole('link', { name: 'Sign in' }).waitFor();
    await page.unroute(own);
    await section('links').getByRole('button', { name: 'Save' }).click();
    await told('Saved');
    await page.getByRole('heading', { name: 'Lantern Studio', level: 1 }).waitFor();
    const asked = new URLSearchParams({
      client_id: clientId(),
      response_type: 'code',
      redirect_uri: 'https://studio.example/callback',
      scope: 'openid email',
      nonce: 'n-0S6_WzA2Mj',
    });
    const path = new URL(page.url()).pathname;
    await page.goto(`${world.origin}/oauth/authorize?${asked}`);
    await page.getByText('Lantern Studio says: “To tell you of lamps”').waitFor();
    await go(path);
  });

  test('each action is a command and a request where the developer asks for it, on each page and after a reload', async () => {
    const command = section('ending').getByText(`candela client disable ${clientId()}`);
    expect(await page.getByText('curl -X').count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Show commands' }).check();
    await command.waitFor();
    const request = `curl -X POST ${world.origin}/api/clients/${clientId()}/disable`;
    await section('ending').getByText(request).waitFor();
    await section('ending').getByRole('button', { name: 'Copy: Command' }).first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `npx pnpm@12 candela client disable ${clientId()}`,
    );
    await page.reload();
    await command.waitFor();
    await page.getByRole('checkbox', { name: 'Show commands' }).uncheck();
    await command.waitFor({ state: 'detached' });
  });

  test('another developer is invited, sees the client, and is taken off with the secret that they made', async () => {
    const { agent, identifier } = await world.signUpDeveloper();
    await openPart('Team and history');
    const members = section('members');
    await members.getByLabel('Phone number or e-mail address').fill('nobody@example.com');
    await members.getByRole('button', { name: 'Invite' }).click();
    await members.getByRole('alert').getByText('No allowed developer has this').waitFor();
    await members.getByText(`open ${new URL(world.origin).host}/developers: the page says how`).waitFor();
    await members.getByLabel('Phone number or e-mail address').fill(identifier);
    const other = await world.openPage();
    await signInAs(other.context(), agent, world.origin);
    await other.goto(page.url());
    await other.getByText('The app could not be loaded').waitFor();
    await members.getByRole('button', { name: 'Invite' }).click();
    await page.locator('output:visible').getByText('can change this app now').waitFor();
    await other.getByRole('button', { name: 'Try again' }).click();
    await other.getByRole('heading', { name: 'Lantern Studio', level: 1 }).waitFor();
    // The message leads to the list, which says since when the app is shared.
    const message = (await world.messages()).findLast(({ to }) => to === identifier);
    expect(message?.purpose).toBe('app_shared');
    await other.goto(/https?:\S+\/developers/.exec(message?.text ?? '')?.[0] ?? '');
    await other
      .locator('[data-record]', { hasText: 'Shared with you' })
      .getByText('Lantern Studio')
      .waitFor();
    const path = `/api/clients/${clientId()}`;
    expect((await agent.post(`${path}/secrets`, { name: 'theirs' })).status).toBe(201);
    await members.getByRole('button', { name: /^Remove .* from this app$/ }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await dialog().waitFor({ state: 'detached' });
    await members.getByRole('heading', { name: /^Which secrets may .* still know\?$/ }).waitFor();
    const theirs = members.locator('[data-record="known theirs"]');
    await theirs.getByText('created by').waitFor();
    await theirs.getByRole('button').click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await theirs.waitFor({ state: 'detached' });
    expect((await registered()).secrets.map(({ name }: { name: string }) => name)).not.toContain('theirs');
    await other.goto(page.url());
    await other.getByText('The app could not be loaded').waitFor();
    await other.context().close();
  });

  test('an app of the brand says before the press that an operator changes it', async () => {
    const setOwn = (isOwn: boolean) =>
      world.db.updateTable('client').set({ first_party: isOwn }).where('id', '=', clientId()).execute();
    await setOwn(true);
    await go(`${pageOfClient()}/settings`);
    for (const name of ['addresses', 'permissions', 'links']) {
      await section(name).getByText('Only an operator can change it').waitFor();
      for (const control of await section(name).locator('form').locator('input, button').all())
        expect(await control.isDisabled()).toBe(true);
      expect(await section(name).locator('button[type=submit]').count()).toBe(0);
    }
    await section('ending').getByText('Only an operator can disable or delete it').waitFor();
    expect(await section('ending').getByRole('button').count()).toBe(0);
    await setOwn(false);
  });

  test('the history says who changed what', async () => {
    await go(`${pageOfClient()}/team`);
    await section('history').getByText('Developer removed').first().waitFor();
    const history = await section('history').textContent();
    expect(history).toMatch(/Developer removed[\s\S]*Changed[\s\S]*Secret removed[\s\S]*Registered/);
    expect(history).toContain('by you');
    expect(history).toContain('http://localhost:8080/callback');
    expect(history).toContain('redirect_uris');
  });

  test('the reference of an error page opens the error of the client', async () => {
    const path = pageOfClient();
    const wrong = new URLSearchParams({
      client_id: clientId(),
      response_type: 'code',
      redirect_uri: 'https://studio.example/other',
      scope: 'openid',
      nonce: 'n-0S6_WzA2Mj',
    });
    // The list is open before the error happens: it knows of none.
    await go('/developers');
    await page.locator('[data-record]').getByText('No token yet').waitFor();
    const visitor = await world.openPage();
    await visitor.goto(`${world.origin}/oauth/authorize?${wrong}`);
    const reference = (await visitor.locator('main code').first().textContent()) ?? '';
    await visitor.context().close();
    world.takeFaults();
    await page.getByLabel('Reference of an error').click();
    await page.keyboard.insertText(reference);
    await page.getByRole('button', { name: 'Find the error' }).click();
    await page.getByText('A new error may take a few seconds to arrive here.').waitFor();
    await world.flushRecords();
    // Two presses: into the field, and on the button.
    await page.getByRole('button', { name: 'Find the error' }).click();
    await page.waitForURL(`**${path}?reference=${reference}#errors`);
    await section('errors').getByText('https://studio.example/other').first().waitFor();
    await go(`/developers?reference=${reference}`);
    await page.waitForURL(`**${path}?reference=${reference}#errors`);
    await section('errors').getByText('https://studio.example/other').first().waitFor();
    await go('/developers');
    await page.locator('[data-record]').getByText('1 error today').waitFor();
    await page.getByLabel('Reference of an error').fill('no-such-reference');
    await page.getByRole('button', { name: 'Find the error' }).click();
    await page.getByText('None of your apps has an error of this reference.').waitFor();
    await go(path);
  });

  test('a disabled client says so until it is enabled', async () => {
    await openPart('Settings');
    await section('ending').getByRole('button', { name: 'Disable' }).click();
    await dialog().getByRole('button', { name: 'Disable' }).click();
    await page.getByText('This app is disabled.').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Enable');
    expect((await registered()).disabled).toBe(true);
    await section('ending').getByRole('button', { name: 'Enable' }).click();
    await page.getByText('This app is disabled.').waitFor({ state: 'detached' });
  });

  test('deleting asks for the name, and leads to the list', async () => {
    const path = pageOfClient();
    await section('ending').getByRole('button', { name: 'Delete' }).click();
    await dialog().getByLabel('Type the name of the app: Lantern Studio').fill('lantern');
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await dialog().getByText('This is not the name of the app.').waitFor();
    await page.keyboard.type('Lantern Studio');
    await page.keyboard.press('Enter');
    await told('Lantern Studio is deleted');
    await page.getByRole('heading', { name: 'Register your first app' }).waitFor();
    await go(path);
    await page.getByText('The app could not be loaded').waitFor();
  });
});

test('a client whose id is an address has a page like any other', async () => {
  const id = 'https://app.example/client.json?v=2';
  await world.registerClients([
    { client_id: id, client_name: 'Sunrise', client_secret: '0'.repeat(32), preset: 'machine' },
  ]);
  await world.inviteDeveloper(id, developer);
  await go('/developers');
  await page.getByRole('link', { name: 'Sunrise' }).click();
  await openPart('Settings');
  await section('links').getByLabel('Name', { exact: true }).fill('Sunset');
  await section('links').getByRole('button', { name: 'Save' }).click();
  await told('Saved');
  await page.reload();
  await page.getByRole('heading', { name: 'Sunset', level: 1 }).waitFor();
  await page.getByRole('checkbox', { name: 'Show commands' }).check();
  const command = section('ending');
  await command
    .getByText(`curl -X POST ${world.origin}/api/clients/${encodeURIComponent(id)}/disable`)
    .waitFor();
  await command.getByText(`candela client disable '${id}'`).waitFor();
  await section('ending').getByRole('button', { name: 'Delete' }).click();
  await dialog().getByLabel('Type the name of the app: Sunset').fill('Sunset');
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await told('Sunset is deleted');
});
