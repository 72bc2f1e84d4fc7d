import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import { addPasskey, askPasskey, givePasskey, usePasskey } from '../support/passkeys.ts';
import { createSoftwareAuthenticator } from '../support/software-authenticator.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

const TEN_MINUTES = 600;
const FIVE_MINUTES = 300;

let world: World;
const shiftSeconds = 0;
beforeAll(async () => {
  world = await createWorld({ now: () => new Date(Date.now() + shiftSeconds * 1000) });
});
afterAll(() => world.close());

const atLogin = async (agent: UserAgent = world.browser()) => {
  const { url } = await agent.navigate('/login');
  return { agent, uid: world.interactionOf(url) };
};

describe('passkeys', () => {
  test('a passkey is added, shown, renamed and removed, and every contact is told', async () => {
    const { agent, identifier } = await world.signUp();
    expect((await agent.get('/api/passkeys')).json()).toEqual({ items: [], rpId: 'localhost' });
    const { passkey } = await givePasskey(agent, world.origin, {
      aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
    });
    expect(passkey).toMatchObject({ name: 'iCloud Keychain', provider: 'iCloud Keychain', synced: true });
    const { items, userHandle } = (await agent.get('/api/passkeys')).json();
    expect(items).toEqual([passkey]);
    expect(Buffer.from(userHandle, 'base64url')).toHaveLength(64);
    const path = `/api/passkeys/${passkey.id}`;
    const renamed = await agent.request('PATCH', path, { json: { name: ' My phone ' } });
    expect([renamed.status, renamed.json()]).toEqual([200, { ...passkey, name: 'My phone' }]);
    expect((await agent.delete(path)).status).toBe(204);
    expect((await agent.get('/api/passkeys')).json()).toEqual({ items: [], rpId: 'localhost', userHandle });
    const sent = (await world.messages()).filter(({ to }) => to === identifier).map(({ purpose }) => purpose);
    expect(sent).toEqual(['register', 'passkey_added', 'passkey_removed']);
  });
});

describe('a sign-in by a passkey', () => {
  test('needs nothing else', async () => {
    const { agent: own } = await world.signUp();
    const { authenticator, passkey } = await givePasskey(own, world.origin);
    const { agent, uid } = await atLogin();
    const answer = await usePasskey(agent, uid, authenticator);
    expect(answer.status).toBe(200);
    expect((await agent.navigate(answer.json().returnTo)).url.pathname).toBe('/index');
    expect((await agent.get('/api/passkeys')).json().items).toEqual([
      { ...passkey, lastUsedAt: expect.any(String) },
    ]);
  });
});
