import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { signInAs } from './stage.ts';

type App = Awaited<ReturnType<BrowserWorld['registerApp']>>;

let world: BrowserWorld;
let app: App;
let agent: UserAgent;
beforeAll(async () => {
  world = await createBrowserWorld();
  app = await world.registerApp();
  ({ agent } = await world.signUp());
  await world.link(agent, app.rp);
});
afterAll(() => world.close());

/** Receives the requests to the app's address, which exists on no network. */
const receive = async (page: Page) => {
  const received: { method: string; fields: Record<string, string> }[] = [];
  await page.route('https://app.example/**', async (route) => {
    const fields = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ''));
    received.push({ method: route.request().method(), fields });
    await route.fulfill({ contentType: 'text/html', body: '<title>The app</title>' });
  });
  return received;
};

describe('response_mode=form_post in a browser', () => {
  test('submits the code to the app by itself, under the page’s policy', async () => {
    const page = await world.openPage();
    await signInAs(page.context(), agent, world.origin);
    const received = await receive(page);
    const { url, checks } = await app.rp.authorizationUrl({ response_mode: 'form_post' });
    await page.goto(url.href);
    await page.waitForURL('https://app.example/callback');
    expect(received).toHaveLength(1);
    const [{ method, fields } = { method: '', fields: {} }] = received;
    expect(method).toBe('POST');
    const tokens = await app.rp.exchange(`${app.redirectUri}?${new URLSearchParams(fields)}`, checks);
    expect(tokens.claims()?.aud).toBe(app.clientId);
    expect(world.takeFaults()).toEqual([]);
    await page.context().close();
  });

  test('and an error as well', async () => {
    const page = await world.openPage();
    const received = await receive(page);
    const { url } = await app.rp.authorizationUrl({ response_mode: 'form_post', prompt: 'none' });
    await page.goto(url.href).catch(() => undefined);
    await page.waitForURL('https://app.example/callback');
    expect(received[0]?.fields).toMatchObject({ error: 'login_required', iss: world.origin });
    expect(world.takeFaults()).toEqual([]);
    await page.context().close();
  });
});

describe('a sign-out that is refused', () => {
  test('ends the session by its button, in a browser without scripts too', async () => {
    for (const javaScriptEnabled of [false, true]) {
      const { agent: person } = await world.signUp();
      const page = await world.openPage({ javaScriptEnabled });
      await signInAs(page.context(), person, world.origin);
      const elsewhere = `post_logout_redirect_uri=${encodeURIComponent('https://evil.example/')}`;
      await page.goto(`${world.origin}/oauth/logout?client_id=${app.clientId}&${elsewhere}`);
      await page.getByText('For developers').click();
      expect(await page.getByText('post_logout_redirect_uri not registered').isVisible()).toBe(true);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.waitForURL(`${world.origin}/oauth/logout/success`);
      expect((await person.get('/api/account')).status).toBe(401);
      expect(world.takeFaults()).toEqual([]);
      await page.context().close();
    }
  });
});
