import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Platform, registerPlatform } from '../support/platform.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

/** Where .ci/run installs Home Assistant. */
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const python = join(cache, 'candela-checks', 'home-assistant', 'bin', 'python');
const isInstalled = existsSync(python);
const why = isInstalled ? '' : ' (skipped: .ci/run has not installed it here)';

interface Told {
  url: string;
  token: { access_token: string; refresh_token: string; expires_in: number; expires_at: number };
  status?: number;
  error?: string;
  reason?: string;
  /** What went wrong in the script itself. */
  failure?: string;
}

/** Starts the real Home Assistant, whose part is in home-assistant.py. */
const startInstallation = () => {
  const child: ChildProcess = spawn(python, [join(import.meta.dirname, 'home-assistant.py')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const waiting = new Map<number, (told: Told) => void>();
  let log = '';
  child.stderr?.on('data', (text) => {
    log += text;
  });
  if (child.stdout)
    createInterface(child.stdout).on('line', (line) => {
      const { id, ...told } = JSON.parse(line);
      waiting.get(id)?.(told);
    });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let last = 0;
  return {
    /** Has it do something. It fails with the log where it ended before it answered, or where the script is wrong. */
    tell: async (command: string, fields: Record<string, unknown> = {}): Promise<Told> => {
      last += 1;
      const id = last;
      child.stdin?.write(`${JSON.stringify({ ...fields, do: command, id })}\n`);
      const told = await Promise.race([new Promise<Told>((resolve) => waiting.set(id, resolve)), ended]);
      if (told && told.failure === undefined) return told;
      throw new Error(told?.failure ?? `Home Assistant ended: ${log}`);
    },
    stop: () => {
      child.stdin?.end();
      return ended;
    },
  };
};

describe.skipIf(!isInstalled)(`Home Assistant itself${why}`, () => {
  let world: World;
  let hub: Platform;
  let home: ReturnType<typeof startInstallation>;
  /** Hands token requests on, and never answers the first of each address. */
  let lossy: Server;
  let lossyUrl: string;
  let lost: number;
  let agent: UserAgent;
  beforeAll(async () => {
    home = startInstallation();
    world = await createWorld();
    hub = await registerPlatform(world, {
      metadata: { preset: 'home-assistant', scope: 'openid profile' },
      redirectUri: 'https://my.home-assistant.io/redirect/oauth',
      authentication: 'body',
    });
    ({ agent } = await world.signUp());
    lost = 0;
    lossy = createServer(async (request, response) => {
      const body = (await request.toArray()).join('');
      const headers = { 'content-type': String(request.headers['content-type']) };
      const answer = await fetch(`${world.origin}/oauth/token`, { method: 'POST', body, headers });
      const text = await answer.text();
      lost += 1;
      if (lost > 1) response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => lossy.once('listening', listening));
    lossyUrl = `http://127.0.0.1:${(lossy.address() as AddressInfo).port}/token`;
  });
  afterAll(async () => {
    await home?.stop();
    lossy?.closeAllConnections();
    lossy?.close();
    await world?.close();
  });

  const credentials = () => ({
    client_id: hub.clientId,
    client_secret: hub.clientSecret,
    origin: world.origin,
  });

  /** The person goes through the flow; returns what the installation keeps. */
  const link = async (flow: string, more: Record<string, unknown> = {}) => {
    const { url: address } = await home.tell('begin', { flow, ...credentials(), ...more });
    const { url } = await agent.navigate(address);
    const back =
      url.pathname === '/consent' ? (await world.approve(agent, world.interactionOf(url))).url : url;
    expect(back.origin + back.pathname).toBe('https://my.home-assistant.io/redirect/oauth');
    return home.tell('finish', { callback: Object.fromEntries(back.searchParams) });
  };

  const isGood = async (flow: string) =>
    (await home.tell('request', { flow, url: `${world.origin}/oauth/userinfo` })).status === 200;

  const refreshed = async (flow: string, more: Record<string, unknown> = {}) => {
    await home.tell('expire', { flow });
    return home.tell('refresh', { flow, ...more });
  };

  test('links by its application credentials, which send no scope, and refreshes by itself', async () => {
    const { token } = await link('first');
    expect(token.expires_in).toBeGreaterThanOrEqual(360);
    expect(await hub.introspect(token.access_token)).toMatchObject({ active: true, scope: 'openid profile' });
    expect(await isGood('first')).toBe(true);
    const { token: next } = await refreshed('first');
    expect(next.access_token).not.toBe(token.access_token);
    expect(await isGood('first')).toBe(true);
  });

  test('links with PKCE, where its release has that', async ({ skip }) => {
    const about = (await home.tell('about')) as unknown as { version: string; pkce: boolean };
    skip(!about.pkce, `Home Assistant ${about.version} has no PKCE`);
    const { token } = await link('pkce', { pkce: true });
    expect(await hub.use(token.access_token)).toBe(200);
    await refreshed('pkce');
    expect(await isGood('pkce')).toBe(true);
  });

  test('ends the flow where the person declines, and where its state is not its own', async () => {
    const { url: address } = await home.tell('begin', { flow: 'declined', ...credentials() });
    const state = new URL(address).searchParams.get('state');
    expect(await home.tell('finish', { callback: { state, error: 'access_denied' } })).toMatchObject({
      reason: 'user_rejected_authorize',
    });
    expect(await home.tell('finish', { callback: { state: 'of another', code: 'x' } })).toMatchObject({
      reason: 'invalid_state',
    });
  });

  test('fails to link with a code that was used, and the link of that code ends no other', async () => {
    await link('kept');
    const { url: address } = await home.tell('begin', { flow: 'twice', ...credentials() });
    const { url } = await agent.navigate(address);
    const back =
      url.pathname === '/consent' ? (await world.approve(agent, world.interactionOf(url))).url : url;
    const { code, state } = Object.fromEntries(back.searchParams);
    await hub.exchange(back);
    const again = await home.tell('finish', { callback: { code, state } });
    expect(again.reason).toMatch(/^oauth_(?:failed|error)$/);
    expect((await refreshed('kept')).error).toBeUndefined();
  });

  test('keeps two links of one account apart, also when both refresh at once', async () => {
    const [one, other] = [await link('house'), await link('cabin')];
    expect(one.token.refresh_token).not.toBe(other.token.refresh_token);
    await Promise.all(['house', 'cabin'].map((flow) => refreshed(flow)));
    expect(await Promise.all(['house', 'cabin'].map(isGood))).toEqual([true, true]);
  });

  test('keeps a link whose entry several sessions refresh at once, each with the same token', async () => {
    await link('busy');
    for (let round = 0; round < 3; round += 1)
      expect((await refreshed('busy', { sessions: 4 })).error).toBeUndefined();
    expect(await isGood('busy')).toBe(true);
  });

  test('keeps a link whose refresh was answered too late: it asks again with the old token', async () => {
    const { token: before } = await link('slow');
    await home.tell('expire', { flow: 'slow' });
    const first = await home.tell('refresh', { flow: 'slow', token_url: lossyUrl, timeout: 2 });
    expect([first.error, lost]).toEqual(['timeout', 1]);
    const { token: after } = await home.tell('refresh', { flow: 'slow' });
    expect(after.access_token).not.toBe(before.access_token);
    expect(await isGood('slow')).toBe(true);
    await refreshed('slow');
    expect(await isGood('slow')).toBe(true);
  });

  test('is refused once the person withdrew the link, and links again', async () => {
    await link('ended');
    await agent.delete('/api/authorizations');
    expect(await refreshed('ended')).toMatchObject({ error: 'status', status: 400 });
    await link('again');
    expect((await refreshed('again')).error).toBeUndefined();
  });
});
