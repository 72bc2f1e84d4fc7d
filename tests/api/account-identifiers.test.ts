import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refusal, start } from '../oidc/authorization.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { snapshot } from './routes.ts';
import {
  bind,
  type IdentifierKind,
  nextPhone,
  otherCode,
  patchAccount,
  putIdentifier,
  readAccount,
} from './settings.ts';

let world: World;
let shiftSeconds = 0;
beforeAll(async () => {
  world = await createWorld({ now: () => new Date(Date.now() + shiftSeconds * 1000) });
});
afterAll(() => world.close());
// The engine dates sign-ins by its own clock.
beforeEach(() => {
  shiftSeconds = 0;
});

const nextEmail = () => `${randomBytes(6).toString('hex')}@example.com`;
const nextOf = { phone: nextPhone, email: nextEmail };
const messagesTo = async (to: string) => (await world.messages()).filter((message) => message.to === to);
const noticesTo = async (to: string) =>
  (await messagesTo(to)).filter(({ code }) => code === undefined).map(({ purpose }) => purpose);
/** The account that a code for the identifier signs in to. */
const signInByCode = async (identifier: string, to = identifier) => {
  const agent = world.browser();
  const { uid } = await start(world, { agent });
  const code = await world.receiveCode(agent, identifier, 'login', to);
  return agent.post(`/interaction/${uid}/login`, { identifier, code });
};

describe.each<[IdentifierKind, IdentifierKind]>([
  ['phone', 'email'],
  ['email', 'phone'],
])('the %s of an account that has a %s', (kind, other) => {
  const signUp = async () => {
    const { agent, identifier } = await world.signUp(nextOf[other]());
    return { agent, contact: identifier };
  };

  test('is bound by a code sent to it, and signs in from then on', async () => {
    const { agent, contact } = await signUp();
    const before = await readAccount(agent);
    const added = nextOf[kind]();
    expect(await bind(world, agent, kind, added)).toEqual({ ...before, [kind]: added });
    expect((await signInByCode(added)).status).toBe(200);
    expect((await signInByCode(contact)).status).toBe(200);
    for (const to of [added, contact]) expect(await noticesTo(to)).toEqual([`${kind}_bound`]);
  });

  test('PW13: after a change the new one signs in instead of the old one, and every contact gets a notice in the person’s language', async () => {
    const { agent, contact } = await signUp();
    await patchAccount(agent, { locale: 'ru' });
    const [old, changed] = [nextOf[kind](), nextOf[kind]()];
    await bind(world, agent, kind, old);
    expect(await bind(world, agent, kind, changed)).toMatchObject({ [kind]: changed, [other]: contact });
    expect((await signInByCode(changed)).status).toBe(200);
    expect(refusal(await signInByCode(old))).toEqual([404, 'account_not_found']);
    expect(await noticesTo(old)).toEqual([`${kind}_bound`, `${kind}_changed`]);
    expect(await noticesTo(changed)).toEqual([`${kind}_changed`]);
    expect(await noticesTo(contact)).toEqual([`${kind}_bound`, `${kind}_changed`]);
    for (const to of [old, changed, contact]) {
      const notice = (await messagesTo(to)).findLast(({ purpose }) => purpose === `${kind}_changed`);
      expect(notice).toMatchObject({ locale: 'ru', text: expect.stringMatching(/измен[её]на?.* на /) });
      expect(notice?.text).not.toContain(changed);
    }
  });

  test('a change leaves sessions and approvals as they are', async () => {
    const { agent, contact } = await signUp();
    const { agent: second } = await world.signIn(contact);
    const app = await world.registerApp();
    const { tokens } = await world.link(agent, app.rp);
    const told = async () => (await app.rp.userinfo(tokens.access_token)).updated_at ?? 0;
    const before = await told();
    shiftSeconds = 5;
    await bind(world, agent, kind, nextOf[kind]());
    expect(await told()).toBeGreaterThan(before);
    await bind(world, agent, kind, nextOf[kind]());
    expect((await agent.delete(`/api/account/${other}`)).status).toBe(204);
    for (const one of [agent, second]) expect((await one.get('/api/account')).status).toBe(200);
    expect((await app.rp.refresh(tokens.refresh_token ?? '')).access_token).toEqual(expect.any(String));
  });

  test('a wrong code is counted and changes nothing; after five wrong codes the right code is refused', async () => {
    const { agent } = await signUp();
    const added = nextOf[kind]();
    const code = await world.receiveCode(agent, added, 'bind');
    for (let tries = 0; tries < 5; tries += 1) {
      const wrong = await putIdentifier(agent, kind, added, otherCode(code));
      expect(refusal(wrong)).toEqual([401, 'code_incorrect']);
      expect(wrong.json().error.fields).toEqual({ code: 'code_incorrect' });
    }
    expect(refusal(await putIdentifier(agent, kind, added, code))).toEqual([401, 'code_exhausted']);
    expect(await readAccount(agent)).not.toHaveProperty(kind);
    expect(await noticesTo(added)).toEqual([]);
  });

  test('a code is valid once, for its own identifier, in its own browser, for five minutes', async () => {
    const { agent, contact } = await signUp();
    const { agent: elsewhere } = await world.signIn(contact);
    const [added, another] = [nextOf[kind](), nextOf[kind]()];
    const code = await world.receiveCode(agent, added, 'bind');
    expect(refusal(await putIdentifier(agent, kind, another, code))).toEqual([401, 'code_incorrect']);
    expect(refusal(await putIdentifier(elsewhere, kind, added, code))).toEqual([401, 'code_incorrect']);
    expect((await putIdentifier(agent, kind, added, code)).status).toBe(200);
    expect(refusal(await putIdentifier(agent, kind, added, code))).toEqual([401, 'code_expired']);
    const late = await world.receiveCode(agent, another, 'bind');
    shiftSeconds = 301;
    expect(refusal(await putIdentifier(agent, kind, another, late))).toEqual([401, 'code_expired']);
    expect((await readAccount(agent))[kind]).toBe(added);
  });

  test.each(['login', 'register', 'recover', 'step-up'])(
    'VC5: a code asked for to %s does not bind',
    async (purpose) => {
      const { agent, contact } = await signUp();
      const code = await world.receiveCode(agent, contact, purpose);
      expect(refusal(await putIdentifier(agent, other, contact, code))).toEqual([401, 'code_incorrect']);
    },
  );

  test('VC5: a code requested to bind opens nothing else', async () => {
    const { agent, contact: identifier } = await signUp();
    const code = await world.receiveCode(agent, identifier, 'bind');
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    for (const path of [`/interaction/${uid}/login`, '/api/recovery/verify', '/api/step-up']) {
      expect(refusal(await agent.post(path, { identifier, code }))).toEqual([401, 'code_incorrect']);
    }
  });

  test('only the right code reveals that another account has the identifier, and the code stays valid', async () => {
    const taken = nextOf[kind]();
    const owner = await world.signUp(taken);
    const { agent, contact } = await signUp();
    const asked = await agent.post('/api/codes', { identifier: taken, purpose: 'bind' });
    expect(asked.status).toBe(202);
    const { code = '' } = await world.lastMessageTo(taken);
    expect(refusal(await putIdentifier(agent, kind, taken, otherCode(code)))).toEqual([
      401,
      'code_incorrect',
    ]);
    const before = await snapshot(world);
    const refused = await putIdentifier(agent, kind, taken, code);
    expect(refusal(refused)).toEqual([409, 'identifier_taken']);
    expect(refused.json().error).not.toHaveProperty('ticket');
    expect(await snapshot(world)).toEqual(before);
    expect(await noticesTo(contact)).toEqual([]);
    expect((await readAccount(owner.agent))[kind]).toBe(taken);

    await bind(world, owner.agent, kind, nextOf[kind]());
    const again = await world.receiveCode(agent, taken, 'bind');
    expect((await putIdentifier(agent, kind, taken, again)).json()[kind]).toBe(taken);
  });

  test('PW5: a right code that comes without a step-up is not spent', async () => {
    const { agent } = await signUp();
    const added = nextOf[kind]();
    shiftSeconds = 601;
    const code = await world.receiveCode(agent, added, 'bind');
    expect(refusal(await putIdentifier(agent, kind, added, code))).toEqual([403, 'step_up_required']);
    expect((await agent.post('/api/step-up', { password: 'moonlight77' })).status).toBe(204);
    expect((await putIdentifier(agent, kind, added, code)).status).toBe(200);
  });

  test('proofs of the old identifier open nothing any more', async () => {
    const { agent } = await signUp();
    const old = nextOf[kind]();
    await bind(world, agent, kind, old);
    const holder = world.browser();
    const { uid } = await start(world, { agent: holder });
    const code = await world.receiveCode(holder, old, 'login');
    const verify = { identifier: old, code, purpose: 'login' };
    const { ticket } = (await holder.post(`/interaction/${uid}/verify`, verify)).json();
    const recovery = await world.receiveCode(holder, old, 'recover');
    const unused = await world.receiveCode(holder, old, 'login');
    await bind(world, agent, kind, nextOf[kind]());
    const login = `/interaction/${uid}/login`;
    expect(refusal(await holder.post(login, { identifier: old, ticket }))).toEqual([401, 'ticket_invalid']);
    expect(refusal(await holder.post(login, { identifier: old, code: unused }))).toEqual([
      401,
      'code_incorrect',
    ]);
    const recover = { identifier: old, code: recovery };
    expect(refusal(await holder.post('/api/recovery/verify', recover))).toEqual([401, 'code_incorrect']);
  });

  test('after unbinding it signs in no more, and both contacts get a notice; unbinding it again changes nothing', async () => {
    const { agent, contact } = await signUp();
    const added = nextOf[kind]();
    await bind(world, agent, kind, added);
    expect((await agent.delete(`/api/account/${kind}`)).status).toBe(204);
    expect(await readAccount(agent)).not.toHaveProperty(kind);
    expect(refusal(await signInByCode(added))).toEqual([404, 'account_not_found']);
    expect((await signInByCode(contact)).status).toBe(200);
    for (const to of [added, contact])
      expect(await noticesTo(to)).toEqual([`${kind}_bound`, `${kind}_unbound`]);
    const before = await snapshot(world);
    expect((await agent.delete(`/api/account/${kind}`)).status).toBe(204);
    expect(await snapshot(world)).toEqual(before);
    expect(await noticesTo(contact)).toHaveLength(2);
  });

  test('the last identifier cannot be unbound, not even by two requests at once', async () => {
    const { agent, contact } = await signUp();
    expect(refusal(await agent.delete(`/api/account/${other}`))).toEqual([409, 'last_identifier']);
    expect((await readAccount(agent))[other]).toBe(contact);
    await bind(world, agent, kind, nextOf[kind]());
    const answers = await Promise.all([
      agent.delete(`/api/account/${kind}`),
      agent.delete(`/api/account/${other}`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const left = await readAccount(agent);
    expect([left.phone, left.email].filter(Boolean)).toHaveLength(1);
  });

  test('of parallel uses of one code one binds, and every contact gets one notice', async () => {
    const { agent, contact } = await signUp();
    const added = nextOf[kind]();
    const code = await world.receiveCode(agent, added, 'bind');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => putIdentifier(agent, kind, added, code)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)]);
    expect(await noticesTo(contact)).toEqual([`${kind}_bound`]);
  });

  test('binding it once more changes nothing and sends no notice', async () => {
    const { agent, contact } = await signUp();
    const own = nextOf[kind]();
    const account = await bind(world, agent, kind, own);
    expect(await bind(world, agent, kind, own)).toEqual(account);
    expect(await noticesTo(contact)).toEqual([`${kind}_bound`]);
  });
});

describe('the spellings of an identifier', () => {
  const put = async (agent: UserAgent, kind: IdentifierKind, value: unknown, code: unknown = '123456') =>
    agent.request('PUT', `/api/account/${kind}`, { json: { [kind]: value, code } });

  test.each<[IdentifierKind, unknown, string]>([
    ['phone', '', 'phone_blank'],
    ['phone', ' ', 'phone_blank'],
    ['phone', 'ada@example.com', 'phone_invalid'],
    ['phone', '13800138000', 'phone_invalid'],
    ['phone', '+8613800138000 ext. 5', 'phone_invalid'],
    ['phone', `+${'1'.repeat(70)}`, 'phone_invalid'],
    ['phone', 86, 'invalid_request'],
    ['email', '', 'email_blank'],
    ['email', undefined, 'email_blank'],
    ['email', '+8613800138000', 'email_invalid'],
    ['email', 'ada＠example.com', 'email_invalid'],
    ['email', 'a@b.example\r\nBcc: x@y.example', 'email_invalid'],
    ['email', 'a@b.example,c@d.example', 'email_invalid'],
    ['email', `${'a'.repeat(330)}@example.com`, 'email_invalid'],
    ['email', ['a@b.example'], 'invalid_request'],
  ])('as %s %j is %s', async (kind, value, code) => {
    const { agent } = await world.signUp();
    const before = await snapshot(world);
    const refused = await put(agent, kind, value);
    expect(refusal(refused)).toEqual([400, code]);
    expect(refused.json().error.fields).toEqual({ [kind]: code });
    expect(await snapshot(world)).toEqual(before);
  });

  test('any spelling of a phone number means that number, and an e-mail address is shown as typed', async () => {
    const { agent } = await world.signUp(nextPhone());
    const code = await world.receiveCode(agent, '+86 139 0013 9000', 'bind', '+8613900139000');
    const phone = await put(agent, 'phone', '+86-139-0013-9000', ` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect(phone.json().phone).toBe('+8613900139000');
    const email = await world.receiveCode(agent, 'Ada.L@Example.COM', 'bind', 'ada.l@example.com');
    expect((await put(agent, 'email', 'Ada.L@Example.COM', email)).json().email).toBe('Ada.L@example.com');
  });
});
