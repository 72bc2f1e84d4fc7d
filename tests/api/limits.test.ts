import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
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

  test('VC9: another code within the pause is refused with the seconds to wait, and nothing is sent', async () => {
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

  test('VC11: a block of numbers over its budget is refused, and another block is not', async () => {
    const send = (identifier: string) =>
      world.browser().post('/api/codes', { identifier, purpose: 'register' });
    for (const last of [0, 1, 2, 3]) expect((await send(`+8613800138${last}00`)).status).toBe(202);
    expect(refusal(await send('+86 138 0013 8400'))).toEqual([429, 'rate_limited']);
    expect((await send('+8613900138000')).status).toBe(202);
  });

  test('VC9: a block of numbers that strangers used up has a code for the session of its number', async () => {
    const send = (agent: UserAgent, identifier: string, purpose: string) =>
      agent.post('/api/codes', { identifier, purpose });
    const { agent } = await world.signUp('+8613700138000');
    for (const last of [1, 2, 3])
      expect((await send(world.browser(), `+8613700138${last}00`, 'login')).status).toBe(202);
    expect(refusal(await send(world.browser(), '+8613700138400', 'login'))).toEqual([429, 'rate_limited']);
    expect((await send(agent, '+8613700138000', 'step-up')).status).toBe(202);
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
    // The tests before sent ten codes of strangers from this address.
    expect(statuses).toEqual([...Array(20).fill(202), ...Array(11).fill(429)]);
  });
});

describe('budgets of codes', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({
      env: { ...usual, CODE_RESEND_SECONDS: '0', CODE_PER_ADDRESS_PER_HOUR: '15', TRUST_PROXY: '1' },
    });
  });
  afterAll(() => world.close());

  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const send = async (agent: UserAgent, identifier: string, purpose: string, address = '192.0.2.1') => {
    const answer = await agent.post('/api/codes', { identifier, purpose }, from(address));
    return answer.status === 202 ? 202 : refusal(answer)[1];
  };
  const sendAll = async (count: number, sending: (n: number) => ReturnType<typeof send>) => {
    const answers: (string | number | undefined)[] = [];
    for (let n = 0; n < count; n += 1) answers.push(await sending(n));
    return answers;
  };

  test('VC9: strangers cannot use up the codes of a browser that the account knows, or of a session', async () => {
    const { agent: owner, identifier } = await world.signUp();
    const strangers = await sendAll(6, (n) =>
      send(world.browser(), identifier, ['login', 'recover', 'register'][n % 3] ?? '', `203.0.113.${n}`),
    );
    // One code was sent when the owner registered.
    expect(strangers).toEqual([202, 202, 202, 202, 'rate_limited', 'rate_limited']);
    expect(await send(owner, identifier, 'step-up')).toBe(202);
    expect(await send(owner, 'new-one@example.com', 'bind')).toBe(202);
    expect(await sendAll(4, () => send(owner, identifier, 'step-up'))).toEqual([
      202,
      202,
      202,
      'rate_limited',
    ]);
    expect((await owner.post('/api/sign-out')).status).toBe(204);
    expect(await sendAll(6, (n) => send(owner, identifier, n % 2 ? 'login' : 'recover'))).toEqual([
      ...Array(5).fill(202),
      'rate_limited',
    ]);
  });

  test('VC10: addresses across one /48 together have ten times the codes of one', async () => {
    const outcomes = await sendAll(155, (n) => {
      const network = ((n * 257) % 65_536).toString(16);
      return send(world.browser(), `across${n}@example.com`, 'login', `2001:db8:48:${network}::1`);
    });
    expect(outcomes).toEqual([...Array(150).fill(202), ...Array(5).fill('rate_limited')]);
  });
});

describe('a crowd behind one address', () => {
  const COUNT = 200;
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  test('PW7: 200 right sign-ins at once succeed or are refused as busy; none counts as a guess', async () => {
    const { identifier } = await world.signUp();
    const { hash } = await world.db.selectFrom('password').select('hash').executeTakeFirstOrThrow();
    const at = new Date();
    // Every fourth sign-in is the same person on another device.
    const people = Array.from({ length: COUNT }, (_, n) => (n % 4 ? `crowd${n}@example.com` : identifier));
    for (const value of new Set(people)) {
      if (value === identifier) continue;
      await world.db
        .insertInto('account')
        .values({ id: value, nickname: 'A', locale: 'en', status: 'active', created_at: at, updated_at: at })
        .execute();
      await world.db
        .insertInto('account_identifier')
        .values({ kind: 'email', value, display: value, account_id: value, verified_at: at })
        .execute();
      await world.db.insertInto('password').values({ account_id: value, hash, changed_at: at }).execute();
    }
    const browsers = [];
    for (const person of people) browsers.push({ person, ...(await begin(world)) });
    const answers = await Promise.all(
      browsers.map(({ agent, uid, person }) =>
        agent.post(`/interaction/${uid}/login`, { identifier: person, password: PASSWORD }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused) {
      expect(refusal(answer)).toEqual([503, 'busy']);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(5);
    }
    // The queue holds some seconds of work, however slow the machine is.
    expect(answers.length - refused.length).toBeGreaterThan(COUNT / 10);
    const counters = await world.db.selectFrom('rate_limit').select('key').execute();
    expect(counters.filter(({ key }) => key.startsWith('password.address'))).toEqual([]);
  });
});

/** More than twice what the limits of an address allow; all limits are met on the way. */
const STRANGERS = process.env.FULL ? 1000 : 250;

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

  test('SF5: a thief of the password keeps the owner’s new browsers out neither by the app nor by recovery codes', async () => {
    const { agent, identifier } = await world.signUp();
    const { secret, recoveryCodes } = await turnOnTotp(agent);
    const passing = async (address: string) => {
      const place = await begin(world);
      const given = await tryPassword(place, { identifier, password: PASSWORD, address });
      expect(given).toEqual([403, 'second_factor_required']);
      return async (factor: object) =>
        (await place.agent.post(`/interaction/${place.uid}/second-factor`, factor, from(address))).status;
    };
    const thief = await passing('203.0.113.7');
    const wrong = totpCode(secret, new Date(), -9);
    for (let count = 0; count < 5; count += 1) {
      expect(await thief({ totp: wrong })).toBe(401);
      expect(await thief({ recoveryCode: 'AAAAA-AAAAA' })).toBe(401);
    }
    expect([await thief({ totp: wrong }), await thief({ recoveryCode: 'AAAAA-AAAAA' })]).toEqual([429, 429]);
    expect(await (await passing('198.51.100.9'))({ totp: totpCode(secret, new Date()) })).toBe(200);
    // Behind one address, too, a right recovery code is not refused.
    expect(await (await passing('203.0.113.7'))({ recoveryCode: recoveryCodes[0] })).toBe(200);
  });

  test('PW7, PW8: an attacker is stopped, and the owner’s own browser still signs in', async () => {
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

  test('PW7: a person who must sign in with a code can do so, and afterwards with the password again', async () => {
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

  test(`${STRANGERS} identifiers from one address reveal at most five`, async () => {
    const { identifier: known } = await world.signUp();
    const address = '198.51.100.200';
    const { agent, uid } = await begin(world);
    const told = new Map<string, number>();
    const note = ([status, code]: (string | number)[]) =>
      told.set(`${status} ${code}`, (told.get(`${status} ${code}`) ?? 0) + 1);
    for (let index = 0; index < STRANGERS; index += 1) {
      const identifier = index % 20 === 19 ? known : `someone${index}@example.com`;
      note(await tryPassword({ agent, uid }, { identifier, address }));
    }
    expect(told.get('404 account_not_found')).toBe(5);
    expect([...told.keys()].sort()).toEqual([
      '401 invalid_credentials',
      '404 account_not_found',
      '429 rate_limited',
    ]);
    // Sending a code reveals nothing, for any purpose.
    for (const purpose of ['login', 'register', 'recover']) {
      const shapeOf = async (identifier: string) => {
        const sent = await agent.post('/api/codes', { identifier, purpose }, from(address));
        return [sent.status, Object.keys(sent.json()), Object.keys(sent.headers).sort()];
      };
      expect(await shapeOf(`${purpose}@example.com`)).toEqual(await shapeOf(known));
    }
  });
});
