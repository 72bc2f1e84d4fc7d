import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';

const usual = {
  CODE_RESEND_SECONDS: '60',
  CODE_PER_HOUR: '5',
  CODE_PER_DAY: '10',
  CODE_PER_ADDRESS_PER_HOUR: '30',
};
const WRONG = 'wrongwrong77';

const begin = async (world: World, agent: UserAgent = world.browser()) => {
  const { url } = await agent.navigate('/login');
  return { agent, uid: world.interactionOf(url) };
};

describe('limits of codes', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ env: { ...usual, CODE_PER_PREFIX_PER_HOUR: '4' } });
  });
  afterAll(() => world.close());

  test('VC9: another code before its time is refused with the seconds to wait, and nothing is sent', async () => {
    const identifier = 'early@example.com';
    const send = () => world.browser().post('/api/codes', { identifier, purpose: 'login' });
    const first = await send();
    expect(first.status).toBe(202);
    const wait = Date.parse(first.json().resendAt) - Date.now();
    expect(wait).toBeGreaterThan(55_000);
    expect(wait).toBeLessThanOrEqual(60_000);
    const second = await send();
    expect(refusal(second)).toEqual([429, 'rate_limited']);
    const { retryAfterSeconds } = second.json().error;
    expect(Number(second.headers['retry-after'])).toBe(retryAfterSeconds);
    expect(retryAfterSeconds).toBeGreaterThan(55);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    expect((await world.messages()).filter(({ to }) => to === identifier)).toHaveLength(1);
  });

  test('VC11: a block of numbers over its budget is refused, another is not', async () => {
    const send = (identifier: string) =>
      world.browser().post('/api/codes', { identifier, purpose: 'register' });
    for (const last of [0, 1, 2, 3]) expect((await send(`+8613800138${last}00`)).status).toBe(202);
    expect(refusal(await send('+86 138 0013 8400'))).toEqual([429, 'rate_limited']);
    expect((await send('+8613900138000')).status).toBe(202);
  });

  test('VC10: an address has its number of codes an hour, whatever X-Forwarded-For says', async () => {
    const statuses = [];
    for (let count = 0; count < 31; count += 1) {
      const answer = await world
        .browser()
        .post(
          '/api/codes',
          { identifier: `many${count}@example.com`, purpose: 'login' },
          { headers: { 'x-forwarded-for': `198.51.100.${count}` } },
        );
      statuses.push(answer.status);
    }
    // Six went out of this address in the tests before.
    expect(statuses).toEqual([...Array(24).fill(202), ...Array(7).fill(429)]);
  });
});

describe('limits of passwords', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ env: { TRUST_PROXY: '1', CODE_RESEND_SECONDS: '0' } });
  });
  afterAll(() => world.close());

  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const tryPassword = async (
    { agent, uid }: { agent: UserAgent; uid: string },
    { identifier, password = WRONG, address }: { identifier: string; password?: string; address: string },
  ) => refusal(await agent.post(`/interaction/${uid}/login`, { identifier, password }, from(address)));

  test('PW7, PW8: an attacker is stopped, and the owner’s own browser goes on', async () => {
    const { agent: owner, identifier } = await world.signUp();
    expect((await owner.post('/api/sign-out')).status).toBe(204);
    const attacker = await begin(world);
    for (let count = 0; count < 10; count += 1) {
      expect(await tryPassword(attacker, { identifier, address: '203.0.113.1' })).toEqual([
        401,
        'invalid_credentials',
      ]);
    }
    const right = { identifier, password: PASSWORD };
    expect(await tryPassword(attacker, { ...right, address: '203.0.113.1' })).toEqual([429, 'rate_limited']);
    for (let count = 10; count < 100; count += 1) {
      await tryPassword(attacker, { identifier, address: `203.0.113.${count}` });
    }
    expect(await tryPassword(attacker, { ...right, address: '203.0.113.200' })).toEqual([
      403,
      'step_up_required',
    ]);

    const { uid } = await begin(world, owner);
    const body = { identifier, password: PASSWORD };
    const answer = await owner.post(`/interaction/${uid}/login`, body, from('203.0.113.1'));
    expect(answer.status, answer.body).toBe(200);
  });

  test('PW7: who has to sign in with a code can, and after that with the password', async () => {
    const { identifier } = await world.signUp();
    const stranger = await begin(world);
    for (let count = 0; count < 100; count += 1) {
      await tryPassword(stranger, { identifier, address: `198.51.100.${count}` });
    }
    const { agent, uid } = await begin(world);
    const right = { identifier, password: PASSWORD };
    expect(await tryPassword({ agent, uid }, { ...right, address: '192.0.2.9' })).toEqual([
      403,
      'step_up_required',
    ]);
    const code = await world.receiveCode(agent, identifier, 'login');
    expect((await agent.post(`/interaction/${uid}/login`, { identifier, code })).status).toBe(200);
    const next = await begin(world);
    expect((await next.agent.post(`/interaction/${next.uid}/login`, right)).status).toBe(200);
  });

  test('1,000 identifiers from one address reveal at most five', async () => {
    const { identifier: known } = await world.signUp();
    const address = '198.51.100.200';
    const { agent, uid } = await begin(world);
    const told = new Map<string, number>();
    const note = ([status, code]: (string | number)[]) =>
      told.set(`${status} ${code}`, (told.get(`${status} ${code}`) ?? 0) + 1);
    for (let index = 0; index < 1000; index += 1) {
      const identifier = index % 20 === 19 ? known : `someone${index}@example.com`;
      note(await tryPassword({ agent, uid }, { identifier, address }));
    }
    expect(told.get('404 account_not_found')).toBe(5);
    expect([...told.keys()].sort()).toEqual([
      '401 invalid_credentials',
      '404 account_not_found',
      '429 rate_limited',
    ]);
    // Sending tells nothing at all, for whichever purpose.
    for (const purpose of ['login', 'register', 'recover']) {
      const shapeOf = async (identifier: string) => {
        const sent = await agent.post('/api/codes', { identifier, purpose }, from(address));
        return [sent.status, Object.keys(sent.json()), Object.keys(sent.headers).sort()];
      };
      expect(await shapeOf(`${purpose}@example.com`)).toEqual(await shapeOf(known));
    }
  });
});
