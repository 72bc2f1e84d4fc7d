import { createLogger } from '@candela/server/logger';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

const callback = 'https://open.bot.tmall.com/oauth/callback';
const TOKEN = 'MjIxMTExMTMk1NUFGRUhJTkZEVlE=';
const redirectUri = `${callback}?skillId=861&token=${TOKEN}`;

let world: World;
let genie: Platform;
const log: string[] = [];
beforeAll(async () => {
  const note = (...line: unknown[]) => void log.push(JSON.stringify(line));
  const logger = Object.assign(createLogger('silent'), {
    isLevelEnabled: () => true,
    ...{ debug: note, info: note, warn: note, error: note },
  });
  world = await createWorld({ logger });
  genie = await registerPlatform(world, {
    metadata: { preset: 'tmall-genie' },
    redirectUri,
    authentication: 'body',
  });
});
afterAll(() => world.close());

const credentials = () => ({ client_id: genie.clientId, client_secret: genie.clientSecret });

/** A token request with parameters in its address, and with a body where there is one. */
const postQuery = async (parameters: Record<string, string>, form?: Record<string, string>) => {
  const answer = await fetch(`${world.origin}/oauth/token?${new URLSearchParams(parameters)}`, {
    method: 'POST',
    ...(form && { body: new URLSearchParams(form) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
};

const codeFor = async (agent: UserAgent, uri = redirectUri) =>
  (await genie.authorize(agent, { redirect_uri: uri, scope: '' })).searchParams.get('code') ?? '';

/** https://aligenie.com/doc/357554/chhley and https://www.aligenie.com/doc/357834/ezvxah, November 2026. */
describe('Tmall Genie links an account', () => {
  test('and gets skillId and token back as they were, beside code and state', async () => {
    const { agent } = await world.signUp();
    const { searchParams } = await genie.authorize(agent, { scope: '', state: '111' });
    expect([...searchParams.keys()].toSorted()).toEqual(['code', 'iss', 'skillId', 'state', 'token']);
    expect(['skillId', 'token', 'state'].map((name) => searchParams.get(name))).toEqual([
      '861',
      TOKEN,
      '111',
    ]);
  });

  test.each([
    ['the registered address, as its documentation writes it', callback],
    ['the whole address', redirectUri],
  ])('by token requests with parameters in the address, which name %s', async (_name, uri) => {
    const { agent } = await world.signUp();
    const code = await codeFor(agent);
    const { status, body } = await postQuery({
      grant_type: 'authorization_code',
      ...credentials(),
      code,
      redirect_uri: uri,
    });
    expect([status, await genie.use(String(body.access_token))]).toEqual([200, 200]);
    const refreshed = await postQuery({
      grant_type: 'refresh_token',
      ...credentials(),
      refresh_token: String(body.refresh_token),
    });
    expect(refreshed.status).toBe(200);
  });

  test('by token requests with parameters in the body, or in both places', async () => {
    const { agent } = await world.signUp();
    const link = { grant_type: 'authorization_code', redirect_uri: redirectUri };
    const inBody = await genie.post('/oauth/token', { ...link, code: await codeFor(agent) });
    expect(inBody.status).toBe(200);
    const inBoth = await postQuery(credentials(), { ...link, code: await codeFor(agent) });
    expect(inBoth.status).toBe(200);
  });
});

describe('Tmall Genie is refused', () => {
  test.each([
    ['one parameter twice', `${redirectUri}&token=another`],
    ['a parameter that is too long', `${callback}?skillId=1&token=${'x'.repeat(513)}`],
    ['a parameter beside the two', `${redirectUri}&next=1`],
    ['one parameter alone', `${callback}?token=1`],
    ['another address', redirectUri.replace('callback', 'callback/x')],
  ])('a redirect URI with %s', async (_name, uri) => {
    const { agent } = await world.signUp();
    const { answer, url } = await agent.navigate(genie.authorizationUrl({ redirect_uri: uri }));
    expect([answer?.status, url.origin]).toEqual([400, world.origin]);
    expect((await agent.get('/api/authorizations')).json().items).toEqual([]);
  });

  test('the code of one person with the parameters of another', async () => {
    const { agent } = await world.signUp();
    const another = redirectUri.replace(TOKEN, 'of-another');
    const { status, body } = await postQuery({
      grant_type: 'authorization_code',
      ...credentials(),
      code: await codeFor(agent),
      redirect_uri: another,
    });
    expect([status, body]).toEqual([400, { error: 'invalid_grant' }]);
  });

  test.each(['client_id', 'code'])('%s in the address and in the body', async (name) => {
    const { agent } = await world.signUp();
    const all: Record<string, string> = {
      grant_type: 'authorization_code',
      ...credentials(),
      code: await codeFor(agent),
      redirect_uri: callback,
    };
    const { status, body } = await postQuery(all, { [name]: all[name] ?? '' });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });
});

test('parameters in the address of a token request are refused for any other client, and link nothing', async () => {
  const other = await registerPlatform(world, {
    metadata: { preset: 'home-assistant' },
    redirectUri: 'https://my.home-assistant.io/redirect/oauth',
    authentication: 'body',
  });
  const { agent } = await world.signUp();
  const arrived = await other.authorize(agent);
  const { status, body } = await postQuery({
    grant_type: 'authorization_code',
    client_id: other.clientId,
    client_secret: other.clientSecret,
    code: arrived.searchParams.get('code') ?? '',
    redirect_uri: 'https://my.home-assistant.io/redirect/oauth',
  });
  expect([status, body.error]).toEqual([400, 'invalid_request']);
  await world.flushRecords();
  const { items } = await world.clientHealth.listErrors(other.clientId, {});
  expect(items[0]).toMatchObject({ error: 'invalid_request', endpoint: '/oauth/token', sent: {} });
  // What is no parameter of a token request is ignored there (RFC 6749 section 3.2), and the code is not spent.
  const kept = await other.post('/oauth/token?version=2', {
    grant_type: 'authorization_code',
    code: arrived.searchParams.get('code') ?? '',
    redirect_uri: 'https://my.home-assistant.io/redirect/oauth',
  });
  expect(kept.status).toBe(200);
});

test('nothing of a person or a token request is in the log, or among the errors that developers see', async () => {
  const { agent } = await world.signUp();
  await agent.navigate(genie.authorizationUrl({ redirect_uri: `${redirectUri}&x=1` }));
  const refused = { code: 'a-code-of-nobody', client_secret: 'a-secret-of-nobody', refresh_token: 'a-token' };
  await postQuery({
    grant_type: 'authorization_code',
    ...credentials(),
    redirect_uri: redirectUri,
    ...refused,
  });
  await postQuery({
    grant_type: 'refresh_token',
    ...credentials(),
    refresh_token: 'a-refresh-token-of-nobody',
  });
  await world.flushRecords();
  const { items } = await world.clientHealth.listErrors(genie.clientId, {});
  expect(items.length).toBeGreaterThanOrEqual(3);
  expect(log.join('')).toContain('/oauth/token');
  for (const text of [log.join(''), JSON.stringify(items)]) {
    for (const secret of [
      TOKEN,
      encodeURIComponent(TOKEN),
      ...Object.values(refused).slice(0, 2),
      'token-of-nobody',
    ])
      expect(text).not.toContain(secret);
    expect(text).not.toContain(genie.clientSecret);
  }
});
