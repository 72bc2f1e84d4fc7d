import { randomBytes } from 'node:crypto';
import type { Activity, PasskeyCreationOptions } from '@candela/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import { addPasskey, askPasskey, givePasskey, usePasskey } from '../support/passkeys.ts';
import {
  type AssertionCeremony,
  createSoftwareAuthenticator,
  type RegistrationCeremony,
} from '../support/software-authenticator.ts';
import { totpCode, turnOnTotp } from '../support/totp.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, PASSWORD, type World } from '../support/world.ts';
import { snapshot } from './routes.ts';
import { bind, nextPhone, proveByCode } from './settings.ts';

const FIVE_MINUTES = 300;
const TEN_MINUTES = 600;
const HOUR = 3600;

let world: World;
let shiftSeconds = 0;
beforeAll(async () => {
  world = await createWorld({ now: () => new Date(Date.now() + shiftSeconds * 1000) });
});
afterAll(() => world.close());
beforeEach(() => {
  shiftSeconds = 0;
});

const atLogin = async (agent: UserAgent = world.browser()) => {
  const { url } = await agent.navigate('/login');
  return { agent, uid: world.interactionOf(url) };
};

/** A person with a passkey, in the browser that made it. */
const person = async (options: { synced?: boolean; aaguid?: string } = {}) => {
  const signedUp = await world.signUp();
  return { ...signedUp, ...(await givePasskey(signedUp.agent, world.origin, options)) };
};

const listOf = async (agent: UserAgent) => (await agent.get('/api/passkeys')).json().items;

const noticesTo = async (identifier: string) =>
  (await world.messages()).filter(({ to }) => to === identifier).map(({ purpose }) => purpose);

/** What the activity of the account says of its passkeys. */
const notedOf = async (agent: UserAgent) => {
  const { id } = (await agent.get('/api/account')).json();
  const rows = await world.db
    .selectFrom('activity')
    .select(['kind', 'detail'])
    .where('account_id', '=', id)
    .orderBy('created_at')
    .execute();
  return rows.filter(({ kind }) => kind.startsWith('passkey')).map(({ kind, detail }) => [kind, detail]);
};

/** How often passkeys were refused for this reason, by `work`. */
const refusalsOf = async (reason: string, work: () => Promise<unknown>): Promise<number> => {
  const before = world.countEvent('passkey.refused', reason);
  await work();
  return world.countEvent('passkey.refused', reason) - before;
};

describe('the passkeys of an account', () => {
  test('PK1: one is added, shown, renamed and removed, and every contact is told', async () => {
    const { agent, identifier } = await world.signUp();
    expect((await agent.get('/api/passkeys')).json()).toEqual({ items: [], rpId: 'localhost' });
    const aaguid = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd';
    const { passkey } = await givePasskey(agent, world.origin, { aaguid });
    expect(passkey).toMatchObject({ name: 'iCloud Keychain', provider: 'iCloud Keychain', synced: true });
    const { items, userHandle } = (await agent.get('/api/passkeys')).json();
    expect(items).toEqual([passkey]);
    const path = `/api/passkeys/${passkey.id}`;
    const renamed = await agent.request('PATCH', path, { json: { name: ' My phone ' } });
    expect([renamed.status, renamed.json()]).toEqual([200, { ...passkey, name: 'My phone' }]);
    expect((await agent.delete(path)).status).toBe(204);
    expect((await agent.get('/api/passkeys')).json()).toEqual({ items: [], rpId: 'localhost', userHandle });
    expect(await noticesTo(identifier)).toEqual(['register', 'passkey_added', 'passkey_removed']);
    expect(await notedOf(agent)).toEqual([
      ['passkey_added', { name: 'iCloud Keychain' }],
      ['passkey_renamed', { name: 'My phone' }],
      ['passkey_removed', { name: 'My phone' }],
    ]);
  });

  test('one of an unknown keeper is called by the browser, or as the person says', async () => {
    const { agent } = await world.signUp();
    const { passkey } = await givePasskey(agent, world.origin, { synced: false });
    expect(passkey).toMatchObject({ name: 'Chrome, Windows', synced: false });
    expect(passkey).not.toHaveProperty('provider');
    const named = await addPasskey(agent, createSoftwareAuthenticator(world), { name: 'Key on my ring' });
    expect(named.json().name).toBe('Key on my ring');
    expect((await listOf(agent)).map(({ name }: { name: string }) => name)).toEqual([
      'Key on my ring',
      'Chrome, Windows',
    ]);
  });

  test('PK2: the options name a random handle and what the account has, and ask for a verified person', async () => {
    const { agent, identifier, passkey } = await person();
    const options = (await agent.post('/api/passkeys/options')).json();
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Aurelia' },
      user: { name: identifier },
      excludeCredentials: [
        { id: passkey.credentialId, type: 'public-key', transports: ['internal', 'hybrid'] },
      ],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    const handle = Buffer.from(options.user.id, 'base64url');
    expect(handle).toHaveLength(64);
    const { id } = (await agent.get('/api/account')).json();
    expect(handle.includes(id) || handle.includes(Buffer.from(id, 'base64url'))).toBe(false);
    expect((await agent.post('/api/passkeys/options')).json().user.id).toBe(options.user.id);
  });

  test('PK3: adding and removing need a step-up, renaming and looking a session', async () => {
    const { agent, passkey, authenticator } = await person();
    const options = (await agent.post('/api/passkeys/options')).json();
    shiftSeconds = TEN_MINUTES + 1;
    const path = `/api/passkeys/${passkey.id}`;
    expect(refusal(await agent.post('/api/passkeys/options'))).toEqual([403, 'step_up_required']);
    const response = authenticator.create(options);
    expect(refusal(await agent.post('/api/passkeys', { response }))).toEqual([403, 'step_up_required']);
    expect(refusal(await agent.delete(path))).toEqual([403, 'step_up_required']);
    expect((await agent.request('PATCH', path, { json: { name: 'Desk' } })).status).toBe(200);
    const stranger = world.browser();
    for (const [method, target, json] of [
      ['GET', '/api/passkeys', undefined],
      ['POST', '/api/passkeys/options', undefined],
      ['PATCH', path, { name: 'Mine' }],
      ['DELETE', path, undefined],
    ] as const)
      expect(refusal(await stranger.request(method, target, json && { json }))).toEqual([
        401,
        'not_signed_in',
      ]);
  });

  test('PK3: an account with a second factor takes a proof of it: a password alone adds no way around it', async () => {
    const { agent, identifier, passkey } = await person();
    const { secret } = await turnOnTotp(agent, new Date());
    shiftSeconds = TEN_MINUTES + 1;
    expect((await agent.post('/api/step-up', { password: PASSWORD })).status).toBe(204);
    const remove = () => agent.delete(`/api/passkeys/${passkey.id}`);
    for (const answer of [await agent.post('/api/passkeys/options'), await remove()])
      expect([answer.status, answer.json().error]).toMatchObject([
        403,
        { code: 'step_up_required', fields: { totp: 'step_up_required' } },
      ]);
    const totp = totpCode(secret, new Date(Date.now() + shiftSeconds * 1000));
    expect((await agent.post('/api/step-up', { totp })).status).toBe(204);
    await givePasskey(agent, world.origin);
    // The factor is younger than the passkey.
    expect((await remove()).json().error.fields).toEqual({
      email: 'step_up_required',
      passkey: 'step_up_required',
    });
    await proveByCode(world, agent, identifier);
    expect((await remove()).status).toBe(204);
  });

  test('PK3: a password alone adds no first passkey, and removes none', async () => {
    const { agent: owner, identifier, passkey } = await person();
    const thief = (await world.signIn(identifier)).agent;
    const remove = () => thief.delete(`/api/passkeys/${passkey.id}`);
    const added = await thief.post('/api/passkeys/options');
    expect([added.status, added.json().error.fields]).toEqual([403, { email: 'step_up_required' }]);
    const due = { email: 'step_up_required', passkey: 'step_up_required' };
    expect((await remove()).json().error.fields).toEqual(due);
    expect(await listOf(owner)).toEqual([passkey]);
    await proveByCode(world, thief, identifier);
    expect((await remove()).status).toBe(204);
  });

  test('PK3: a contact that is younger than the oldest adds no passkey, and removes none that is older', async () => {
    const { agent, identifier, passkey } = await person();
    const phone = nextPhone();
    shiftSeconds = HOUR;
    await proveByCode(world, agent, identifier);
    await bind(world, agent, 'phone', phone);
    shiftSeconds = 2 * HOUR;
    await proveByCode(world, agent, phone);
    for (const answer of [
      await agent.post('/api/passkeys/options'),
      await agent.delete(`/api/passkeys/${passkey.id}`),
    ])
      expect(refusal(answer)).toEqual([403, 'step_up_required']);
  });

  test('PK3: a passkey that was asked for before the second factor was on is not added after it', async () => {
    const { agent } = await world.signUp();
    const options = (await agent.post('/api/passkeys/options')).json();
    await turnOnTotp(agent, new Date());
    const response = createSoftwareAuthenticator(world).create(options);
    const add = await agent.post('/api/passkeys', { response });
    expect([add.status, add.json().error.fields]).toEqual([403, { totp: 'step_up_required' }]);
    expect((await agent.get('/api/passkeys')).json().items).toEqual([]);
  });

  test('another person finds no passkey to rename or remove', async () => {
    const { agent, passkey } = await person();
    const other = await world.signUp();
    const path = `/api/passkeys/${passkey.id}`;
    expect(refusal(await other.agent.request('PATCH', path, { json: { name: 'Mine' } }))).toEqual([
      404,
      'not_found',
    ]);
    expect(refusal(await other.agent.delete(path))).toEqual([404, 'not_found']);
    expect(await listOf(agent)).toEqual([passkey]);
  });

  test.each(['', ' ', 'x'.repeat(41), 'x'.repeat(2000), 'a\u0007b', 'a\u202eb'])(
    'the name %j is refused',
    async (name) => {
      const { agent, passkey } = await person();
      const path = `/api/passkeys/${passkey.id}`;
      expect(refusal(await agent.request('PATCH', path, { json: { name } }))).toEqual([
        400,
        'passkey_name_invalid',
      ]);
    },
  );

  test('PK4: the last passkey of an account without an identifier stays', async () => {
    const { agent, authenticator, passkey } = await person();
    const { id } = (await agent.get('/api/account')).json();
    const identifiers = () => world.db.deleteFrom('account_identifier').where('account_id', '=', id);
    await identifiers().execute();
    const response = await askPasskey(agent, authenticator, '/api/step-up/options');
    expect((await agent.post('/api/step-up', { passkey: response })).status).toBe(204);
    const path = `/api/passkeys/${passkey.id}`;
    expect(refusal(await agent.delete(path))).toEqual([409, 'last_way_in']);
    await givePasskey(agent, world.origin);
    expect((await agent.delete(path)).status).toBe(204);
  });

  test('a person without one is offered one, and not again for 90 days after they declined', async () => {
    const { agent, identifier } = await world.signUp();
    const isOffered = async (by = agent) => (await by.get('/api/ways')).json().offerPasskey;
    expect(await isOffered()).toBe(true);
    expect((await agent.post('/api/ways/offer-declined')).status).toBe(204);
    expect(await isOffered()).toBe(false);
    expect(await isOffered((await world.signIn(identifier)).agent)).toBe(false);
    shiftSeconds = 90 * 24 * HOUR + 60;
    expect(await isOffered()).toBe(true);
    shiftSeconds = 0;
    const { agent: other } = await person();
    expect((await other.get('/api/ways')).json()).toMatchObject({ passkeys: 1, offerPasskey: false });
    expect((await other.get('/api/account')).json().ways.passkey).toBe(true);
  });

  test('an account keeps 50 at most', async () => {
    const { agent, passkey } = await person();
    const row = await world.db
      .selectFrom('passkey')
      .selectAll()
      .where('id', '=', passkey.id)
      .executeTakeFirstOrThrow();
    const options = (await agent.post('/api/passkeys/options')).json();
    const more = Array.from({ length: 49 }, (_, index) => ({
      ...row,
      id: `${row.id}-${index}`,
      credential_id: `${row.credential_id}-${index}`,
    }));
    await world.db.insertInto('passkey').values(more).execute();
    expect(refusal(await agent.post('/api/passkeys/options'))).toEqual([409, 'passkeys_exhausted']);
    const response = createSoftwareAuthenticator(world).create(options);
    expect(refusal(await agent.post('/api/passkeys', { response }))).toEqual([409, 'passkeys_exhausted']);
  });

  test('a flood of changes is refused, so that no contact is flooded with notices', async () => {
    const { agent } = await world.signUp();
    const added = [];
    for (let turn = 0; turn < 11; turn += 1)
      added.push((await addPasskey(agent, createSoftwareAuthenticator(world))).status);
    expect(added).toEqual([...Array(10).fill(201), 429]);
    expect(await listOf(agent)).toHaveLength(10);
  });
});

describe('a passkey that is added', () => {
  const faults: [string, string, RegistrationCeremony][] = [
    ['of a page elsewhere', 'origin_foreign', { origin: 'https://evil.example' }],
    ['inside a frame of another site', 'origin_foreign', { crossOrigin: true }],
    ['for another relying party id', 'rp_id_foreign', { rpId: 'evil.example' }],
    ['while nobody was there', 'not_verified', { present: false }],
    ['without verifying the person', 'not_verified', { verified: false }],
    ['backed up although it cannot be', 'backup_state_impossible', { backupEligible: false, backedUp: true }],
    ['as an assertion', 'malformed', { type: 'webauthn.get' }],
    ['with a statement where it says none', 'malformed', { attestation: { fmt: 'none', attStmt: { x: 1 } } }],
    ['with certificates', 'attestation_refused', { attestation: { fmt: 'packed', attStmt: { x5c: ['x'] } } }],
    [
      'with a signature that its key did not make',
      'malformed',
      { attestation: { fmt: 'packed', attStmt: { alg: -7, sig: Buffer.from('x') } } },
    ],
    ['of a format nobody knows', 'attestation_refused', { attestation: { fmt: 'unheard', attStmt: {} } }],
    ['without a statement', 'malformed', { attestation: { fmt: 'packed' } }],
  ];

  test.each(faults)('PK5: %s is refused as %s, and nothing is stored', async (_name, reason, ceremony) => {
    const { agent } = await world.signUp();
    const options = (await agent.post('/api/passkeys/options')).json();
    const before = await snapshot(world);
    const response = createSoftwareAuthenticator(world).create(options, ceremony);
    const refused = await refusalsOf(reason, async () =>
      expect(refusal(await agent.post('/api/passkeys', { response }))).toEqual([401, 'passkey_rejected']),
    );
    expect(refused).toBe(1);
    expect(await snapshot(world)).toEqual(before);
  });

  test('PK5: one that came by itself needs no verified person, but a challenge of its own', async () => {
    const { agent } = await world.signUp();
    const unseen = { present: false, verified: false };
    const mediation = 'conditional';
    const quiet = async () => (await agent.post('/api/passkeys/options?mediation=conditional')).json();
    const usual = (await agent.post('/api/passkeys/options')).json();
    const madeFor = (options: PasskeyCreationOptions) =>
      createSoftwareAuthenticator(world).create(options, unseen);
    for (const body of [
      { response: madeFor(await quiet()) },
      { response: madeFor(usual), mediation },
      { response: createSoftwareAuthenticator(world).create(usual), mediation },
    ])
      expect(refusal(await agent.post('/api/passkeys', body))).toEqual([401, 'passkey_rejected']);
    expect(await listOf(agent)).toEqual([]);
    const options = await quiet();
    expect(options.authenticatorSelection.userVerification).toBe('preferred');
    const authenticator = createSoftwareAuthenticator(world);
    const response = authenticator.create(options, unseen);
    expect((await agent.post('/api/passkeys', { response, mediation })).status).toBe(201);
    expect(await listOf(agent)).toHaveLength(1);
  });

  test('SF12: after a password alone none comes by itself', async () => {
    const { identifier } = await world.signUp();
    const { agent } = await world.signIn(identifier);
    expect(refusal(await agent.post('/api/passkeys/options?mediation=conditional'))).toEqual([
      403,
      'step_up_required',
    ]);
  });

  test('PK5: garbage of any length is refused, and nothing is stored', async () => {
    const { agent } = await world.signUp();
    const options = (await agent.post('/api/passkeys/options')).json();
    const good = createSoftwareAuthenticator(world).create(options);
    const before = await snapshot(world);
    const nested = Buffer.alloc(6000, 0x81).toString('base64url');
    for (const attestationObject of [
      'AA',
      nested,
      randomBytes(6000).toString('base64url'),
      'A'.repeat(8193),
      'A'.repeat(60_000),
      '****',
      Buffer.from('bf').toString('base64url'),
    ]) {
      const response = { ...good, response: { ...good.response, attestationObject } };
      expect(refusal(await agent.post('/api/passkeys', { response }))).toEqual([401, expect.any(String)]);
    }
    for (const clientDataJSON of [
      'AA',
      Buffer.from('null').toString('base64url'),
      Buffer.from('{}').toString('base64url'),
    ]) {
      const response = { ...good, response: { ...good.response, clientDataJSON } };
      expect(refusal(await agent.post('/api/passkeys', { response }))).toEqual([401, 'passkey_rejected']);
    }
    for (const body of [
      { response: { ...good, type: 'password' } },
      { response: { ...good, id: undefined } },
      { response: { id: 'a', rawId: 'a', type: 'public-key' } },
      { response: good, surprise: 1 },
      { response: 'good' },
    ])
      expect(refusal(await agent.post('/api/passkeys', body))[0]).toBe(400);
    const large = { response: { ...good, more: 'x'.repeat(70_000) } };
    expect(refusal(await agent.post('/api/passkeys', large))).toEqual([413, 'too_large']);
    expect(await snapshot(world)).toEqual(before);
  });

  test('fields that a newer browser adds are ignored', async () => {
    const { agent } = await world.signUp();
    const options = (await agent.post('/api/passkeys/options')).json();
    const good = createSoftwareAuthenticator(world).create(options, {
      transports: ['internal', 'telepathy'],
    });
    const response = {
      ...good,
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
      response: { ...good.response, publicKeyAlgorithm: -7 },
    };
    expect((await agent.post('/api/passkeys', { response })).status).toBe(201);
    const { excludeCredentials } = (await agent.post('/api/passkeys/options')).json();
    expect(excludeCredentials[0].transports).toEqual(['internal']);
  });

  test('PK6: one that is known already is refused, whoever has it', async () => {
    const { agent } = await world.signUp();
    const other = await world.signUp();
    const credentialId = randomBytes(16);
    const add = (by: UserAgent) => addPasskey(by, createSoftwareAuthenticator(world), { credentialId });
    expect((await add(agent)).status).toBe(201);
    expect(refusal(await add(agent))).toEqual([409, 'passkey_exists']);
    expect(refusal(await add(other.agent))).toEqual([409, 'passkey_exists']);
  });

  test('PK7: its challenge is good once, for 5 minutes, in the session and browser that asked', async () => {
    const { agent, identifier } = await world.signUp();
    const elsewhere = await world.signIn(identifier);
    await proveByCode(world, elsewhere.agent, identifier);
    const authenticator = createSoftwareAuthenticator(world);
    const options = async () => (await agent.post('/api/passkeys/options')).json();
    const add = (by: UserAgent, asked: Awaited<ReturnType<typeof options>>) =>
      by.post('/api/passkeys', { response: authenticator.create(asked) });
    const moved = await options();
    expect(refusal(await add(elsewhere.agent, moved))).toEqual([401, 'passkey_rejected']);
    expect((await add(agent, moved)).status).toBe(201);
    expect(refusal(await add(agent, moved))).toEqual([401, 'passkey_rejected']);
    const late = await options();
    shiftSeconds = FIVE_MINUTES + 1;
    expect(refusal(await add(agent, late))).toEqual([401, 'challenge_expired']);
    shiftSeconds = 0;
    const madeUp = { ...(await options()), challenge: randomBytes(32).toString('base64url') };
    expect(refusal(await add(agent, madeUp))).toEqual([401, 'challenge_expired']);
  });
});

describe('a sign-in by a passkey', () => {
  test('PK8: needs nothing else, and says in the tokens how strong it is', async () => {
    const { authenticator, agent: own } = await person();
    const { agent, uid } = await atLogin();
    const answer = await usePasskey(agent, uid, authenticator);
    expect(answer.status).toBe(200);
    expect((await agent.navigate(answer.json().returnTo)).url.pathname).toBe('/index');
    const [used] = await listOf(agent);
    expect(used.lastUsedAt).toEqual(expect.any(String));
    expect((await own.get('/api/account')).json().id).toBe((await agent.get('/api/account')).json().id);
    expect(world.countEvent('sign_in.succeeded')).toBeGreaterThan(0);
  });

  test.each([
    [true, 'swk'],
    [false, 'hwk'],
  ])('of a passkey that is synced: %j, has the method %s', async (synced, method) => {
    const { authenticator } = await person({ synced });
    const { rp } = await world.registerApp();
    const agent = world.browser();
    const { url, checks } = await rp.authorizationUrl();
    const arrived = await agent.navigate(url);
    const answer = await usePasskey(agent, world.interactionOf(arrived.url), authenticator);
    let last = await agent.navigate(answer.json().returnTo);
    if (last.url.pathname === '/consent') last = await world.approve(agent, world.interactionOf(last.url));
    const tokens = await rp.exchange(last.url, checks);
    expect(tokens.claims()?.amr).toEqual([method, 'user', 'mfa']);
  });

  test('of a passkey that is synced meets phr, and not an app that insists on a key bound to hardware', async () => {
    const { authenticator } = await person();
    const { rp } = await world.registerApp();
    const asking = async (acr: string) => {
      const agent = world.browser();
      const claims = JSON.stringify({ id_token: { acr: { essential: true, value: acr } } });
      const { url } = await rp.authorizationUrl({ claims });
      return usePasskey(agent, world.interactionOf((await agent.navigate(url)).url), authenticator);
    };
    expect((await asking('phr')).status).toBe(200);
    expect(refusal(await asking('phrh'))).toEqual([403, 'bound_passkey_missing']);
  });

  test('a browser remembers nobody by it: nothing was typed there', async () => {
    const { authenticator } = await person();
    const { agent, uid } = await atLogin();
    const answer = await usePasskey(agent, uid, authenticator);
    await agent.navigate(answer.json().returnTo);
    await agent.post('/api/sign-out');
    const again = await atLogin(agent);
    expect((await world.details(agent, again.uid)).accounts).toEqual([]);
  });

  const faults: [string, string, AssertionCeremony][] = [
    ['of a page elsewhere', 'origin_foreign', { origin: 'https://evil.example' }],
    ['inside a frame of another site', 'origin_foreign', { crossOrigin: true }],
    ['for another relying party id', 'rp_id_foreign', { rpId: 'evil.example' }],
    ['while nobody was there', 'not_verified', { present: false, verified: false }],
    ['without verifying the person', 'not_verified', { verified: false }],
    ['with the signature of another key', 'signature_wrong', {}],
    ['with a signature that is none', 'malformed', { signature: Buffer.from('none') }],
    ['as a registration', 'malformed', { type: 'webauthn.create' }],
    [
      'as one that cannot be synced, though it can',
      'backup_state_impossible',
      { backupEligible: false, backedUp: false },
    ],
    ['of somebody else', 'account_differs', { userHandle: randomBytes(64).toString('base64url') }],
    ['of nobody', 'account_differs', { userHandle: null }],
  ];

  test.each(faults)(
    'PK9: %s is refused, and the event alone says why: %s',
    async (_name, reason, ceremony) => {
      const { authenticator } = await person();
      const [credential] = authenticator.credentials;
      const other = createSoftwareAuthenticator(world);
      const { agent, uid } = await atLogin();
      const { agent: maker } = await world.signUp();
      if (reason === 'signature_wrong') other.create((await maker.post('/api/passkeys/options')).json());
      const privateKey = other.credentials[0]?.privateKey;
      const forged = credential && privateKey && { credential: { ...credential, privateKey } };
      const before = await snapshot(world);
      const refused = await refusalsOf(reason, async () => {
        const answer = await usePasskey(agent, uid, authenticator, { ...ceremony, ...forged });
        expect(answer.status).toBe(401);
        expect(answer.json().error).toEqual({ code: 'passkey_rejected', requestId: expect.any(String) });
      });
      expect(refused).toBe(1);
      expect(await snapshot(world)).toEqual(before);
    },
  );

  test('AC4: a refused passkey is noted as a refused sign-in of its owner, once an hour with a count', async () => {
    const { agent: own, authenticator } = await person();
    const { agent, uid } = await atLogin();
    for (let turn = 0; turn < 3; turn += 1)
      expect((await usePasskey(agent, uid, authenticator, { verified: false })).status).toBe(401);
    await world.tellSignIns();
    const { items } = (await own.get('/api/activity')).json();
    const refused = items.filter(({ kind }: Activity) => kind === 'sign_in_refused');
    expect(refused).toMatchObject([{ detail: { method: 'passkey' }, count: 3, disputable: false }]);
    expect(refused[0].browser.name).toBeTypeOf('string');
  });

  test('PK10: an assertion works once, in its own interaction and browser, within 5 minutes', async () => {
    const { authenticator } = await person();
    const { agent, uid } = await atLogin();
    const other = await atLogin(agent);
    const path = (of: string) => `/interaction/${of}/passkey`;
    const ask = () => askPasskey(agent, authenticator, `${path(uid)}/options`);
    const response = await ask();
    expect(refusal(await agent.post(path(other.uid), { response }))).toEqual([401, 'passkey_rejected']);
    const stranger = await atLogin();
    expect(refusal(await stranger.agent.post(path(uid), { response }))).toEqual([410, 'interaction_expired']);
    const late = await ask();
    shiftSeconds = FIVE_MINUTES + 1;
    expect(refusal(await agent.post(path(uid), { response: late }))).toEqual([401, 'challenge_expired']);
    shiftSeconds = 0;
    const wrong = { ...response, response: { ...response.response, signature: 'AAAA' } };
    expect(refusal(await agent.post(path(uid), { response: wrong }))).toEqual([401, 'passkey_rejected']);
    const replayed = await refusalsOf('replayed', async () =>
      expect(refusal(await agent.post(path(uid), { response }))).toEqual([401, 'passkey_rejected']),
    );
    expect(replayed).toBe(1);
    expect((await agent.post(path(uid), { response: await ask() })).status).toBe(200);
  });

  test('PK11: a challenge of one purpose opens nothing else', async () => {
    const { agent, authenticator } = await person();
    const stepUp = await askPasskey(agent, authenticator, '/api/step-up/options');
    const { uid } = await atLogin(agent);
    expect(refusal(await agent.post(`/interaction/${uid}/passkey`, { response: stepUp }))).toEqual([
      401,
      'passkey_rejected',
    ]);
    const options = (await agent.post('/api/passkeys/options')).json();
    const forged = authenticator.get({ ...options, rpId: 'localhost', userVerification: 'required' });
    const elsewhere = await refusalsOf('challenge_elsewhere', async () =>
      expect(refusal(await agent.post('/api/step-up', { passkey: forged }))).toEqual([
        401,
        'passkey_rejected',
      ]),
    );
    expect(elsewhere).toBe(1);
  });

  test('PK12: one that was removed, or whose account is gone, is unknown: a page may tell the browser so', async () => {
    const { agent: own, authenticator, passkey } = await person();
    const unknown = { code: 'passkey_rejected', fields: { 'response.id': 'not_found' } };
    await own.delete(`/api/passkeys/${passkey.id}`);
    const { agent, uid } = await atLogin();
    const removed = await usePasskey(agent, uid, authenticator);
    expect([removed.status, removed.json().error]).toMatchObject([401, unknown]);
    const gone = await person();
    const { id } = (await gone.agent.get('/api/account')).json();
    await world.db.deleteFrom('account').where('id', '=', id).execute();
    const deleted = await usePasskey(agent, uid, gone.authenticator);
    expect([deleted.status, deleted.json().error]).toMatchObject([401, unknown]);
    expect(await world.db.selectFrom('user_handle').where('account_id', '=', id).execute()).toEqual([]);
  });

  test('PK13: a disabled account is told so only by its own passkey', async () => {
    const { agent: own, authenticator } = await person();
    const { id } = (await own.get('/api/account')).json();
    const disable = world.db.updateTable('account').set({ status: 'disabled' }).where('id', '=', id);
    await disable.execute();
    const { agent, uid } = await atLogin();
    const forged = await usePasskey(agent, uid, authenticator, { signature: Buffer.from('none') });
    expect(refusal(forged)).toEqual([401, 'passkey_rejected']);
    expect(refusal(await usePasskey(agent, uid, authenticator))).toEqual([403, 'account_disabled']);
  });

  test('PK14: a counter that goes back is refused, marked and told once; one that grows still signs in', async () => {
    const { agent: own, identifier, authenticator } = await person({ synced: false });
    const { agent, uid } = await atLogin();
    const use = (counter: number) => usePasskey(agent, uid, authenticator, { counter });
    const { id } = (await own.get('/api/account')).json();
    await world.db.updateTable('passkey').set({ counter: 7 }).where('account_id', '=', id).execute();
    expect(refusal(await use(7))).toEqual([401, 'passkey_rejected']);
    expect(refusal(await use(0))).toEqual([401, 'passkey_rejected']);
    expect((await listOf(own))[0]).toMatchObject({ warning: 'counter' });
    expect((await noticesTo(identifier)).filter((purpose) => purpose === 'passkey_counter')).toHaveLength(1);
    expect((await notedOf(own)).filter(([kind]) => kind === 'passkey_counter')).toHaveLength(1);
    expect((await use(8)).status).toBe(200);
    expect((await listOf(own))[0]).toMatchObject({ warning: 'counter', lastUsedAt: expect.any(String) });
  });

  test('PK14: without the key nobody marks a passkey', async () => {
    const { agent: own, authenticator } = await person({ synced: false });
    const { id } = (await own.get('/api/account')).json();
    await world.db.updateTable('passkey').set({ counter: 7 }).where('account_id', '=', id).execute();
    const { agent, uid } = await atLogin();
    const forged = { counter: 3, signature: Buffer.from('none') };
    expect(refusal(await usePasskey(agent, uid, authenticator, forged))).toEqual([401, 'passkey_rejected']);
    expect((await listOf(own))[0]).not.toHaveProperty('warning');
  });

  test('a browser that asks without end is told to wait', async () => {
    const { agent, uid } = await atLogin();
    const ask = () => agent.post(`/interaction/${uid}/passkey/options`);
    for (let turn = 0; turn < 60; turn += 1) expect((await ask()).status).toBe(200);
    expect(refusal(await ask())).toEqual([429, 'rate_limited']);
    shiftSeconds = TEN_MINUTES + 1;
    expect((await ask()).status).toBe(200);
  });

  test('challenges are swept an hour after their end', async () => {
    const { agent, uid } = await atLogin();
    await agent.post(`/interaction/${uid}/passkey/options`);
    const old = new Date(Date.now() - (HOUR + 60) * 1000);
    await world.db.updateTable('passkey_challenge').set({ expires_at: old }).execute();
    await agent.post(`/interaction/${uid}/passkey/options`);
    await world.sweep();
    expect(await world.db.selectFrom('passkey_challenge').selectAll().execute()).toHaveLength(1);
  });
});

describe('a step-up by a passkey', () => {
  test('PK15: opens what asks for one, by a passkey of this account alone', async () => {
    const { agent, authenticator, passkey } = await person();
    const other = await person();
    shiftSeconds = TEN_MINUTES + 1;
    const remove = () => agent.delete(`/api/passkeys/${passkey.id}`);
    expect(refusal(await remove())).toEqual([403, 'step_up_required']);
    const options = (await agent.post('/api/step-up/options')).json();
    expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([passkey.credentialId]);
    const [credential] = other.authenticator.credentials;
    const foreign = other.authenticator.get(options, credential && { credential });
    expect(refusal(await agent.post('/api/step-up', { passkey: foreign }))).toEqual([
      401,
      'passkey_rejected',
    ]);
    const own = await askPasskey(agent, authenticator, '/api/step-up/options', { userHandle: null });
    expect((await agent.post('/api/step-up', { passkey: own })).status).toBe(204);
    expect((await remove()).status).toBe(204);
  });

  test('takes exactly one proof', async () => {
    const { agent, authenticator } = await person();
    const passkey = await askPasskey(agent, authenticator, '/api/step-up/options');
    for (const body of [{ passkey, password: 'moonlight77' }, { passkey, code: '123456' }, {}])
      expect(refusal(await agent.post('/api/step-up', body))[0]).toBe(400);
  });
});

test('PK12: a passkey that is removed before its session is made signs nobody in', async () => {
  const { agent: owner, authenticator, passkey } = await person();
  const { agent, uid } = await atLogin();
  const used = await usePasskey(agent, uid, authenticator);
  expect(used.status, used.body).toBe(200);
  expect((await owner.delete(`/api/passkeys/${passkey.id}`)).status).toBe(204);
  await agent.navigate(used.json().returnTo);
  expect((await agent.get('/api/account')).status).toBe(401);
});

describe('a recovery', () => {
  const recover = async (identifier: string) => {
    const agent = world.browser();
    const code = await world.receiveCode(agent, identifier, 'recover');
    const started = (await agent.post('/api/recovery/verify', { identifier, code })).json();
    const set = (more: object = {}) =>
      agent.post('/api/recovery/password', { ticket: started.ticket, password: 'starlight88', ...more });
    return { agent, started, set };
  };

  test('PK18: shows the passkeys of the account and removes those that the person does not know', async () => {
    const { agent: own, identifier, authenticator, passkey } = await person();
    const intruder = await givePasskey(own, world.origin);
    const { started, set } = await recover(identifier);
    const { id, name, createdAt } = passkey;
    expect(started.passkeys).toEqual([
      { id: intruder.passkey.id, name, createdAt: intruder.passkey.createdAt },
      { id, name, createdAt },
    ]);
    expect((await set({ dropPasskeys: [intruder.passkey.id, 'unknown'] })).status).toBe(204);
    const { agent, uid } = await atLogin();
    expect(refusal(await usePasskey(agent, uid, intruder.authenticator))).toEqual([401, 'passkey_rejected']);
    expect((await usePasskey(agent, uid, authenticator)).status).toBe(200);
    expect((await noticesTo(identifier)).slice(-2).sort()).toEqual(['passkey_removed', 'password_changed']);
  });

  test('SF12: by a younger contact shows and removes no passkey that is older', async () => {
    const { identifier, passkey } = await person();
    await world.db
      .updateTable('account_identifier')
      .set({ verified_at: new Date(Date.now() - 30 * 24 * HOUR * 1000) })
      .where('value', '=', identifier)
      .execute();
    await world.db
      .updateTable('passkey')
      .set({ created_at: new Date(Date.now() - 29 * 24 * HOUR * 1000) })
      .where('id', '=', passkey.id)
      .execute();
    const { agent: thief } = await world.signIn(identifier);
    const phone = nextPhone();
    await bind(world, thief, 'phone', phone);
    const { started, set } = await recover(phone);
    expect(started.passkeys).toEqual([]);
    expect((await set({ dropPasskeys: [passkey.id] })).status).toBe(204);
    const { started: ofOwner, set: setByOwner } = await recover(identifier);
    expect(ofOwner.passkeys).toHaveLength(1);
    expect((await setByOwner({ dropPasskeys: [passkey.id] })).status).toBe(204);
    expect(await world.db.selectFrom('passkey').select('id').where('id', '=', passkey.id).execute()).toEqual(
      [],
    );
  });

  test('PK18: removes no passkey of another account', async () => {
    const { agent: own, passkey } = await person();
    const { identifier } = await world.signUp();
    const { set } = await recover(identifier);
    expect((await set({ dropPasskeys: [passkey.id] })).status).toBe(204);
    expect(await listOf(own)).toEqual([passkey]);
  });

  test('of an account with a second factor takes a passkey in its place', async () => {
    const { agent: own, identifier, authenticator } = await person();
    await turnOnTotp(own, new Date());
    const { agent, started, set } = await recover(identifier);
    expect(started.secondFactor).toContain('passkey');
    expect(refusal(await set())).toEqual([403, 'second_factor_required']);
    const { ticket } = started;
    const ask = (by = authenticator) => askPasskey(agent, by, '/api/recovery/options', {}, { ticket });
    const elsewhere = await person();
    const options = (await agent.post('/api/recovery/options', { ticket })).json();
    const [credential] = elsewhere.authenticator.credentials;
    const foreign = elsewhere.authenticator.get(options, credential && { credential });
    expect(refusal(await set({ passkey: foreign }))).toEqual([401, 'passkey_rejected']);
    expect((await set({ passkey: await ask() })).status).toBe(204);
    const stranger = world.browser();
    expect(refusal(await stranger.post('/api/recovery/options', { ticket }))).toEqual([
      401,
      'ticket_invalid',
    ]);
  });
});

describe('the documents of passkeys', () => {
  test('name the origins of the relying party id, and where passkeys are kept', async () => {
    const agent = world.browser();
    const related = await agent.get('/.well-known/webauthn');
    expect(related.headers['content-type']).toContain('application/json');
    expect(related.json()).toEqual({ origins: [world.origin] });
    const page = `${world.origin}/index`;
    expect((await agent.get('/.well-known/passkey-endpoints')).json()).toEqual({
      enroll: page,
      manage: page,
    });
  });
});
