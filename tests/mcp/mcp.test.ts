import { randomBytes } from 'node:crypto';
import { type Playground, startPlayground } from '@candela/playground';
import { lampApi } from '@candela/playground/lamp-api';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signInAs } from '../e2e/stage.ts';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { type DocumentHost, startDocumentHost } from '../support/document-host.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { freePort } from '../support/world.ts';
import { type Assistant, createAssistant, type Introduction } from './assistant.ts';
import { runConformance } from './conformance.ts';
import { currentSdk, formerSdk } from './sdks.ts';

let world: BrowserWorld;
let lamps: Playground;
let mcp: string;
let web: DocumentHost;
let page: Page;
let person: UserAgent;
/** What the person read before an approval. */
let consents: string[] = [];
const assistants: Assistant[] = [];

beforeAll(async () => {
  web = await startDocumentHost();
  world = await createBrowserWorld({ env: { CLIENT_DOCUMENTS: web.host, DYNAMIC_REGISTRATION: 'open' } });
  lamps = await startPlayground({
    port: 0,
    host: '127.0.0.1',
    issuer: world.origin,
    clientId: 'playground',
    clientSecret: randomBytes(32).toString('base64url'),
  });
  mcp = `${lamps.url}/mcp`;
  await world.registerResources([lampApi(lamps.url)]);
});
afterAll(async () => {
  await lamps?.close();
  await world?.close();
  await web?.close();
});
beforeEach(async () => {
  consents = [];
  person = (await world.signUp()).agent;
  page = await world.openPage();
  await signInAs(page.context(), person, world.origin);
});
afterEach(async () => {
  for (const assistant of assistants.splice(0)) await assistant.close();
  await page.context().close();
  expect(world.takeFaults()).toEqual([]);
});

/** A person reads what the assistant asks for, and allows it. */
const allow = async (url: URL) => {
  await page.goto(url.href);
  await page.waitForURL('**/consent?**');
  const button = page.locator('button:not([aria-disabled])', { hasText: 'Allow' });
  await button.waitFor();
  consents.push((await page.locator('main').textContent()) ?? '');
  await button.click();
  await page.waitForURL('http://127.0.0.1:*/callback?**');
};

const createOf = async (introduction: Introduction, sdk = formerSdk): Promise<Assistant> => {
  const assistant = await createAssistant({ introduction, sdk, url: mcp, openBrowser: allow });
  assistants.push(assistant);
  return assistant;
};

/** The person removes the only app among those that may use the account. */
const withdraw = async () => {
  await page.goto(`${world.origin}/tokens`);
  const apps = page.locator('main li');
  await apps
    .first()
    .getByRole('button', { name: /^Remove access/ })
    .click();
  await page.getByRole('alertdialog').getByRole('button').last().click();
  await page.getByRole('status').getByText('Operation Successful').waitFor();
};

/** Lists and switches lamps, is withdrawn by the person, and asks the person again. */
const useLamps = async (assistant: Assistant) => {
  expect((await assistant.tools()).map(({ name }) => name)).toEqual(['list_lamps', 'switch_lamp']);
  expect(consents).toHaveLength(1);
  expect(consents[0]).toMatch(/see your two example lamps.*switch your two example lamps on and off/s);
  expect(await assistant.call('list_lamps')).toBe('Desk lamp (desk) is off\nHall lamp (hall) is on');
  expect(await assistant.call('switch_lamp', { id: 'desk', on: true })).toBe('Desk lamp (desk) is on');
  expect(await assistant.call('list_lamps')).toContain('Desk lamp (desk) is on');

  // Its access token is over, and it refreshes without the person.
  assistant.outlastAccessToken();
  expect(await assistant.call('list_lamps')).toContain('Desk lamp (desk) is on');
  expect(consents).toHaveLength(1);

  await withdraw();
  assistant.outlastAccessToken();
  expect(await assistant.call('list_lamps')).toContain('Desk lamp (desk) is on');
  expect(consents).toHaveLength(2);
};

test('the conformance runner of MCP finds nothing wrong with the authorization server', async () => {
  const redirect_uris = ['http://127.0.0.1/callback'];
  const json = { client_name: 'Test assistant', redirect_uris, token_endpoint_auth_method: 'none' };
  const registered = await world.browser().request('POST', '/oauth/register', { json });
  for (const clientId of [
    registered.json().client_id,
    web.publish('/oauth/runner.json', { redirect_uris }),
  ]) {
    const port = await freePort();
    const { code, checks } = await runConformance({
      issuer: world.origin,
      clientId,
      resource: mcp,
      port,
      openBrowser: allow,
    });
    expect(checks.filter(({ status }) => status !== 'SUCCESS')).toEqual([]);
    expect(checks.map(({ id }) => id).toSorted()).toEqual([
      'authorization-code-grant',
      'authorization-server-metadata',
      'authorization-server-metadata-cimd',
    ]);
    expect(code).toBe(0);
  }
});

describe('an assistant switches a lamp, made of the MCP SDK', () => {
  test('registered', async () => {
    const clientId = `assistant-${randomBytes(4).toString('hex')}`;
    await world.registerClients([
      {
        client_id: clientId,
        client_name: 'Test assistant',
        preset: 'native',
        redirect_uris: ['http://127.0.0.1/callback'],
      },
    ]);
    await useLamps(await createOf({ registered: { client_id: clientId } }));
  });

  test('by its document', async () => {
    const id = web.publish('/oauth/client.json', {
      client_name: 'Test assistant',
      client_uri: `https://${web.host}/`,
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      software_id: 'unknown to the server',
    });
    const assistant = await createOf({ document: id });
    await useLamps(assistant);
    expect(assistant.clientId()).toBe(id);
    for (const consent of consents) {
      expect(consent).toContain(
        `The details of this app come from ${web.host}, and nobody has checked them.`,
      );
      expect(consent).toContain('Your answer goes to a program on this device.');
    }

    // Its host goes away, and the lamps go on.
    web.forgetAll();
    assistant.outlastAccessToken();
    expect(await assistant.call('list_lamps')).toContain('Desk lamp (desk) is on');
  });

  test('by registering itself, with a scope and a secret that nobody gives it', async () => {
    const assistant = await createOf({
      registersItselfAs: { scope: 'claudeai', token_endpoint_auth_method: 'client_secret_post' },
    });
    await useLamps(assistant);
    const { source } = await world.db
      .selectFrom('client')
      .select('source')
      .where('id', '=', assistant.clientId() ?? '')
      .executeTakeFirstOrThrow();
    expect(source).toBe('dynamic');
    for (const consent of consents) expect(consent).toContain('has not checked who runs this app');
  });

  test('by its document, with the SDK of MCP 2026-07-28', async () => {
    const id = web.publish('/oauth/current.json', {
      redirect_uris: ['http://127.0.0.1/callback', 'https://app.example/callback'],
    });
    await useLamps(await createOf({ document: id }, currentSdk));
  });
});
