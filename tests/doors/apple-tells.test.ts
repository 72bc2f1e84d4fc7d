import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { importSPKI } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bind, nextPhone, undoTokenTo } from '../api/settings.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { type ApplePerson, type PlayedApple, startPlayedApple } from './played-apple.ts';
import { createPlayedKey, nowInSeconds } from './played-keys.ts';
import { createPlayedWorld, type PlayedWorld } from './played-world.ts';
import { isSignedIn, noticesTo, registerThrough, signInByCode, tell } from './told.ts';
import { otherOrigin, twoBrands } from './two-brands.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const app = { clientId: 'com.example.id', teamId: 'A1B2C3D4E5', keyId: 'F6G7H8I9J0' };

const entry = {
  id: 'apple',
  kind: 'apple',
  client_id: app.clientId,
  team_id: app.teamId,
  key_id: app.keyId,
  private_key: privateKey,
};

let apple: PlayedApple;
let world: PlayedWorld;
beforeAll(async () => {
  world = await createPlayedWorld({
    entries: [entry],
    env: twoBrands,
    play: async (redirectUriOf) => {
      const own = redirectUriOf('apple');
      const key = await importSPKI(publicKey, 'ES256');
      apple = await startPlayedApple({ ...app, publicKey: key, redirectUris: [own, otherOrigin(own)] });
      return [apple];
    },
  });
});
afterAll(() => world.close());

let count = 0;
let ann: ApplePerson & { email: string };
beforeEach(async () => {
  // All who register here come from one address.
  await world.db.deleteFrom('rate_limit').execute();
  apple.behave();
  count += 1;
  ann = {
    sub: `001234.${count}.0001`,
    email: `ann${count}@privaterelay.appleid.com`,
    email_verified: true,
    is_private_email: true,
  };
  apple.person(ann);
});

const go = () => world.go('apple', apple.visit);
const register = () => registerThrough(world, 'apple', apple.visit);
/** Ann, with a phone as her other contact. */
const registerWithPhone = async (): Promise<{ agent: UserAgent; phone: string }> => {
  const agent = await register();
  const phone = nextPhone();
  await bind(world, agent, 'phone', phone);
  return { agent, phone };
};
const send = (notification: unknown) =>
  tell(world, 'apple', JSON.stringify(notification), 'application/json');
/** What was to be given back later is due, and nobody waits who came before. */
const passTheWait = async () => {
  await world.db.deleteFrom('provider_arrival').execute();
  await world.db.updateTable('identity_revocation').set({ due_at: new Date() }).execute();
};
const notify = async (type: string, claims?: Record<string, unknown>) =>
  send(await apple.notification({ type, sub: ann.sub }, claims));

test('while its keys cannot be read Apple is asked to come again, and nothing is lost', async () => {
  const { agent } = await registerWithPhone();
  const notification = await apple.notification({ type: 'consent-revoked', sub: ann.sub });
  apple.misbehaveAt('GET /auth/keys', () => ({ status: 500, body: '' }));
  expect((await send(notification)).status).toBe(503);
  expect(await isSignedIn(agent)).toBe(true);
  apple.behave();
  expect((await send(notification)).status).toBe(200);
  expect(await isSignedIn(agent)).toBe(false);
});

describe.each(['consent-revoked', 'account-delete', 'account-deleted'])('%s', (type) => {
  test('IP12, IP13: ends the sessions that came through Apple, closes it, and tells the other contact, once', async () => {
    const { agent, phone } = await registerWithPhone();
    const byCode = await signInByCode(world, phone);
    const notification = await apple.notification({ type, sub: ann.sub });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(notification)));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(5).fill([200, '']));

    expect([await isSignedIn(agent), await isSignedIn(byCode)]).toEqual([false, true]);
    expect(await noticesTo(world, phone)).toEqual(['phone_bound', 'provider_closed']);
    expect(await noticesTo(world, ann.email)).toEqual(['phone_bound']);
    const { items } = (await byCode.get('/api/providers')).json();
    expect(items).toEqual([expect.objectContaining({ id: 'apple', closed: true })]);
    const activity = (await byCode.get('/api/activity'))
      .json()
      .items.map(({ kind }: { kind: string }) => kind);
    expect(activity.filter((kind: string) => kind === 'provider_closed')).toHaveLength(1);

    // Apple opens nothing until the account is proven in another way.
    const again = await go();
    expect(again.arrival.url.pathname).toBe('/login');
    expect(await world.whoWaits(again)).toMatchObject({ state: 'existing-account' });
  });

  test('IP15: who consents anew, and proves the account, has the token of the new consent', async () => {
    await registerWithPhone();
    const readToken = async () => {
      const row = world.db.selectFrom('federated_identity').select(['refresh_token_sealed', 'closed_at']);
      return row.where('subject', '=', ann.sub).executeTakeFirst();
    };
    const before = await readToken();
    await send(await apple.notification({ type, sub: ann.sub }));
    const again = await go();
    const code = await world.receiveCode(again.agent, ann.email, 'login');
    const answer = await again.agent.post(`/interaction/${again.uid}/login`, { identifier: ann.email, code });
    await again.agent.navigate(answer.json().returnTo);
    const after = await readToken();
    expect(after?.closed_at).toBeNull();
    expect(after?.refresh_token_sealed).not.toBe(before?.refresh_token_sealed);
  });
});

test('IP14: a last way in is not closed: its sessions end, and Apple opens the account', async () => {
  apple.person({ ...ann, email_verified: false });
  const agent = await register();
  expect((await notify('consent-revoked')).status).toBe(200);
  expect(await isSignedIn(agent)).toBe(false);
  expect((await go()).arrival.url.pathname).toBe('/index');
});

test('email-disabled: who gets no mail any more is told by another contact', async () => {
  const { agent, phone } = await registerWithPhone();
  expect((await notify('email-disabled')).status).toBe(200);
  expect(await noticesTo(world, phone)).toEqual(['phone_bound', 'provider_mail_stopped']);
  expect(await noticesTo(world, ann.email)).toEqual(['phone_bound']);
  expect(await isSignedIn(agent)).toBe(true);
});

test.each(['email-enabled', 'something-new'])('%s changes nothing', async (type) => {
  const { agent, phone } = await registerWithPhone();
  expect((await notify(type)).status).toBe(200);
  expect(await noticesTo(world, phone)).toEqual(['phone_bound']);
  expect(await isSignedIn(agent)).toBe(true);
});

test('somebody who is not known here is nobody’s loss', async () => {
  expect((await notify('consent-revoked')).status).toBe(200);
});

test('what was written 31 days ago is not believed any more', async () => {
  const { agent } = await registerWithPhone();
  expect((await notify('consent-revoked', { iat: nowInSeconds() - 31 * 86_400 })).status).toBe(200);
  expect(await isSignedIn(agent)).toBe(true);
});

describe('what Apple did not write for us', () => {
  const forge = async (claims: Record<string, unknown> = {}) => {
    const key = await createPlayedKey();
    return {
      payload: await key.sign({
        iss: 'https://appleid.apple.com',
        aud: app.clientId,
        iat: nowInSeconds(),
        jti: randomUUID(),
        events: JSON.stringify({ type: 'account-delete', sub: ann.sub, event_time: Date.now() }),
        ...claims,
      }),
    };
  };
  const unsigned = async () => {
    const { payload = '' } = await apple.notification({ type: 'account-delete', sub: ann.sub });
    const [, claims] = payload.split('.');
    const head = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    return { payload: `${head}.${claims}.` };
  };
  const event = () => ({ type: 'account-delete', sub: ann.sub });

  test.each<[string, () => unknown]>([
    ['is signed by another key', () => forge()],
    ['is not signed', unsigned],
    ['is for another app', () => apple.notification(event(), { aud: 'com.example.other' })],
    ['is of another issuer', () => apple.notification(event(), { iss: 'https://appleid.example' })],
    ['has no jti', () => apple.notification(event(), { jti: undefined })],
    ['has no events', () => apple.notification(event(), { events: undefined })],
    ['has events that are no JSON', () => apple.notification(event(), { events: '{' })],
    ['has no payload', () => ({})],
    ['is no JWT', () => ({ payload: 'nothing' })],
    ['is a list', () => []],
  ])('IP12: %s: 400, and nothing happens', async (_, make) => {
    const { agent } = await registerWithPhone();
    const before = world.countEvent('provider.not_heard', 'invalid_request');
    const answer = await send(await make());
    expect([answer.status, answer.json().err]).toEqual([400, 'invalid_request']);
    expect(world.countEvent('provider.not_heard', 'invalid_request')).toBe(before + 1);
    expect(await isSignedIn(agent)).toBe(true);
  });

  test('is longer than 64 KiB: 413', async () => {
    expect((await send({ payload: 'x'.repeat(70_000) })).status).toBe(413);
  });

  test('goes to a provider that is not there: 404', async () => {
    expect((await tell(world, 'nobody', '{}', 'application/json')).status).toBe(404);
  });
});

describe('when the account is deleted', () => {
  const leave = async (agent: UserAgent) => {
    const code = await world.receiveCode(agent, ann.email, 'step-up');
    await agent.post('/api/step-up', { identifier: ann.email, code });
    expect((await agent.delete('/api/account')).status).toBe(200);
    await world.db
      .updateTable('account')
      .set({ leaving_at: new Date(Date.now() - 15 * 86_400_000) })
      .where('leaving_at', 'is not', null)
      .execute();
    await world.carryOutLeavings();
    await passTheWait();
  };

  test('IP15: Apple takes back what it issued', async () => {
    const agent = await register();
    const stored = await world.db.selectFrom('federated_identity').select('refresh_token_sealed').execute();
    await leave(agent);
    expect(
      await world.db.selectFrom('federated_identity').select('id').where('subject', '=', ann.sub).execute(),
    ).toEqual([]);
    const before = apple.revoked.length;
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before + 1);
    // It is kept sealed.
    expect(JSON.stringify(stored)).not.toContain(apple.revoked.at(-1));
    await world.revokeIdentities();
    expect(apple.askedFor('POST /auth/revoke')).toHaveLength(before + 1);
  });

  test('an Apple that is away is asked again', async () => {
    const agent = await register();
    await leave(agent);
    const before = apple.revoked.length;
    apple.misbehaveAt('POST /auth/revoke', () => ({ status: 503, body: '' }));
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before);
    apple.behave();
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before);
    await passTheWait();
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before + 1);
  });
});

describe('when Apple is unlinked', () => {
  const unlink = async (agent: UserAgent) => {
    const code = await world.receiveCode(agent, ann.email, 'step-up');
    await agent.post('/api/step-up', { identifier: ann.email, code });
    expect((await agent.delete('/api/providers/apple')).status).toBe(204);
  };

  test('IP15: Apple takes back what it issued, once the link in the notice puts it back no more', async () => {
    await unlink(await register());
    const before = apple.revoked.length;
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before);
    await passTheWait();
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before + 1);
  });

  /** Ann proves in another interaction, or at another brand, the account that Apple's address leads to. */
  const prove = async ({ agent, uid }: Awaited<ReturnType<typeof go>>) => {
    const code = await world.receiveCode(agent, ann.email, 'login');
    await agent.post(`/interaction/${uid}/login`, { identifier: ann.email, code });
  };

  test('IP15: who links it again meanwhile keeps it: Apple would end the new link as well', async () => {
    const agent = await register();
    await unlink(agent);
    const before = apple.revoked.length;
    await prove(await go());
    await passTheWait();
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before);
    expect((await go()).arrival.url.pathname).toBe('/index');
  });

  test('IP15: what the link puts back holds its token again, of which there is one copy', async () => {
    const agent = await register();
    const long = new Date(Date.now() - 80 * 3_600_000);
    const ofAnn = world.db.updateTable('account_identifier').where('display', '=', ann.email);
    await ofAnn.set({ verified_at: long }).execute();
    const readToken = async () =>
      world.db
        .selectFrom('federated_identity')
        .select('refresh_token_sealed')
        .where('subject', '=', ann.sub)
        .executeTakeFirst();
    const before = await readToken();
    await unlink(agent);
    const added = await world.db.selectFrom('addition').selectAll().execute();
    expect(JSON.stringify(added)).not.toContain(before?.refresh_token_sealed);
    const token = await undoTokenTo(world, ann.email);
    expect((await world.browser().post('/api/undo', { token })).status).toBe(200);
    expect(await readToken()).toEqual(before);
    await passTheWait();
    const revoked = apple.revoked.length;
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(revoked);
  });

  test('IP15: whoever has the way in at another brand keeps it: they consented to the same app', async () => {
    const agent = await register();
    await prove(await world.go('apple', apple.visit, world.browser({ origin: otherOrigin(world.origin) })));
    await unlink(agent);
    await passTheWait();
    const before = apple.revoked.length;
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before);
    await passTheWait();
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before);
  });

  test('IP15: whoever comes from Apple meanwhile, and has no account yet, keeps it', async () => {
    await unlink(await register());
    await passTheWait();
    const before = apple.revoked.length;
    expect((await go()).arrival.url.pathname).toBe('/login');
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before);
    await passTheWait();
    await world.revokeIdentities();
    expect(apple.revoked).toHaveLength(before + 1);
  });
});
