import { type Playground, startPlayground } from '@candela/playground';
import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { openChromium } from './chromium.ts';
import { createWorld, freePort, type WorldOptions } from './world.ts';

export type BrowserWorld = Awaited<ReturnType<typeof createBrowserWorld>>;

/** The world with a real Chromium and the playground as the app. A page that logs an error fails its test. */
export const createBrowserWorld = async (options: WorldOptions = {}) => {
  const world = await createWorld(options);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { clientId, clientSecret } = await world.registerApp({
    client_name: 'Playground',
    client_uri: `${url}/`,
    redirect_uris: [`${url}/callback`],
    post_logout_redirect_uris: [`${url}/`],
  });
  const playground: Playground = await startPlayground({
    port,
    host: '127.0.0.1',
    issuer: world.origin,
    clientId,
    clientSecret,
  });
  const browser = await openChromium();
  const faults: string[] = [];

  /** The requests of each page for a code. */
  const asked = new WeakMap<Page, Request[]>();
  const noteAsking = (page: Page) => {
    const requests: Request[] = [];
    asked.set(page, requests);
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/codes')
        requests.push(request);
    });
  };
  /** When the page asked for the last code that it was promised, by the clock that the server shares. */
  const lastAsked = async (page: Page): Promise<string> => {
    for (const request of (asked.get(page) ?? []).toReversed()) {
      const response = await request.response();
      if (response?.ok()) return new Date(request.timing().startTime).toISOString();
    }
    return '';
  };

  /** A page in a browser of its own. */
  const openPage = async (contextOptions: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: 1280, height: 800 },
      // What moves is drawn again and again, on the processor.
      reducedMotion: 'reduce',
      ...contextOptions,
    });
    const page = await context.newPage();
    noteAsking(page);
    // Shorter than the limit of a test, so that what is waited for has a name; a busy machine is no fault.
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on('console', (message) => {
      // Chromium logs every refused API call as an error; refusals are responses, not faults.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        faults.push(`${page.url()}: ${message.text()}`);
      }
    });
    return page;
  };

  /** The code that the page asked for, as soon as it is in the outbox: an earlier one to the same person does not count. */
  const codeFor = async (to: string, page: Page): Promise<string> => {
    const since = await lastAsked(page);
    for (let attempt = 0; attempt < 2_000; attempt += 1) {
      const found = (await world.messages()).findLast(({ to: other, at }) => other === to && at >= since);
      if (found?.code) return found.code;
      await page.waitForTimeout(50);
    }
    throw new Error(`no code came to ${to}`);
  };

  return {
    ...world,
    playground,
    openPage,
    codeFor,
    /** The errors of pages since the last call: errors of scripts, and of the Content Security Policy. */
    takeFaults: () => faults.splice(0),
    close: async () => {
      await browser.close();
      await playground.close();
      await world.close();
    },
  };
};
