import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  allowDevice,
  askForCode,
  type DeviceApp,
  enterCode,
  expireCodes,
  formToken,
  heard,
  pathOf,
  poll,
  registerDevice,
  sendCode,
  sendForm,
} from '../support/device.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { answer, approvalsOf } from './authorization.ts';

let world: World;
let device: DeviceApp;
let agent: UserAgent;
beforeAll(async () => {
  world = await createWorld();
  device = await registerDevice(world);
});
afterAll(() => world.close());
beforeEach(async () => {
  ({ agent } = await world.signUp());
});

const allow = (person: UserAgent, code: { user_code: string }) => allowDevice(world, person, code);

describe('a person with a user code', () => {
  test('signs in first, and keeps the code meanwhile', async () => {
    const code = await askForCode(device);
    const { url } = await world.browser().navigate(code.verification_uri_complete);
    expect(url.pathname).toBe('/login');
    const person = world.browser();
    const login = await person.navigate(code.verification_uri_complete);
    const back = await world.register(person, world.interactionOf(login.url), 'late@example.com');
    expect(pathOf(back.url)).toBe(`/device?user_code=${code.user_code.replace('-', '')}`);
  });

  test('is asked about the app, its code and its scopes, every time', async () => {
    const own = await registerDevice(world, { first_party: true, client_name: 'Wall Panel' });
    for (const _time of ['first', 'second']) {
      const code = await askForCode(own);
      const consent = await enterCode(agent, code.user_code.toLowerCase().replace('-', ' '));
      expect(consent.pathname).toBe('/consent');
      const details = await world.details(agent, world.interactionOf(consent));
      expect(details).toMatchObject({
        prompt: 'consent',
        client: { name: 'Wall Panel', host: 'tv.example' },
        device: { userCode: code.user_code },
      });
      expect(Date.parse(details.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
      expect(await heard(own, code)).toEqual([400, 'authorization_pending']);
      await world.approve(agent, world.interactionOf(consent));
      expect((await poll(own, code)).status).toBe(200);
    }
    const items = (await agent.get('/api/authorizations')).json().items;
    expect(items.map(({ grantMode }: { grantMode: string }) => grantMode)).toEqual([
      'device_code',
      'device_code',
    ]);
    expect(items[0]).toMatchObject({ browser: { name: 'Chrome' }, os: { name: 'Windows' } });
  });

  test('may leave and return with the code', async () => {
    const code = await askForCode(device);
    await enterCode(agent, code.user_code);
    await enterCode(agent, code.user_code);
    expect(pathOf(await allow(agent, code))).toBe('/device?outcome=connected');
  });

  test('gets an error for an unknown, expired or used code, which stays in the field', async () => {
    expect(pathOf(await enterCode(agent, ''))).toBe('/device?problem=blank');
    expect(pathOf(await enterCode(agent, 'bbbb-bbbb'))).toBe('/device?user_code=BBBBBBBB&problem=unknown');
    const code = await askForCode(device);
    const typed = code.user_code.replace('-', '');
    await allow(agent, code);
    expect(pathOf(await enterCode(agent, typed))).toBe(`/device?user_code=${typed}&problem=used`);
    const late = await askForCode(device);
    const uid = world.interactionOf(await enterCode(agent, late.user_code));
    await expireCodes(world.db);
    const expired = `/device?user_code=${late.user_code.replace('-', '')}&problem=expired`;
    expect(pathOf(await enterCode(agent, late.user_code))).toBe(expired);
    expect((await agent.get(`/interaction/${uid}/details`)).status).toBe(410);
    const { returnTo } = (await agent.post(`/interaction/${uid}/consent`, {})).json();
    expect(pathOf((await agent.navigate(returnTo)).url)).toBe('/device?problem=expired');
    expect(await approvalsOf(agent)).toHaveLength(1);
  });

  test('has a limit of wrong codes for each account, parallel ones included, which spends no code', async () => {
    const xsrf = await formToken(agent);
    const guesses = await Promise.all(
      Array.from({ length: 15 }, () => sendForm(agent, { xsrf, user_code: 'BBBBBBBB' })),
    );
    const problems = guesses.map((path) => new URL(path, world.origin).searchParams.get('problem'));
    expect(problems.filter((problem) => problem === 'unknown')).toHaveLength(10);
    expect(problems.filter((problem) => problem === 'limited')).toHaveLength(5);
    const code = await askForCode(device);
    const refused = await enterCode(agent, code.user_code);
    expect(refused.searchParams.get('problem')).toBe('limited');
    expect(Number(refused.searchParams.get('retry_after'))).toBeGreaterThan(3_000);

    const other = await world.signUp();
    expect((await enterCode(other.agent, code.user_code)).pathname).toBe('/consent');
    await sql`update rate_limit set expires_at = now()`.execute(world.db);
    expect((await enterCode(agent, code.user_code)).pathname).toBe('/consent');
  });

  test('enters right codes without a limit', async () => {
    for (let round = 0; round < 11; round += 1) {
      const { user_code } = await askForCode(device);
      expect((await enterCode(agent, user_code)).pathname).toBe('/consent');
    }
  });

  test('cannot submit a form of another browser’s page', async () => {
    const code = await askForCode(device);
    const user_code = code.user_code.replace('-', '');
    const stranger = await world.signUp();
    const stale = `/device?user_code=${user_code}&problem=stale`;
    for (const xsrf of ['', 'x', await formToken(stranger.agent)]) {
      await formToken(agent);
      expect(pathOf(await sendCode(agent, { xsrf, user_code }))).toBe(stale);
    }
    const nobody = world.browser();
    expect((await sendCode(nobody, { xsrf: 'x', user_code })).pathname).toBe('/login');
    expect((await sendCode(agent, { xsrf: 'x', user_code, abort: 'yes' })).searchParams.get('problem')).toBe(
      'stale',
    );
    expect(await heard(device, code)).toEqual([400, 'authorization_pending']);
  });

  test('gets the page again for a malformed form', async () => {
    const xsrf = await formToken(agent);
    for (const raw of [
      `xsrf=${xsrf}&user_code=BBBB&user_code=CCCC&confirm=yes`,
      `xsrf=${xsrf}&user_code[]=BBBB&confirm=yes`,
      `xsrf=${xsrf}&user_code=%00%ED%A0%80'--&confirm=yes`,
      `xsrf=${xsrf}&user_code=${'B'.repeat(40_000)}&confirm=yes`,
      '{"user_code": "BBBB"}',
    ]) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { status, headers: answered } = await agent.request('POST', '/oauth/device', { raw, headers });
      expect([status, String(answered.location).split('?')[0]]).toEqual([303, '/device']);
      expect(String(answered.location).length).toBeLessThan(80);
    }
    const json = await agent.post('/oauth/device', { xsrf, user_code: 'BBBB' });
    expect(json.status).toBe(303);
    for (const search of [
      '?user_code=a&user_code=b',
      '?user_code[]=x',
      '?problem=x',
      `?${'x'.repeat(3_000)}`,
    ])
      expect((await agent.get(`/device${search}`)).status).toBe(200);
  });
});

describe('the person who answers for a device', () => {
  test('is the first of two people; the other person has approved nothing', async () => {
    const code = await askForCode(device);
    const other = (await world.signUp()).agent;
    const consents = await Promise.all([agent, other].map((person) => enterCode(person, code.user_code)));
    const returns = await Promise.all(
      [agent, other].map(async (person, index) => {
        const uid = world.interactionOf(consents[index] as URL);
        return (await person.post(`/interaction/${uid}/consent`, {})).json().returnTo;
      }),
    );
    const ends = await Promise.all(
      [agent, other].map(async (person, index) => pathOf((await person.navigate(returns[index])).url)),
    );
    expect(ends.toSorted()).toEqual(['/device?outcome=connected', '/device?problem=used']);
    const approvals = [await approvalsOf(agent), await approvalsOf(other)];
    const winner = ends.indexOf('/device?outcome=connected');
    expect(approvals.map((list) => list.length)).toEqual(winner === 0 ? [1, 0] : [0, 1]);
    expect((await poll(device, code)).status).toBe(200);
  });

  test('is a person of this browser: a page of another browser is refused', async () => {
    const code = await askForCode(device);
    const uid = world.interactionOf(await enterCode(agent, code.user_code));
    const other = (await world.signUp()).agent;
    expect((await other.post(`/interaction/${uid}/consent`, {})).status).toBe(410);
    expect((await agent.post(`/interaction/${uid}/consent`, {})).status).toBe(200);
    // The approval exists, but only the browser that gave it can continue.
    expect(pathOf((await other.navigate(`/oauth/device/${uid}`)).url)).toBe('/device?problem=ended');
    expect(await heard(device, code)).toEqual([400, 'authorization_pending']);
  });

  test('must still be signed in when the answer arrives; otherwise the code stays as it was', async () => {
    const code = await askForCode(device);
    const uid = world.interactionOf(await enterCode(agent, code.user_code));
    const { returnTo } = (await agent.post(`/interaction/${uid}/consent`, {})).json();
    await agent.post('/api/sign-out');
    await agent.navigate(returnTo);
    expect(await heard(device, code)).toEqual([400, 'authorization_pending']);
    const { agent: other } = await world.signUp();
    expect(pathOf(await allow(other, code))).toBe('/device?outcome=connected');
  });

  test('may sign out at once: the device still gets its tokens', async () => {
    const code = await askForCode(device);
    await allow(agent, code);
    expect((await agent.post('/api/sign-out')).status).toBe(204);
    expect((await poll(device, code)).status).toBe(200);
  });

  test('may be another account than the signed-in one', async () => {
    const { identifier } = await world.signUp();
    const code = await askForCode(device);
    const uid = world.interactionOf(await enterCode(agent, code.user_code));
    const login = await answer(agent, `/interaction/${uid}/switch-account`);
    expect(login.url.pathname).toBe('/login');
    const consent = await world.login(agent, uid, identifier);
    expect(consent.url.pathname).toBe('/consent');
    const done = await world.approve(agent, world.interactionOf(consent.url));
    expect(pathOf(done.url)).toBe('/device?outcome=connected');
    const { access_token } = (await poll(device, code)).json();
    expect(access_token).toBeTypeOf('string');
    expect(await approvalsOf(agent)).toHaveLength(1);
    expect((await agent.get('/api/account')).json().email).toBe(identifier);
  });

  test('may withdraw before the device has asked, and then gets a page without an error', async () => {
    const code = await askForCode(device);
    const consent = await enterCode(agent, code.user_code);
    const uid = world.interactionOf(consent);
    await world.approve(agent, uid);
    expect(pathOf((await agent.navigate(`/interaction/${uid}`)).url)).toBe('/device?problem=ended');
    await agent.delete('/api/authorizations');
    expect(await heard(device, code)).toEqual([400, 'invalid_grant']);
  });
});
