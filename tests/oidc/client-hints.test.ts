import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { approvalsOf } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const windows11 = {
  'sec-ch-ua': '"Google Chrome";v="140", "Not=A?Brand";v="24", "Chromium";v="140"',
  'sec-ch-ua-full-version-list':
    '"Google Chrome";v="140.0.7339.81", "Not=A?Brand";v="24.0.0.0", "Chromium";v="140.0.7339.81"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Windows"',
  'sec-ch-ua-platform-version': '"15.0.0"',
};

/** A browser that sends these headers with everything. */
const sending = (headers: Record<string, string>): UserAgent => world.browser({ headers });

const signUpFrom = async (headers: Record<string, string>) => {
  const { agent } = await world.signUp(undefined, sending(headers));
  const [session] = (await agent.get('/api/sessions')).json().items;
  return { agent, session };
};

describe('what browsers tell in client hints', () => {
  test('every page asks for what is not told by itself', async () => {
    const { answer } = await world.browser().navigate('/login');
    expect(answer?.headers['accept-ch']).toBe('Sec-CH-UA-Full-Version-List, Sec-CH-UA-Platform-Version');
  });

  test('is told of the session and of what was approved in it', async () => {
    const { agent, session } = await signUpFrom(windows11);
    const told = {
      browser: { name: 'Chrome', version: '140.0.7339.81' },
      platform: 'desktop',
      os: { name: 'Windows', version: '11' },
    };
    expect(session).toMatchObject(told);
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    expect((await approvalsOf(agent, app))[0]).toMatchObject(told);
  });

  test('goes when the browser tells nothing any more', async () => {
    const headers: Record<string, string> = { ...windows11 };
    const { agent } = await signUpFrom(headers);
    for (const name of Object.keys(headers)) delete headers[name];
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    expect((await agent.get('/api/sessions')).json().items[0].os).toEqual({ name: 'Windows', version: '10' });
  });

  test.each([
    ['markup', { 'sec-ch-ua-platform': '"<script>alert(1)</script>"', 'sec-ch-ua-platform-version': '"13"' }],
    ['SQL', { 'sec-ch-ua-platform': `"'; drop table session --"`, 'sec-ch-ua': `"' or 1=1";v="1"` }],
    ['names of prototypes', { 'sec-ch-ua': '"__proto__";v="1", "constructor";v="2"' }],
    ['nonsense', { 'sec-ch-ua': ';;;,,,"', 'sec-ch-ua-platform': '\\', 'sec-ch-ua-mobile': '?2' }],
    ['far too much', { 'sec-ch-ua': Array(300).fill('"Google Chrome";v="1"').join(', ') }],
  ])('%s in them signs in like anybody, and is not believed', async (_, headers) => {
    const { session } = await signUpFrom(headers);
    expect(session).toMatchObject({
      browser: { name: 'Chrome', version: '140.0.0.0' },
      platform: 'desktop',
      os: { name: 'Windows', version: '10' },
    });
    const { client_hints } = await world.db
      .selectFrom('session')
      .select('client_hints')
      .where('uid', '=', session.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(client_hints).length).toBeLessThan(1_500);
  });
});
