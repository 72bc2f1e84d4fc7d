import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answer, refusal, start } from '../oidc/authorization.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { snapshot } from './routes.ts';
import { bind, nextPhone, otherCode, putPassword } from './settings.ts';

const TEN_MINUTES = 600;

describe('step-up', () => {
  let world: World;
  let shiftSeconds = 0;
  const now = () => new Date(Date.now() + shiftSeconds * 1000);
  beforeAll(async () => {
    world = await createWorld({ now });
  });
  afterAll(() => world.close());
  // The engine dates sign-ins by its own clock.
  beforeEach(() => {
    shiftSeconds = 0;
  });

  const stepUp = (agent: UserAgent, proof: object) => agent.post('/api/step-up', proof);
  /** Deletes a phone number that is not bound: this requires a step-up and changes nothing. */
  const isOpen = async (agent: UserAgent): Promise<boolean> => {
    const { status } = await agent.delete('/api/account/phone');
    expect([204, 403]).toContain(status);
    return status === 204;
  };
  const setCookie = ({ headers }: Answer) => [headers['set-cookie'] ?? []].flat();
  const stepUpCookie = (answered: Answer) =>
    setCookie(answered).find((value) => value.startsWith('_step_up=')) ?? '';
  /** A person who signed in more than ten minutes ago. */
  const signedInBefore = async (identifier?: string) => {
    const person = await world.signUp(identifier);
    shiftSeconds += TEN_MINUTES + 1;
    expect(await isOpen(person.agent)).toBe(false);
    return person;
  };

  const sensitive: [string, string, object | undefined][] = [
    ['PUT', '/api/account/phone', { phone: '+8613800138000', code: '123456' }],
    ['DELETE', '/api/account/phone', undefined],
    ['PUT', '/api/account/email', { email: 'new@example.com', code: '123456' }],
    ['DELETE', '/api/account/email', undefined],
    ['PUT', '/api/account/password', { password: 'starlight88' }],
  ];

  test.each(sensitive)(
    'PW5: %s %s without a step-up is refused, and nothing happens',
    async (method, path, json) => {
      const { agent } = await signedInBefore();
      const before = await snapshot(world);
      expect(refusal(await agent.request(method, path, json && { json }))).toEqual([403, 'step_up_required']);
      expect(await snapshot(world)).toEqual(before);
      expect(refusal(await world.browser().request(method, path, json && { json }))).toEqual([
        401,
        'not_signed_in',
      ]);
    },
  );

  test('a sign-in counts for ten minutes', async () => {
    const { agent } = await world.signUp();
    expect(await isOpen(agent)).toBe(true);
    shiftSeconds += TEN_MINUTES - 5;
    expect(await isOpen(agent)).toBe(true);
    shiftSeconds += 6;
    expect(await isOpen(agent)).toBe(false);
  });

  test('quick login and silent sign-on do not count', async () => {
    const { agent } = await signedInBefore();
    const { uid } = await start(world, { agent, parameters: { prompt: 'select_account' } });
    await answer(agent, `/interaction/${uid}/continue`);
    const app = await world.registerApp();
    await world.link(agent, app.rp);
    await world.link(agent, app.rp);
    expect(await isOpen(agent)).toBe(false);
  });

  test('SE1: the password grants ten minutes, by a separate cookie', async () => {
    const { agent } = await signedInBefore();
    const session = (await agent.jar.getCookies(world.origin)).find(({ key }) => key === '_session')?.value;
    const answered = await stepUp(agent, { password: PASSWORD });
    expect([answered.status, answered.body]).toEqual([204, '']);
    const cookie = stepUpCookie(answered);
    expect(cookie).toMatch(/^_step_up=[\w-]{43}; path=\/; .*samesite=lax; httponly; max-age=\d+$/i);
    expect(setCookie(answered).join()).toMatch(/_step_up\.sig=/);
    const [, value = ''] = /^_step_up=([\w-]+)/.exec(cookie) ?? [];
    expect(value).not.toBe(session);
    expect(JSON.stringify(await snapshot(world))).not.toContain(value);
    expect(await isOpen(agent)).toBe(true);
    shiftSeconds += TEN_MINUTES - 5;
    expect(await isOpen(agent)).toBe(true);
    shiftSeconds += 6;
    expect(await isOpen(agent)).toBe(false);
  });

  test('it is void in another session, and with a forged or changed cookie', async () => {
    const { agent, identifier } = await signedInBefore();
    const { agent: other } = await world.signIn(identifier);
    const { agent: stranger } = await world.signUp();
    shiftSeconds += TEN_MINUTES + 1;
    await stepUp(agent, { password: PASSWORD });
    const cookies = (await agent.jar.getCookies(world.origin)).filter(({ key }) =>
      key.startsWith('_step_up'),
    );
    expect(cookies.map(({ key }) => key).sort()).toEqual(['_step_up', '_step_up.sig']);
    for (const thief of [other, stranger]) {
      for (const cookie of cookies) await thief.jar.setCookie(cookie, world.origin);
      expect(await isOpen(thief)).toBe(false);
    }
    await agent.jar.setCookie(`_step_up=${randomBytes(32).toString('base64url')}; Path=/`, world.origin);
    expect(await isOpen(agent)).toBe(false);
  });

  test('it ends with its session, and signing out deletes it', async () => {
    const { agent, identifier } = await signedInBefore();
    await stepUp(agent, { password: PASSWORD });
    const kept = (await agent.jar.getCookies(world.origin)).filter(({ key }) => key.startsWith('_step_up'));
    const count = async () => (await world.db.selectFrom('step_up').selectAll().execute()).length;
    const before = await count();
    expect((await agent.post('/api/sign-out')).status).toBe(204);
    expect(await count()).toBe(before - 1);
    await world.signIn(identifier, agent);
    shiftSeconds += TEN_MINUTES + 1;
    for (const cookie of kept) await agent.jar.setCookie(cookie, world.origin);
    expect(await isOpen(agent)).toBe(false);
  });

  describe('by password', () => {
    test('a wrong password is refused and counted like a wrong sign-in', async () => {
      const { agent, identifier } = await signedInBefore();
      for (let tries = 0; tries < 10; tries += 1) {
        expect(refusal(await stepUp(agent, { password: 'wrong' }))).toEqual([401, 'invalid_credentials']);
      }
      const limited = await stepUp(agent, { password: PASSWORD });
      expect(refusal(limited)).toEqual([429, 'rate_limited']);
      expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
      const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
      const login = await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
      expect(refusal(login)).toEqual([429, 'rate_limited']);
      expect(await isOpen(agent)).toBe(false);
    });

    test('after a hundred wrong passwords in a row only a code works, and resets the count', async () => {
      const { agent, identifier } = await signedInBefore();
      for (let tries = 0; tries < 100; tries += 1) {
        if (tries % 10 === 0) shiftSeconds += 901;
        await stepUp(agent, { password: 'wrong' });
      }
      shiftSeconds += 901;
      expect(refusal(await stepUp(agent, { password: PASSWORD }))).toEqual([403, 'step_up_required']);
      const code = await world.receiveCode(agent, identifier, 'step-up');
      expect((await stepUp(agent, { identifier, code })).status).toBe(204);
      expect((await stepUp(agent, { password: PASSWORD })).status).toBe(204);
    });

    test('an account without a password gets the answer to a wrong one', async () => {
      const { agent, identifier } = await signedInBefore();
      const owned = world.db.selectFrom('account_identifier').where('value', '=', identifier);
      await world.db.deleteFrom('password').where('account_id', '=', owned.select('account_id')).execute();
      expect(refusal(await stepUp(agent, { password: PASSWORD }))).toEqual([401, 'invalid_credentials']);
    });
  });

  describe('by code', () => {
    test('a code to an identifier of the account works, in any spelling of it', async () => {
      const { agent } = await world.signUp();
      const phone = nextPhone();
      await bind(world, agent, 'phone', phone);
      shiftSeconds += TEN_MINUTES + 1;
      const code = await world.receiveCode(agent, phone, 'step-up');
      const spelled = `${phone.slice(0, 3)} ${phone.slice(3, 6)}-${phone.slice(6)}`;
      expect((await stepUp(agent, { identifier: spelled, code })).status).toBe(204);
      expect((await putPassword(agent, 'starlight88')).status).toBe(204);
      expect(refusal(await stepUp(agent, { identifier: phone, code }))[0]).toBe(401);
    });

    test('a wrong code is counted, and after five the right code is refused too', async () => {
      const { agent, identifier } = await signedInBefore();
      const code = await world.receiveCode(agent, identifier, 'step-up');
      for (let tries = 0; tries < 5; tries += 1) {
        const wrong = await stepUp(agent, { identifier, code: otherCode(code) });
        expect(refusal(wrong)).toEqual([401, 'code_incorrect']);
      }
      expect(refusal(await stepUp(agent, { identifier, code }))).toEqual([401, 'code_exhausted']);
      expect(await isOpen(agent)).toBe(false);
    });

    test('for an identifier outside of the account, used elsewhere or not, no message is sent and all answers are alike', async () => {
      const { agent, identifier } = await signedInBefore();
      const { identifier: taken } = await world.signUp();
      const free = `${randomBytes(6).toString('hex')}@example.com`;
      const sentTo = async (to: string) => (await world.messages()).filter((one) => one.to === to).length;
      const shape = async (to: string) => {
        const sent = await agent.post('/api/codes', { identifier: to, purpose: 'step-up' });
        const tries: unknown[] = [];
        for (let count = 0; count < 6; count += 1) {
          tries.push(refusal(await stepUp(agent, { identifier: to, code: '12' })));
        }
        return [sent.status, Object.keys(sent.json()), Object.keys(sent.headers).sort(), tries];
      };
      const before = [await sentTo(taken), await sentTo(free)];
      const own = await shape(identifier);
      expect(own[0]).toBe(202);
      expect(await shape(taken)).toEqual(own);
      expect(await shape(free)).toEqual(own);
      expect([await sentTo(taken), await sentTo(free)]).toEqual(before);
    });

    test('a code of the account that this browser left does not work for the next account', async () => {
      const { agent, identifier } = await world.signUp();
      const code = await world.receiveCode(agent, identifier, 'step-up');
      await agent.post('/api/sign-out');
      await world.signUp(undefined, agent);
      shiftSeconds += 200;
      const stolen = await stepUp(agent, { identifier, code });
      expect(refusal(stolen)).toEqual([401, 'code_incorrect']);
      expect(stepUpCookie(stolen)).toBe('');
    });

    test.each(['login', 'register', 'recover', 'bind'])(
      'VC5: one asked for to %s does not open',
      async (purpose) => {
        const { agent, identifier } = await signedInBefore();
        const code = await world.receiveCode(agent, identifier, purpose);
        expect(refusal(await stepUp(agent, { identifier, code }))).toEqual([401, 'code_incorrect']);
        expect(await isOpen(agent)).toBe(false);
      },
    );

    test('codes to bind and to step up are sent with a session only', async () => {
      const { identifier } = await world.signUp();
      const before = (await world.messages()).length;
      for (const purpose of ['bind', 'step-up']) {
        const asked = await world.browser().post('/api/codes', { identifier, purpose });
        expect(refusal(asked)).toEqual([401, 'not_signed_in']);
      }
      expect((await world.messages()).length).toBe(before);
    });
  });

  test.each([
    [{}, 'invalid_request'],
    [{ password: '' }, 'password_blank'],
    [{ identifier: 'a@b.example' }, 'invalid_request'],
    [{ code: '123456' }, 'invalid_request'],
    [{ identifier: 'a@b.example', code: '1', password: 'x' }, 'invalid_request'],
    [{ identifier: 'nobody', code: '123456' }, 'identifier_invalid'],
    [{ identifier: 'a@b.example', code: ' ' }, 'code_blank'],
  ])('%j is refused with %s', async (body, code) => {
    const { agent } = await world.signUp();
    expect(refusal(await stepUp(agent, body))).toEqual([400, code]);
  });

  test('nobody without a session steps up', async () => {
    expect(refusal(await stepUp(world.browser(), { password: PASSWORD }))).toEqual([401, 'not_signed_in']);
  });
});
