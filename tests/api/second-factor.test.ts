import { randomBytes } from 'node:crypto';
import type { Activity } from '@candela/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answer, refusal, start } from '../oidc/authorization.ts';
import { askPasskey, givePasskey, usePasskey } from '../support/passkeys.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { snapshot } from './routes.ts';
import {
  bind,
  nextPhone,
  otherCode,
  proveByCode,
  putIdentifier,
  putPassword,
  readAccount,
  undoTokenTo,
} from './settings.ts';

const DAY = 86_400;

const STEP_MS = 30_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('the second factor', () => {
  let world: World;
  let shiftSeconds = 0;
  let base = Date.now();
  const now = () => new Date(base + shiftSeconds * 1000);
  beforeAll(async () => {
    world = await createWorld({ now });
  });
  afterAll(() => world.close());
  // The clock stands still in a test, in the middle of a step of the app.
  beforeEach(() => {
    base = Math.floor(Date.now() / STEP_MS) * STEP_MS + STEP_MS / 2;
    shiftSeconds = 0;
  });

  const withFactor = async () => {
    const person = await world.signUp();
    return { ...person, ...(await turnOnTotp(person.agent, now())) };
  };
  /** A right password in a sign-in of its own, which then waits for the factor. */
  const passwordOf = async (identifier: string, agent = world.browser()) => {
    const { uid } = await start(world, { agent, parameters: { prompt: 'login' } });
    const given = await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    return { agent, uid, given };
  };
  const factorDue = async (identifier: string, agent = world.browser()) => {
    const { uid, given } = await passwordOf(identifier, agent);
    expect(refusal(given)).toEqual([403, 'second_factor_required']);
    return { agent, uid, pass: (body: object) => agent.post(`/interaction/${uid}/second-factor`, body) };
  };
  const signedIn = async (identifier: string, body: object, agent = world.browser()) => {
    const { uid } = await factorDue(identifier, agent);
    await answer(agent, `/interaction/${uid}/second-factor`, body);
    return agent;
  };
  const disputeFirst = async (agent: UserAgent, kind: string) => {
    const { items } = (await agent.get('/api/activity')).json();
    const id = items.find((item: Activity) => item.kind === kind)?.id;
    return agent.post(`/api/activity/${id}/dispute`);
  };
  const waysOf = async (agent: UserAgent) => (await agent.get('/api/ways')).json();
  const noticesTo = async (to: string) =>
    (await world.messages())
      .filter((message) => message.to === to && message.code === undefined)
      .map(({ purpose }) => purpose);
  /** A session whose only fresh proof is the one that is given. */
  const proven = async (agent: UserAgent, prove: () => object | Promise<object>) => {
    shiftSeconds += 601;
    const answered = await agent.post('/api/step-up', await prove());
    expect(answered.status, answered.body).toBe(204);
  };

  test('SF1: an app is set up by a right code alone, and its recovery codes are shown once', async () => {
    const { agent, identifier } = await world.signUp();
    expect(refusal(await agent.request('PUT', '/api/totp', { json: { code: '123456' } }))).toEqual([
      409,
      'totp_not_started',
    ]);
    const { secret, uri } = (await agent.post('/api/totp')).json();
    const { protocol, pathname, searchParams } = new URL(uri);
    expect([protocol, decodeURIComponent(pathname)]).toEqual(['otpauth:', `/Aurelia:${identifier}`]);
    expect(Object.fromEntries(searchParams)).toEqual({
      issuer: 'Aurelia',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const wrong = await agent.request('PUT', '/api/totp', {
      json: { code: otherCode(totpCode(secret, now())) },
    });
    expect(refusal(wrong)).toEqual([401, 'totp_incorrect']);
    expect(await waysOf(agent)).toEqual({ passkeys: 0, hasPassword: true, offerPasskey: true });
    const done = await agent.request('PUT', '/api/totp', { json: { code: totpCode(secret, now()) } });
    const { recoveryCodes } = done.json();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    expect(await waysOf(agent)).toMatchObject({ totp: { since: expect.any(String), recoveryCodesLeft: 10 } });
    expect(await readAccount(agent)).toMatchObject({ ways: { passkey: false, totp: true } });
    expect(await noticesTo(identifier)).toContain('totp_added');
    expect(refusal(await agent.post('/api/totp'))).toEqual([409, 'totp_exists']);
    const again = await agent.request('PUT', '/api/totp', { json: { code: totpCode(secret, now(), 1) } });
    expect(refusal(again)).toEqual([409, 'totp_exists']);
    const kept = JSON.stringify([
      await world.db.selectFrom('totp').selectAll().execute(),
      await world.db.selectFrom('recovery_code').selectAll().execute(),
    ]);
    for (const text of [secret, recoveryCodes[0], recoveryCodes[0].replace('-', '')])
      expect(kept).not.toContain(text);
  });

  test('SF1: a secret that was not activated in time, or in another session, is worth nothing', async () => {
    const { agent, identifier } = await world.signUp();
    const { secret } = (await agent.post('/api/totp')).json();
    const other = (await world.signIn(identifier)).agent;
    const put = (from: UserAgent) =>
      from.request('PUT', '/api/totp', { json: { code: totpCode(secret, now()) } });
    expect(refusal(await put(other))).toEqual([409, 'totp_not_started']);
    shiftSeconds += 901;
    expect(refusal(await put(agent))).toEqual([409, 'totp_not_started']);
    expect((await world.signIn(identifier)).identifier).toBe(identifier);
  });

  test('SF12: a password alone switches no factor on; the oldest contact does, and all other sessions end', async () => {
    const { agent: owner, identifier } = await world.signUp();
    const { agent: thief } = await world.signIn(identifier);
    const refused = await thief.post('/api/totp');
    expect([...refusal(refused), refused.json().error.fields]).toEqual([
      403,
      'step_up_required',
      { email: 'step_up_required' },
    ]);
    const phone = nextPhone();
    shiftSeconds += 301;
    await bind(world, thief, 'phone', phone);
    await proveByCode(world, thief, phone);
    expect(refusal(await thief.post('/api/totp'))).toEqual([403, 'step_up_required']);
    expect((await owner.get('/api/account')).status).toBe(200);
    await proveByCode(world, thief, identifier);
    await turnOnTotp(thief, now());
    expect((await owner.get('/api/account')).status).toBe(401);
    expect((await thief.get('/api/account')).status).toBe(200);
  });

  test('SF13: where the factor is on, a session with the password changes no contact and does not leave', async () => {
    const { agent, identifier } = await world.signUp();
    shiftSeconds += 60;
    const { secret } = await turnOnTotp(agent, now());
    await proven(agent, () => ({ password: PASSWORD }));
    const phone = nextPhone();
    const code = await world.receiveCode(agent, phone, 'bind');
    const due = async (answered: Promise<Answer>) => (await answered).json().error.fields;
    const bindPhone = () => putIdentifier(agent, 'phone', phone, code);
    for (const attempt of [bindPhone(), agent.delete('/api/account/email'), agent.delete('/api/account')])
      expect(await due(attempt)).toEqual({ totp: 'step_up_required' });
    expect((await agent.post('/api/step-up', { totp: totpCode(secret, now()) })).status).toBe(204);
    expect((await bindPhone()).status).toBe(200);
    // The factor is young: it is not the oldest of the account.
    expect(await due(agent.delete('/api/account'))).toEqual({ email: 'step_up_required' });
    await proveByCode(world, agent, identifier);
    expect((await agent.delete('/api/account')).status).toBe(200);
  });

  test('SF14: for 72 hours a link in the notice switches the factor off, ends the sessions and closes the password', async () => {
    const { agent, identifier } = await withFactor();
    const token = await undoTokenTo(world, identifier);
    const stranger = world.browser();
    const looked = (await stranger.post('/api/undo/look', { token })).json();
    expect(looked).toMatchObject({ kind: 'totp', waits: false });
    expect(Date.parse(looked.endsAt) - Date.parse(looked.requestedAt)).toBe(3 * DAY * 1000);
    expect((await stranger.post('/api/undo', { token })).json()).toEqual({ identifier });
    expect(refusal(await stranger.post('/api/undo', { token }))).toEqual([404, 'not_found']);
    expect((await agent.get('/api/account')).status).toBe(401);
    expect(await noticesTo(identifier)).toContain('totp_removed');
    expect(refusal((await passwordOf(identifier)).given)).toEqual([401, 'invalid_credentials']);
    const back = world.browser();
    const code = await world.receiveCode(back, identifier, 'recover');
    const { ticket } = (await back.post('/api/recovery/verify', { identifier, code })).json();
    expect((await back.post('/api/recovery/password', { ticket, password: PASSWORD })).status).toBe(204);
    expect((await passwordOf(identifier)).given.status).toBe(200);
  });

  test('SF14: the link is over after 72 hours, and with the factor', async () => {
    const { agent, identifier, secret } = await withFactor();
    const token = await undoTokenTo(world, identifier);
    const look = async () => (await world.browser().post('/api/undo/look', { token })).status;
    shiftSeconds += 3 * DAY - 60;
    expect(await look()).toBe(200);
    shiftSeconds += 61;
    expect(await look()).toBe(404);
    shiftSeconds -= 3 * DAY;
    await agent.post('/api/step-up', { totp: totpCode(secret, now(), 1) });
    expect((await agent.delete('/api/totp')).status).toBe(204);
    expect(await look()).toBe(404);
  });

  test('SF14: links take back new recovery codes and a passkey; a contact bound just now gets none', async () => {
    const { agent, identifier, secret, recoveryCodes } = await withFactor();
    await agent.post('/api/step-up', { totp: totpCode(secret, now()) });
    const phone = nextPhone();
    shiftSeconds += 60;
    await bind(world, agent, 'phone', phone);
    await givePasskey(agent, world.origin);
    const ofPasskey = await undoTokenTo(world, identifier);
    expect((await agent.post('/api/totp/recovery-codes')).status).toBe(200);
    const ofCodes = await undoTokenTo(world, identifier);
    const sent = (await world.messages()).filter(({ to }) => to === phone);
    expect(sent.map(({ purpose }) => purpose)).toContain('passkey_added');
    expect(sent.map(({ text }) => text).join()).not.toContain('/undo#');
    for (const [token, kind] of [
      [ofPasskey, 'passkey'],
      [ofCodes, 'recovery_codes'],
    ]) {
      expect((await agent.post('/api/undo/look', { token })).json()).toMatchObject({ kind });
      expect((await agent.post('/api/undo', { token })).status).toBe(200);
    }
    const code = await world.receiveCode(agent, identifier, 'recover');
    const { ticket } = (await agent.post('/api/recovery/verify', { identifier, code })).json();
    const set = { ticket, password: PASSWORD, recoveryCode: recoveryCodes[0] };
    expect(refusal(await agent.post('/api/recovery/password', set))).toEqual([
      401,
      'recovery_code_incorrect',
    ]);
    expect(await noticesTo(identifier)).toEqual(
      expect.arrayContaining(['passkey_removed', 'recovery_codes_undone']),
    );
  });

  describe('SF28: “this wasn’t me” takes back what its session added', () => {
    const strange = () => world.browser({ userAgent: FIREFOX });
    /** The token of the link in the notice of a sign-in. */
    const linkOfNotice = async (to: string): Promise<string> => {
      await world.tellSignIns();
      const sent = (await world.messages()).findLast((one) => one.to === to && one.purpose === 'new_browser');
      return /\/not-me#([\w-]+)/.exec(sent?.text ?? '')?.[1] ?? 'none';
    };
    const addedIn = async (token: string) =>
      (await world.browser().post('/api/not-me/look', { token })).json().added;
    const rowOf = async (agent: UserAgent) => {
      const { items } = (await agent.get('/api/activity')).json();
      return items.find(({ kind }: Activity) => kind === 'new_browser').id;
    };

    test('by the link: factor, codes, passkey and contact; the password is closed', async () => {
      const { identifier } = await world.signUp();
      const { agent: thief } = await world.signIn(identifier, strange());
      const token = await linkOfNotice(identifier);
      const phone = nextPhone();
      shiftSeconds += 60;
      await bind(world, thief, 'phone', phone);
      await proveByCode(world, thief, identifier);
      const { secret } = await turnOnTotp(thief, now());
      await thief.post('/api/step-up', { totp: totpCode(secret, now(), 1) });
      await givePasskey(thief, world.origin);
      const listed = await addedIn(token);
      expect(listed.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
        'passkey',
        'phone',
        'totp',
      ]);
      expect(JSON.stringify(listed)).not.toContain(phone);
      const said = await world.browser().post('/api/not-me', { token, takeBack: true });
      expect(said.json()).toEqual({ sessionEnded: true, tookBack: true });
      expect((await thief.get('/api/account')).status).toBe(401);
      expect(refusal((await passwordOf(identifier)).given)).toEqual([401, 'invalid_credentials']);
      const back = world.browser();
      const code = await world.receiveCode(back, identifier, 'recover');
      const started = (await back.post('/api/recovery/verify', { identifier, code })).json();
      expect(started).toMatchObject({ identifiers: [], passkeys: [] });
      expect(started).not.toHaveProperty('secondFactor');
      expect(await noticesTo(identifier)).toEqual(
        expect.arrayContaining(['totp_removed', 'passkey_removed', 'phone_unbound']),
      );
    });

    test('by the link: an e-mail that was replaced is bound again', async () => {
      const { agent, identifier } = await world.signUp();
      const { agent: thief } = await world.signIn(identifier, strange());
      const token = await linkOfNotice(identifier);
      shiftSeconds += 60;
      await bind(world, thief, 'email', `thief-${identifier}`);
      expect(await addedIn(token)).toMatchObject([{ kind: 'email', replaces: expect.any(String) }]);
      await world.browser().post('/api/not-me', { token, takeBack: true });
      expect((await readAccount(agent)).email).toBe(identifier);
    });

    test('not unless it is asked for, and not what is older than the contact that the link went to', async () => {
      const phone = nextPhone();
      const { agent: first } = await world.signUp(phone);
      shiftSeconds += 60;
      const email = `young-${phone.slice(1)}@example.com`;
      await bind(world, first, 'email', email);
      const { agent: owner } = await world.signIn(phone, strange());
      const toYoung = await linkOfNotice(email);
      await proveByCode(world, owner, phone);
      await turnOnTotp(owner, now());
      expect((await world.browser().post('/api/not-me/look', { token: toYoung })).status).toBe(200);
      expect(await addedIn(toYoung)).toBeUndefined();
      const said = await world.browser().post('/api/not-me', { token: toYoung, takeBack: true });
      expect(said.json()).toEqual({ sessionEnded: true, tookBack: false });
      expect((await passwordOf(phone)).given.status).toBe(403);
    });

    test('in the activity, by a proof that is as old', async () => {
      const { agent: owner, identifier } = await world.signUp();
      const { agent: thief } = await world.signIn(identifier, strange());
      shiftSeconds += 60;
      const phone = nextPhone();
      await bind(world, thief, 'phone', phone);
      await proven(owner, () => ({ password: PASSWORD }));
      const id = await rowOf(owner);
      expect((await owner.get(`/api/activity/${id}/added`)).json()).toMatchObject({
        items: [{ kind: 'phone' }],
      });
      const dispute = () => owner.post(`/api/activity/${id}/dispute`, { takeBack: true });
      expect((await dispute()).json().error).toMatchObject({
        code: 'step_up_required',
        fields: { email: 'step_up_required' },
      });
      expect((await thief.get('/api/account')).status).toBe(200);
      await proveByCode(world, owner, identifier);
      expect((await dispute()).json()).toMatchObject({ sessionEnded: true, tookBack: true });
      expect(await readAccount(owner)).not.toHaveProperty('phone');
      expect((await dispute()).json()).toMatchObject({ sessionEnded: false, tookBack: false });
    });

    test('who holds a younger contact takes back nothing that is older', async () => {
      const { agent: thief, identifier } = await world.signUp();
      shiftSeconds += 60;
      const phone = nextPhone();
      await bind(world, thief, 'phone', phone);
      const { agent: owner } = await world.signIn(identifier, strange());
      shiftSeconds += 60;
      await proveByCode(world, owner, identifier);
      await givePasskey(owner, world.origin);
      await proven(thief, async () => ({
        identifier: phone,
        code: await world.receiveCode(thief, phone, 'step-up'),
      }));
      const taken = await thief.post(`/api/activity/${await rowOf(thief)}/dispute`, { takeBack: true });
      expect(taken.json().error.fields).toEqual({ email: 'step_up_required' });
      expect(await waysOf(owner)).toMatchObject({ passkeys: 1 });
    });
  });

  test('SF2: a password, a code and its ticket are asked for the factor, and nobody is signed in before', async () => {
    const { identifier, secret } = await withFactor();
    const { agent, uid, pass } = await factorDue(identifier);
    expect((await agent.get('/api/account')).status).toBe(401);
    const masked = `${identifier[0]}•••@example.com`;
    expect(await world.details(agent, uid)).toMatchObject({
      secondFactor: { ways: ['totp', 'recovery_code'], identifier: masked },
      accounts: [],
    });
    expect((await pass({ totp: totpCode(secret, now()) })).status).toBe(200);
    const byCode = world.browser();
    const { uid: other } = await start(world, { agent: byCode });
    const code = await world.receiveCode(byCode, identifier, 'login');
    const login = await byCode.post(`/interaction/${other}/login`, { identifier, code });
    expect([...refusal(login), login.json().error.ticket]).toEqual([
      403,
      'second_factor_required',
      undefined,
    ]);
    await answer(byCode, `/interaction/${other}/second-factor`, { totp: totpCode(secret, now(), 1) });
    await byCode.navigate('/login');
    expect((await byCode.get('/api/account')).status).toBe(200);
  });

  test('SF2: a wrong password answers as it does without a factor; a stranger’s browser has nothing to pass', async () => {
    const { identifier, secret } = await withFactor();
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const wrong = await agent.post(`/interaction/${uid}/login`, { identifier, password: 'wrong42day' });
    expect(refusal(wrong)).toEqual([401, 'invalid_credentials']);
    expect(await world.details(agent, uid)).not.toHaveProperty('secondFactor');
    const totp = totpCode(secret, now());
    expect(refusal(await agent.post(`/interaction/${uid}/second-factor`, { totp }))).toEqual([
      410,
      'interaction_expired',
    ]);
    const { uid: theirs } = await factorDue(identifier);
    expect(refusal(await agent.post(`/interaction/${theirs}/second-factor`, { totp }))).toEqual([
      410,
      'interaction_expired',
    ]);
    expect(await signedIn(identifier, { totp })).toBeDefined();
  });

  test('SF2: a ticket that waits for the factor registers nobody, and finds no password out', async () => {
    const { identifier } = await withFactor();
    const agent = world.browser();
    const { uid } = await start(world, { agent });
    const code = await world.receiveCode(agent, identifier, 'login');
    const verified = await agent.post(`/interaction/${uid}/verify`, { identifier, code, purpose: 'login' });
    const { ticket } = verified.json();
    const post = (way: string, more: object = {}) =>
      agent.post(`/interaction/${uid}/${way}`, { identifier, ticket, ...more });
    expect(refusal(await post('login'))).toEqual([403, 'second_factor_required']);
    for (const password of [PASSWORD, 'wrong42day'])
      expect(refusal(await post('register', { password, agreements: [] }))).toEqual([401, 'ticket_invalid']);
    await agent.navigate('/login');
    expect((await agent.get('/api/account')).status).toBe(401);
    // A lost answer of the sign-in itself costs no new code.
    expect(refusal(await post('login'))).toEqual([403, 'second_factor_required']);
  });

  test.each(['login', 'register', 'recover'] as const)(
    'SF2: a ticket to %s passes no factor, wherever it is sent and sent again',
    async (purpose) => {
      const { agent: owner, identifier } = await withFactor();
      const { id } = await readAccount(owner);
      const takers = ['login', 'register', 'recover'] as const;
      for (const [first, second] of takers.flatMap((one) => takers.map((other) => [one, other] as const))) {
        const agent = world.browser();
        const { uid } = await start(world, { agent });
        const { agreements } = await world.details(agent, uid);
        const code = await world.receiveCode(agent, identifier, purpose);
        const verified =
          purpose === 'recover'
            ? await agent.post('/api/recovery/verify', { identifier, code })
            : await agent.post(`/interaction/${uid}/verify`, { identifier, code, purpose });
        const { ticket } = verified.json();
        const accepted = agreements.map(({ id: name, version }: { id: string; version: string }) => ({
          id: name,
          version,
        }));
        const send = {
          login: () => agent.post(`/interaction/${uid}/login`, { identifier, ticket }),
          register: () =>
            agent.post(`/interaction/${uid}/register`, {
              identifier,
              ticket,
              password: PASSWORD,
              agreements: accepted,
            }),
          recover: () => agent.post('/api/recovery/password', { ticket, password: 'starlight88' }),
        };
        for (const taker of [first, second])
          expect((await send[taker]()).status, `${first}, ${second}`).toBeGreaterThan(400);
      }
      const sessions = world.db.selectFrom('session').select('uid').where('account_id', '=', id);
      expect(await sessions.execute()).toHaveLength(1);
      expect((await passwordOf(identifier)).given.status).toBe(403);
    },
  );

  test('SF3: a code of the app is good once, and at most one step off', async () => {
    const { identifier, secret } = await withFactor();
    shiftSeconds += 300;
    const { pass } = await factorDue(identifier);
    for (const steps of [-2, 2])
      expect(refusal(await pass({ totp: totpCode(secret, now(), steps) }))).toEqual([401, 'totp_incorrect']);
    const late = totpCode(secret, now(), -1);
    expect((await pass({ totp: ` ${late.slice(0, 3)} ${late.slice(3)} ` })).status).toBe(200);
    const next = await factorDue(identifier);
    expect(refusal(await next.pass({ totp: late }))).toEqual([401, 'totp_incorrect']);
    expect((await next.pass({ totp: totpCode(secret, now(), 1) })).status).toBe(200);
    // An earlier step than the one that was used.
    const last = await factorDue(identifier);
    expect(refusal(await last.pass({ totp: totpCode(secret, now()) }))).toEqual([401, 'totp_incorrect']);
  });

  test('SF4: a recovery code is good once, in any spelling', async () => {
    const { identifier, recoveryCodes, agent } = await withFactor();
    const [first = '', second = ''] = recoveryCodes;
    const typed = ` ${first.toLowerCase().replace('-', ' – ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
    await signedIn(identifier, { recoveryCode: typed });
    const { pass } = await factorDue(identifier);
    const used = await pass({ recoveryCode: first });
    expect([used.status, used.json().error]).toMatchObject([
      401,
      { code: 'recovery_code_incorrect', fields: { recoveryCode: 'recovery_code_incorrect' } },
    ]);
    expect((await pass({ recoveryCode: second.replace('-', '') })).status).toBe(200);
    expect(await waysOf(agent)).toMatchObject({ totp: { recoveryCodesLeft: 8 } });
    expect((await noticesTo(identifier)).filter((purpose) => purpose === 'recovery_code_used')).toHaveLength(
      2,
    );
  });

  test.each([
    ['nothing', {}],
    ['two at once', { totp: '123456', recoveryCode: 'AAAAA-AAAAA' }],
    ['an unknown field', { totp: '123456', trust: true }],
    ['remember: false', { totp: '123456', remember: false }],
    ['a number', { totp: 123456 }],
  ])('a factor of %s is refused, and counts as no try', async (_, body) => {
    const { identifier } = await withFactor();
    const { pass } = await factorDue(identifier);
    const before = await world.db.selectFrom('rate_limit').selectAll().execute();
    expect(refusal(await pass(body))).toEqual([400, 'invalid_request']);
    expect(await world.db.selectFrom('rate_limit').selectAll().execute()).toEqual(before);
  });

  test.each([
    ['totp', { totp: '' }, 400, 'code_blank'],
    ['totp', { totp: 'abcdef' }, 401, 'totp_incorrect'],
    ['totp', { totp: '12345' }, 401, 'totp_incorrect'],
    ['totp', { totp: '１２３４５６' }, 401, 'totp_incorrect'],
    ['recoveryCode', { recoveryCode: 'x'.repeat(65) }, 401, 'recovery_code_incorrect'],
    ['recoveryCode', { recoveryCode: 'AAAAA-AAAA\u0000' }, 400, 'invalid_request'],
  ])('%s: bad input is refused by its field and stores nothing (%j)', async (field, body, status, code) => {
    const { identifier, recoveryCodes } = await withFactor();
    const { pass } = await factorDue(identifier);
    const before = await snapshot(world);
    const refused = await pass(body);
    expect(refusal(refused)).toEqual([status, code]);
    if (code !== 'invalid_request') expect(refused.json().error.fields).toHaveProperty([field]);
    expect(await snapshot(world)).toEqual(before);
    expect((await pass({ recoveryCode: recoveryCodes[0] })).status).toBe(200);
  });

  test('SF5: five wrong codes make a person wait, longer and longer; a known browser and recovery codes stay open', async () => {
    const { agent: known, identifier, secret, recoveryCodes } = await withFactor();
    const { pass } = await factorDue(identifier);
    const guess = async (count: number) => {
      for (let n = 0; n < count; n += 1)
        expect(refusal(await pass({ totp: otherCode(totpCode(secret, now())) }))).toEqual([
          401,
          'totp_incorrect',
        ]);
    };
    await guess(5);
    const refused = await pass({ totp: totpCode(secret, now()) });
    expect(refusal(refused)).toEqual([429, 'rate_limited']);
    expect(refused.json().error.retryAfterSeconds).toBeGreaterThan(200);
    shiftSeconds += 301;
    await guess(5);
    const longer = (await pass({ totp: totpCode(secret, now()) })).json().error;
    expect(longer.retryAfterSeconds).toBeGreaterThan(3000);
    const elsewhere = await factorDue(identifier);
    expect((await elsewhere.pass({ totp: totpCode(secret, now()) })).status).toBe(429);
    expect((await elsewhere.pass({ recoveryCode: recoveryCodes[0] })).status).toBe(200);
    expect((await (await factorDue(identifier, known)).pass({ totp: totpCode(secret, now()) })).status).toBe(
      200,
    );
  });

  test('SF6: the first proof stands for ten minutes, and for one interaction', async () => {
    const { identifier, secret } = await withFactor();
    const { agent, uid, pass } = await factorDue(identifier);
    shiftSeconds += 601;
    expect(refusal(await pass({ totp: totpCode(secret, now()) }))).toEqual([410, 'interaction_expired']);
    expect(await world.details(agent, uid)).not.toHaveProperty('secondFactor');
    const again = await agent.post(`/interaction/${uid}/login`, { identifier, password: PASSWORD });
    expect(refusal(again)).toEqual([403, 'second_factor_required']);
    expect((await agent.post(`/interaction/${uid}/switch-account`)).status).toBe(200);
    expect(await world.details(agent, uid)).not.toHaveProperty('secondFactor');
    expect(refusal(await pass({ totp: totpCode(secret, now()) }))).toEqual([410, 'interaction_expired']);
  });

  test('SF6: who passes the factor again after a lost answer goes on, and only in the same interaction', async () => {
    const { identifier, secret } = await withFactor();
    const { agent, uid, pass } = await factorDue(identifier);
    const totp = totpCode(secret, now());
    await world.db.updateTable('interaction').set({ finished_at: null }).execute();
    const passed = await Promise.all([1, 2, 3].map(() => pass({ totp })));
    expect(passed.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    expect((await agent.get(`/interaction/${uid}/details`)).status).toBe(410);
  });

  test('SF7: a trusted browser is not asked for 30 days; the person sees and ends it', async () => {
    const { agent, identifier, secret } = await withFactor();
    const browser = world.browser();
    await signedIn(identifier, { totp: totpCode(secret, now()), remember: true }, browser);
    expect((await passwordOf(identifier, browser)).given.status).toBe(200);
    const { items } = (await agent.get('/api/trusted-browsers')).json();
    expect(items).toMatchObject([{ current: false, browser: { name: expect.any(String) } }]);
    const [{ id, createdAt, expiresAt }] = items;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * DAY * 1000);
    const stranger = (await world.signUp()).agent;
    expect((await stranger.get('/api/trusted-browsers')).json()).toEqual({ items: [] });
    expect(refusal(await stranger.delete(`/api/trusted-browsers/${id}`))).toEqual([404, 'not_found']);
    expect((await agent.delete(`/api/trusted-browsers/${id}`)).status).toBe(204);
    await factorDue(identifier, browser);
    await signedIn(identifier, { totp: totpCode(secret, now(), 1), remember: true }, browser);
    shiftSeconds = 30 * DAY + 1;
    await factorDue(identifier, browser);
  });

  test('SF7: trust is of one account, in one browser: neither cookie works without the other', async () => {
    const { identifier, secret } = await withFactor();
    const browser = world.browser();
    await signedIn(identifier, { totp: totpCode(secret, now()), remember: true }, browser);
    const another = await withFactor();
    await factorDue(another.identifier, browser);
    const cookies = await browser.jar.getCookies(world.origin);
    for (const name of ['_trust', '_device']) {
      const thief = world.browser();
      for (const cookie of cookies)
        if (cookie.key.startsWith(name)) await thief.jar.setCookie(cookie, world.origin);
      await factorDue(identifier, thief);
    }
    // Both accounts are trusted side by side.
    const totp = totpCode(another.secret, now());
    await signedIn(another.identifier, { totp, remember: true }, browser);
    expect((await passwordOf(identifier, browser)).given.status).toBe(200);
    expect((await passwordOf(another.identifier, browser)).given.status).toBe(200);
  });

  test.each([
    ['a changed password', (agent: UserAgent) => putPassword(agent, PASSWORD)],
    ['the end of all other sessions', (agent: UserAgent) => agent.delete('/api/sessions?except=current')],
    ['the end of all sessions', (agent: UserAgent) => agent.delete('/api/sessions')],
  ])('SF8: %s ends the trust of browsers', async (_, act) => {
    const { agent, identifier, secret } = await withFactor();
    const browser = world.browser();
    await signedIn(identifier, { totp: totpCode(secret, now()), remember: true }, browser);
    expect((await act(agent)).status).toBe(204);
    await factorDue(identifier, browser);
  });

  test.each<[string, (agent: UserAgent, strange: UserAgent, identifier: string) => Promise<Answer>]>([
    [
      'in the list, of a sign-in whose session is over,',
      async (agent, strange) => {
        expect((await strange.post('/api/sign-out')).status).toBe(204);
        return disputeFirst(agent, 'new_browser');
      },
    ],
    ['in the list, of the trust itself', (agent) => disputeFirst(agent, 'trusted_browser_added')],
    [
      'by the link of a notice',
      async (_agent, _strange, identifier) => {
        await world.tellSignIns();
        const sent = (await world.messages()).findLast(
          ({ to, purpose }) => to === identifier && purpose === 'new_browser',
        );
        const token = /\/not-me#([\w-]+)/.exec(sent?.text ?? '')?.[1];
        return world.browser().post('/api/not-me', { token });
      },
    ],
  ])('AC5: “this wasn’t me” %s ends the trust of the browser', async (_, act) => {
    const { agent, identifier, secret } = await withFactor();
    const [browser, own] = [world.browser(), world.browser()];
    await world.db.deleteFrom('sign_in_notice').execute();
    await signedIn(identifier, { totp: totpCode(secret, now()), remember: true }, own);
    await world.db.deleteFrom('activity').execute();
    await signedIn(identifier, { totp: totpCode(secret, now(), 1), remember: true }, browser);
    expect((await passwordOf(identifier, browser)).given.status).toBe(200);
    const answered = await act(agent, browser, identifier);
    expect(answered.status, answered.body).toBe(200);
    await factorDue(identifier, browser);
    expect((await passwordOf(identifier, own)).given.status).toBe(200);
  });

  test('SF8: forgetting the account at sign-out ends the trust of this browser; signing out alone does not', async () => {
    const { identifier, secret } = await withFactor();
    const browser = world.browser();
    await signedIn(identifier, { totp: totpCode(secret, now()), remember: true }, browser);
    await browser.navigate('/login');
    expect((await browser.post('/api/sign-out')).status).toBe(204);
    const { agent, given } = await passwordOf(identifier, browser);
    await agent.navigate(given.json().returnTo);
    expect((await browser.post('/api/sign-out', { forget: true })).status).toBe(204);
    await factorDue(identifier, browser);
  });

  test('SF8: a browser whose list of accounts forgets one is not trusted with it', async () => {
    const { agent, identifier, secret } = await withFactor();
    const browser = world.browser();
    await signedIn(identifier, { totp: totpCode(secret, now()), remember: true }, browser);
    const { uid } = await start(world, { agent: browser, parameters: { prompt: 'login' } });
    const { id } = await readAccount(agent);
    expect((await browser.delete(`/interaction/${uid}/accounts/${id}`)).status).toBe(204);
    await factorDue(identifier, browser);
  });

  test.each([
    ['DELETE', '/api/totp'],
    ['POST', '/api/totp/recovery-codes'],
    ['POST', '/api/passkeys/options'],
  ])('SF9: %s %s takes more than a password or a code', async (method, path) => {
    const { agent, identifier, secret } = await withFactor();
    await proven(agent, () => ({ password: PASSWORD }));
    const refused = await agent.request(method, path);
    expect([...refusal(refused), refused.json().error.fields]).toEqual([
      403,
      'step_up_required',
      { totp: 'step_up_required' },
    ]);
    await proven(agent, async () => ({
      identifier,
      code: await world.receiveCode(agent, identifier, 'step-up'),
    }));
    expect((await agent.request(method, path)).status).toBe(403);
    await proven(agent, () => ({ totp: totpCode(secret, now()) }));
    expect((await agent.request(method, path)).status).toBeLessThan(300);
  });

  test('SF9: a sign-in by a recovery code switches the factor off; one in a trusted browser does not', async () => {
    const { identifier, secret, recoveryCodes } = await withFactor();
    const trusted = world.browser();
    await signedIn(identifier, { totp: totpCode(secret, now()), remember: true }, trusted);
    const { uid } = await start(world, { agent: trusted, parameters: { prompt: 'login' } });
    await answer(trusted, `/interaction/${uid}/login`, { identifier, password: PASSWORD });
    expect(refusal(await trusted.delete('/api/totp'))).toEqual([403, 'step_up_required']);
    const agent = world.browser();
    const portal = await agent.navigate('/login');
    const portalUid = world.interactionOf(portal.url);
    await agent.post(`/interaction/${portalUid}/login`, { identifier, password: PASSWORD });
    await answer(agent, `/interaction/${portalUid}/second-factor`, { recoveryCode: recoveryCodes[0] });
    expect((await agent.delete('/api/totp')).status).toBe(204);
    expect(refusal(await agent.delete('/api/totp'))).toEqual([404, 'not_found']);
    expect(await noticesTo(identifier)).toContain('totp_removed');
    expect((await passwordOf(identifier)).given.status).toBe(200);
    expect((await trusted.get('/api/trusted-browsers')).json()).toEqual({ items: [] });
  });

  test('SF9: new recovery codes end the ones before', async () => {
    const { agent, identifier, secret, recoveryCodes } = await withFactor();
    await proven(agent, () => ({ totp: totpCode(secret, now()) }));
    const made = (await agent.post('/api/totp/recovery-codes')).json().recoveryCodes;
    expect(made.filter((code: string) => recoveryCodes.includes(code))).toEqual([]);
    const { pass } = await factorDue(identifier);
    expect(refusal(await pass({ recoveryCode: recoveryCodes[0] }))).toEqual([401, 'recovery_code_incorrect']);
    expect((await pass({ recoveryCode: made[9] })).status).toBe(200);
  });

  test('SF10: a passkey passes the factor, and a passkey alone is not asked for it', async () => {
    const person = await world.signUp();
    const { authenticator } = await givePasskey(person.agent, world.origin);
    const factor = await turnOnTotp(person.agent, now());
    const { agent, uid, pass } = await factorDue(person.identifier);
    expect((await world.details(agent, uid)).secondFactor.ways).toEqual(['totp', 'recovery_code', 'passkey']);
    const ask = (from: typeof authenticator) =>
      askPasskey(agent, from, `/interaction/${uid}/passkey/options`);
    const stranger = (await givePasskey((await world.signUp()).agent, world.origin)).authenticator;
    expect(refusal(await pass({ passkey: await ask(stranger) }))).toEqual([401, 'passkey_rejected']);
    const passkey = await ask(authenticator);
    expect((await pass({ passkey })).status).toBe(200);
    const alone = world.browser();
    const { uid: other } = await start(world, { agent: alone });
    expect((await usePasskey(alone, other, authenticator)).status).toBe(200);
    expect(
      (await (await factorDue(person.identifier)).pass({ totp: totpCode(factor.secret, now()) })).status,
    ).toBe(200);
  });

  test('SF11: a sign-in whose account ended its sessions meanwhile makes no session, and no trust', async () => {
    const { agent: owner, identifier, secret } = await withFactor();
    const { agent, pass } = await factorDue(identifier);
    await owner.delete('/api/sessions?except=current');
    const late = await pass({ totp: totpCode(secret, now()), remember: true });
    expect(refusal(late)).toEqual([410, 'interaction_expired']);
    await agent.navigate('/login');
    expect((await agent.get('/api/account')).status).toBe(401);
    expect((await owner.get('/api/trusted-browsers')).json()).toEqual({ items: [] });
  });

  test('step-up by the app counts its tries apart, and takes each code once', async () => {
    const { agent, secret } = await withFactor();
    shiftSeconds += 601;
    const stepUp = (totp: string) => agent.post('/api/step-up', { totp });
    expect(refusal(await stepUp(otherCode(totpCode(secret, now()))))).toEqual([401, 'totp_incorrect']);
    expect((await stepUp(totpCode(secret, now()))).status).toBe(204);
    expect(refusal(await stepUp(totpCode(secret, now())))).toEqual([401, 'totp_incorrect']);
    const { agent: without } = await world.signUp();
    expect(refusal(await without.post('/api/step-up', { totp: '123456' }))).toEqual([401, 'totp_incorrect']);
    expect(refusal(await agent.post('/api/step-up', { totp: '123456', password: PASSWORD }))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  test('the offer of a passkey is declined for 90 days', async () => {
    const { agent } = await world.signUp(`${randomBytes(6).toString('hex')}@example.com`);
    expect(await waysOf(agent)).toMatchObject({ offerPasskey: true });
    expect((await agent.post('/api/ways/offer-declined')).status).toBe(204);
    expect(await waysOf(agent)).toMatchObject({ offerPasskey: false });
    shiftSeconds = 90 * DAY;
    expect(await waysOf(agent)).toMatchObject({ offerPasskey: true });
  });
});
