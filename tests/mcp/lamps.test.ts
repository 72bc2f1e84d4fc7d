import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Playground, startPlayground } from '@candela/playground';
import { lampApi } from '@candela/playground/lamp-api';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RelyingParty } from '../support/relying-party.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let lamps: Playground;
let url: string;
let app: RelyingParty;
let signUp: Awaited<ReturnType<World['signUp']>>;
beforeAll(async () => {
  world = await createWorld();
  lamps = await startPlayground({
    port: 0,
    host: '127.0.0.1',
    issuer: world.origin,
    clientId: 'playground',
    clientSecret: randomBytes(32).toString('base64url'),
  });
  url = `${lamps.url}/mcp`;
  await world.registerResources([
    lampApi(lamps.url),
    { identifier: 'https://other.example/', name: 'Other API', scopes: [{ name: 'lamps:read' }] },
  ]);
  ({ rp: app } = await world.registerApp());
  signUp = await world.signUp();
});
afterAll(async () => {
  await lamps?.close();
  await world?.close();
});

const tokenFor = async (scope: string, resource = url, { agent } = signUp) => {
  const { url: request, checks } = await app.authorizationUrl({ scope, resource });
  const page = await agent.navigate(request);
  const isAsked = page.url.pathname === '/consent';
  const arrived = isAsked ? await world.approve(agent, world.interactionOf(page.url)) : page;
  return (await app.exchange(arrived.url, checks, { resource })).access_token;
};

const post = (token?: string, tool?: string, args: Record<string, unknown> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: tool ? 'tools/call' : 'tools/list',
      params: tool ? { name: tool, arguments: args } : {},
    }),
  });

const challengeOf = (answer: Response) => answer.headers.get('www-authenticate') ?? '';

describe('the MCP server with two lamps', () => {
  test('tells a caller without a token where its description is, and the description who gives tokens', async () => {
    const answer = await post();
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toContain(
      `resource_metadata="${lamps.url}/.well-known/oauth-protected-resource/mcp"`,
    );
    expect(challengeOf(answer)).toContain('scope="lamps:read lamps:switch"');
    for (const path of ['', '/mcp']) {
      const found = await fetch(`${lamps.url}/.well-known/oauth-protected-resource${path}`);
      expect(found.headers.get('access-control-allow-origin')).toBe('*');
      expect(await found.json()).toMatchObject({
        resource: url,
        authorization_servers: [world.origin],
        scopes_supported: ['lamps:read', 'lamps:switch'],
        bearer_methods_supported: ['header'],
      });
    }
  });

  test('serves clients of revision 2026-07-28, each person with lamps of their own', async () => {
    const token = await tokenFor('lamps:read lamps:switch');
    const other = await tokenFor('lamps:read', url, await world.signUp());
    const connect = async (accessToken: string) => {
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(url), { authProvider: { token: async () => accessToken } }),
      );
      return client;
    };
    const [mine, theirs] = await Promise.all([connect(token), connect(other)]);
    const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })).content;
    expect(await call(mine, 'switch_lamp', { id: 'desk', on: true })).toEqual([
      { type: 'text', text: 'Desk lamp (desk) is on' },
    ]);
    expect(JSON.stringify(await call(theirs, 'list_lamps'))).toContain('Desk lamp (desk) is off');
    expect(JSON.stringify(await call(mine, 'switch_lamp', { id: 'cellar', on: true }))).toContain(
      'There is no lamp',
    );
    await Promise.all([mine.close(), theirs.close()]);
  });

  test('wants the scope of a tool, and names it', async () => {
    const token = await tokenFor('lamps:read');
    expect((await post(token, 'list_lamps')).status).toBe(200);
    const answer = await post(token, 'switch_lamp', { id: 'desk', on: true });
    expect(answer.status).toBe(403);
    expect(challengeOf(answer)).toMatch(/error="insufficient_scope".*scope="lamps:read lamps:switch"/);
    const without = await tokenFor('lamps:switch');
    expect((await post(without, 'list_lamps')).status).toBe(403);
  });

  test('refuses a token for another API, an opaque one, an id_token and an altered one', async () => {
    const right = await tokenFor('lamps:read');
    const { rp } = await world.registerApp();
    const { tokens } = await world.link(signUp.agent, rp);
    const [head, payload, signature = ''] = right.split('.');
    const altered = [head, payload, signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))].join(
      '.',
    );
    for (const token of [
      await tokenFor('lamps:read', 'https://other.example/'),
      tokens.access_token,
      tokens.id_token ?? '',
      altered,
      `${head}.${payload}.`,
      'x',
    ]) {
      const answer = await post(token, 'list_lamps');
      expect([token, answer.status]).toEqual([token, 401]);
      expect(challengeOf(answer)).toContain('error="invalid_token"');
    }
    expect((await post(right, 'list_lamps')).status).toBe(200);
  });

  test('lets pages of any origin ask, with a token', async () => {
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://inspector.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, mcp-protocol-version',
      },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toBe('authorization, mcp-protocol-version');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('explains itself to a person who opens its address', async () => {
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toContain('text/html');
    const text = await page.text();
    expect(text).toContain('Two lamps for your AI assistant');
    expect(text).toContain(url);
    expect(text).toContain(`${world.origin}/tokens`);
  });

  test('has an API as docs/integrating/assistants.md registers one', async () => {
    const page = readFileSync(new URL('../../docs/integrating/assistants.md', import.meta.url), 'utf8');
    const [, entries = ''] = /```json\n(\[.*?)```/s.exec(page) ?? [];
    expect(await world.registerResources(JSON.parse(entries))).toMatchObject([{ outcome: 'added' }]);
  });

  test('reads messages of a bounded length', async () => {
    const token = await tokenFor('lamps:read');
    expect((await post(token, 'list_lamps', { a: 'a'.repeat(70_000) })).status).toBe(413);
  });
});
