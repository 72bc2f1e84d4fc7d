import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../oidc/authorization.ts';
import { givePasskey, usePasskey } from '../support/passkeys.ts';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../support/software-authenticator.ts';
import { createVerbs, createWorld, freePort, type World } from '../support/world.ts';
import { proveByCode } from './settings.ts';

type Verbs = ReturnType<typeof createVerbs>;

/** A browser that has the passkeys of another one, and opens the pages of another brand. */
const carriedTo = ({ origin }: Verbs, { credentials }: SoftwareAuthenticator) => {
  const authenticator = createSoftwareAuthenticator({ origin });
  authenticator.credentials.push(...credentials);
  return authenticator;
};

describe('passkeys of several brands', () => {
  let world: World;
  let related: Verbs;
  let apart: Verbs;
  let below: Verbs;
  const file = join(tmpdir(), `passkey-brands-${process.pid}.json`);
  beforeAll(async () => {
    const port = await freePort();
    const brands = [
      { id: 'aurelia', origin: `http://localhost:${port}` },
      { id: 'fjord', name: 'Fjord', origin: `http://id.fjord.example:${port}`, rpId: 'localhost' },
      { id: 'tern', name: 'Tern', origin: `http://id.tern.example:${port}` },
      { id: 'gull', name: 'Gull', origin: `http://id.gull.example:${port}`, rpId: 'gull.example' },
    ];
    await writeFile(file, JSON.stringify(brands));
    world = await createWorld({ env: { PORT: String(port), BRANDS_FILE: file } });
    const { ports, config } = world;
    const registerClients = () => Promise.reject(new Error('register with the first brand'));
    const at = (index: number) =>
      createVerbs({
        origin: brands[index]?.origin ?? '',
        ports,
        dataDirs: [config.dataDir],
        registerClients,
      });
    related = at(1);
    apart = at(2);
    below = at(3);
  });
  afterAll(async () => {
    await world.close();
    await rm(file, { force: true });
  });

  const signInAt = async (place: Verbs, authenticator: SoftwareAuthenticator) => {
    const agent = place.browser();
    const { url } = await agent.navigate('/login');
    return usePasskey(agent, place.interactionOf(url), authenticator);
  };

  test('PK16: one works at each brand of its relying party id, from the brand’s own pages', async () => {
    const { agent } = await world.signUp();
    const { authenticator } = await givePasskey(agent, world.origin);
    expect((await signInAt(related, carriedTo(related, authenticator))).status).toBe(200);
    expect(refusal(await signInAt(related, authenticator))).toEqual([401, 'passkey_rejected']);
  });

  test('PK16: it is no passkey of a brand with another relying party id, which shows where it belongs', async () => {
    const { agent, identifier } = await world.signUp();
    const { authenticator, passkey } = await givePasskey(agent, world.origin);
    const { agent: there } = await apart.signIn(identifier);
    await proveByCode(apart, there, identifier);
    expect((await there.get('/api/passkeys')).json()).toMatchObject({
      rpId: 'id.tern.example',
      items: [{ ...passkey, elsewhere: 'localhost' }],
    });
    expect((await there.post('/api/passkeys/options')).json().excludeCredentials).toEqual([]);
    expect((await there.post('/api/step-up/options')).json().allowCredentials).toEqual([]);
    const [credential] = carriedTo(apart, authenticator).credentials;
    const stolen = createSoftwareAuthenticator({ origin: apart.origin });
    if (credential) stolen.credentials.push({ ...credential, rpId: 'id.tern.example' });
    expect(refusal(await signInAt(apart, stolen))).toEqual([401, 'passkey_rejected']);
    const own = await givePasskey(there, apart.origin);
    expect((await signInAt(apart, own.authenticator)).status).toBe(200);
  });

  test('PK17: the relying party id lists the origins that share it, at its own host too', async () => {
    const path = '/.well-known/webauthn';
    const shared = { origins: [world.origin, related.origin] };
    expect((await world.browser().get(path)).json()).toEqual(shared);
    expect((await related.browser().get(path)).json()).toEqual(shared);
    const alone = { origins: [below.origin] };
    expect((await below.browser().get(path)).json()).toEqual(alone);
    const atSuffix = below.browser({ headers: { host: 'gull.example' } });
    expect((await atSuffix.get(path)).json()).toEqual(alone);
    expect((await atSuffix.get('/login')).status).toBe(421);
    const elsewhere = below.browser({ headers: { host: 'id.example' } });
    expect((await elsewhere.get(path)).status).toBe(421);
  });

  test('a brand below the host of its relying party id makes and takes passkeys', async () => {
    const { agent } = await below.signUp();
    const { authenticator } = await givePasskey(agent, below.origin);
    expect(authenticator.credentials[0]?.rpId).toBe('gull.example');
    expect((await signInAt(below, authenticator)).status).toBe(200);
  });
});
