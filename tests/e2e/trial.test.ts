import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { signInAs } from './stage.ts';

describe('a developer tries an app, in Chromium', () => {
  let world: BrowserWorld;
  let agent: UserAgent;
  let identifier: string;
  beforeAll(async () => {
    world = await createBrowserWorld();
    ({ agent, identifier } = await world.signUpDeveloper());
  });
  afterAll(() => world.close());
  afterEach(() => expect(world.takeFaults()).toEqual([]));

  const make = async (json: object) =>
    (await agent.request('POST', '/api/clients', { json })).json() as {
      client: { client_id: string };
      secret: string;
    };

  const openClient = async (id: string, fragment: string) => {
    const page = await world.openPage();
    await signInAs(page.context(), (await world.signIn(identifier)).agent, world.origin);
    await page.goto(`${world.origin}/developers/${id}${fragment}`);
    return page;
  };

  const step = (page: Page, name: string) => page.locator(`[data-step="${name}"]`);

  const answerOf = async (page: Page, name: string) =>
    (await step(page, name).locator('pre').last().textContent()) ?? '';

  const take = async (page: Page, name: string, status = 'HTTP 200') => {
    await step(page, name).getByRole('button', { name: 'Send' }).click();
    await step(page, name).getByText(status).waitFor();
  };

  /** Goes through the sign-in of the other window, and approves. */
  const approveInWindow = async (page: Page) => {
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      step(page, 'authorization').getByRole('button', { name: 'Open the sign-in' }).click(),
    ]);
    await popup.getByRole('button', { name: 'Allow' }).click();
    await step(page, 'authorization').getByText('code=').waitFor();
  };

  test('takes a web app through the whole course; the secret is kept nowhere', async () => {
    const { client, secret } = await make({
      preset: 'web',
      name: 'Sunrise',
      redirect_uris: ['https://sunrise.example/callback'],
    });
    const page = await openClient(client.client_id, '/code');
    await page.getByLabel('Client secret').fill(secret);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await approveInWindow(page);
    await take(page, 'token');
    expect(await answerOf(page, 'token')).toContain('"refresh_token"');
    expect(await step(page, 'claims').textContent()).toContain('"iss"');
    await take(page, 'userinfo');
    await take(page, 'refresh');
    await take(page, 'introspection');
    expect(await answerOf(page, 'introspection')).toContain('"active": true');
    await take(page, 'revocation');
    await take(page, 'introspection');
    await step(page, 'introspection').getByText('"active": false').waitFor();
    await step(page, 'token').getByText('The same as a command').click();
    const commands = (await step(page, 'token').textContent()) ?? '';
    expect(commands).toContain(`-u "${client.client_id}:$CLIENT_SECRET"`);
    expect(await page.content()).not.toContain(`>${secret}`);
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]));
    expect(kept).not.toContain(secret);
    await page.context().close();
  });

  test('sees why a wrong secret is refused, and takes a machine’s short course', async () => {
    const { client, secret } = await make({ preset: 'machine', name: 'Night watch' });
    const page = await openClient(client.client_id, '/code');
    await page.getByLabel('Client secret').fill('wrong-secret-of-at-least-32-characters');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await take(page, 'token', 'HTTP 401');
    await world.flushRecords();
    await step(page, 'token').getByRole('button', { name: 'Why?' }).click();
    await step(page, 'token').getByText('The app sent a secret that is not one of its own.').waitFor();
    await page.getByLabel('Client secret').fill(secret);
    await take(page, 'token');
    // A machine has no code of a person.
    await step(page, 'token').getByText('gets a token for itself').waitFor();
    await take(page, 'introspection');
    await take(page, 'revocation');
    await page.context().close();
  });

  test('plays a device, whose code is entered where a link leads', async () => {
    const { client } = await make({ preset: 'device', name: 'Bedside lamp' });
    const page = await openClient(client.client_id, '/code');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await take(page, 'deviceAuthorization');
    await take(page, 'token', 'HTTP 400');
    const code = await step(page, 'deviceAuthorization').locator('strong').textContent();
    const [device] = await Promise.all([
      page.waitForEvent('popup'),
      step(page, 'deviceAuthorization').getByRole('link', { name: '/device' }).click(),
    ]);
    await device.getByLabel('Code on your device').fill(code ?? '');
    await device.getByRole('button', { name: 'Continue' }).click();
    await device.getByRole('button', { name: 'Allow' }).click();
    await device.getByRole('heading', { name: 'Your device is connected' }).waitFor();
    await step(page, 'token').getByText('Once the person has approved').waitFor();
    await page.context().close();
  });

  test('who sets up a platform copies each value that it asks for', async () => {
    const { client } = await make({ preset: 'alexa', name: 'Lamp skill', vendor_id: 'M2AAAAAAAAAAAA' });
    const page = await openClient(client.client_id, '/code');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const values = page.locator('[data-section=snippets]');
    await values.getByRole('button', { name: 'Copy: Token address' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${world.origin}/oauth/token`);
    expect(await values.getByRole('button', { name: /^(?:Copy|Copied)/ }).count()).toBe(5);
    await page.context().close();
  });

  test('a public app proves itself by nothing; a person who declines is an answer too', async () => {
    const { client } = await make({
      preset: 'spa',
      name: 'Lamp panel',
      redirect_uris: ['https://panel.example/'],
    });
    const page = await openClient(client.client_id, '/code');
    expect(await page.getByLabel('Client secret').count()).toBe(0);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      step(page, 'authorization').getByRole('button', { name: 'Open the sign-in' }).click(),
    ]);
    await popup.getByRole('button', { name: 'Cancel' }).click();
    await step(page, 'authorization').getByText('error=access_denied').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await approveInWindow(page);
    await take(page, 'token');
    expect(await step(page, 'introspection').count()).toBe(0);
    await page.context().close();
  });

  test('finds a refused return address by the reference of its page, and adds it', async () => {
    const { client } = await make({
      preset: 'web',
      name: 'Sunset',
      redirect_uris: ['https://sunset.example/callback'],
    });
    const wrong = 'https://sunset.example/callback/';
    const visitor = await world.openPage();
    const refused = await visitor.goto(
      `${world.origin}/oauth/authorize?client_id=${client.client_id}&response_type=code&redirect_uri=${encodeURIComponent(wrong)}`,
    );
    const reference = refused?.headers()['x-request-id'] ?? '';
    await visitor.getByText(reference).first().waitFor();
    await world.flushRecords();
    world.takeFaults();
    const page = await openClient(client.client_id, `?reference=${reference}#errors`);
    await page.getByRole('heading', { name: 'The return address is not registered' }).waitFor();
    expect(await page.locator('[data-section=errors] mark').allTextContents()).toEqual(['/']);
    await page.getByRole('button', { name: 'Add this address' }).click();
    await page.getByText('The address was added').first().waitFor();
    const { redirect_uris: uris } = (await agent.get(`/api/clients/${client.client_id}`)).json();
    expect(uris).toContain(wrong);
    await page.getByRole('button', { name: 'Show all errors' }).click();
    await page.getByText('1 time', { exact: false }).first().waitFor();
    await page.context().close();
    await visitor.context().close();
  });

  test('sees the last days as a chart and as a table, and programs with the app’s own values', async () => {
    const { client, secret } = await make({
      preset: 'machine',
      name: 'Counter',
    });
    const authorization = `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`;
    for (let index = 0; index < 3; index += 1)
      await agent.request('POST', '/oauth/token', {
        headers: { authorization, origin: '', cookie: '' },
        form: { grant_type: 'client_credentials' },
      });
    await world.flushRecords();
    const page = await openClient(client.client_id, '#usage');
    await page.getByRole('img', { name: 'Tokens: 3. Refreshes: 0. Errors: 0.' }).waitFor();
    await page.getByText('As a table').click();
    expect(await page.locator('[data-section=usage] tbody tr').count()).toBe(1);
    await page.goto(`${world.origin}/developers/${client.client_id}#snippets`);
    await page.waitForURL('**/code#snippets');
    expect(await page.locator('[data-section=snippets]').textContent()).toContain(client.client_id);
    await page.getByText('Get a token for the app itself, without a person.').waitFor();
    await page.context().close();
  });
});
