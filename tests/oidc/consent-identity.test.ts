import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRelyingParty } from '../support/relying-party.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const HOST = 'https://lamp.example';
const secret = randomBytes(24).toString('base64url');

/** An app that can be registered again under its id. */
const lampApp = async (grantTypes: string[]) => {
  const clientId = `lamp-${randomBytes(4).toString('hex')}`;
  const register = (changes: Record<string, unknown> = {}) =>
    world.registerClients([
      {
        client_id: clientId,
        client_secret: secret,
        client_name: 'Lamp App',
        redirect_uris: [`${HOST}/callback`],
        grant_types: grantTypes,
        ...changes,
      },
    ]);
  await register();
  const rp = await createRelyingParty({
    issuer: world.origin,
    clientId,
    clientSecret: secret,
    redirectUri: `${HOST}/callback`,
  });
  const visit = async (agent: UserAgent, parameters: Record<string, string> = {}) => {
    const { url, checks } = await rp.authorizationUrl(parameters);
    return { arrived: await agent.navigate(url), checks };
  };
  /** Whether a sign-in stops at the consent page. */
  const isAsked = async (agent: UserAgent) => {
    const { arrived } = await visit(agent);
    if (arrived.url.pathname === '/consent') return true;
    expect(arrived.url.searchParams.get('code')).toBeTypeOf('string');
    return false;
  };
  return { clientId, register, rp, visit, isAsked };
};

describe.each([
  ['with refresh tokens', ['authorization_code', 'refresh_token']],
  ['without', ['authorization_code']],
])('the consent to an app %s', (_name, grantTypes) => {
  test('is asked again when its name or host changes, and for no other change', async () => {
    const app = await lampApp(grantTypes);
    const { agent, identifier } = await world.signUp();
    const { tokens } = await world.link(agent, app.rp);
    expect(await app.isAsked(agent)).toBe(false);
    await app.register({ client_uri: `${HOST}/about`, redirect_uris: [`${HOST}/callback`, `${HOST}/other`] });
    expect(await app.isAsked(agent)).toBe(false);

    for (const change of [
      { client_name: 'Candela' },
      { redirect_uris: [`${HOST}/callback`, 'https://evil.example/callback'] },
    ]) {
      await app.register(change);
      const { agent: elsewhere } = await world.signIn(identifier);
      expect(await app.isAsked(agent)).toBe(true);
      expect(await app.isAsked(elsewhere)).toBe(true);
      const silent = await app.visit(agent, { prompt: 'none' });
      expect(silent.arrived.url.searchParams.get('error')).toBe('consent_required');
      // A link made before stays valid: it redirects nobody.
      expect((await app.rp.introspect(tokens.access_token)).active).toBe(true);
      await world.link(agent, app.rp);
      expect(await app.isAsked(agent)).toBe(false);
      expect(await app.isAsked(elsewhere)).toBe(false);
    }
  });

  test('without a recorded name and host is valid, and the next change is asked about', async () => {
    const app = await lampApp(grantTypes);
    const { agent, identifier } = await world.signUp();
    await world.link(agent, app.rp);
    await world.db
      .updateTable('remembered_consent')
      .set({ client_fingerprint: null })
      .where('client_id', '=', app.clientId)
      .execute();
    const { agent: elsewhere } = await world.signIn(identifier);
    expect(await app.isAsked(elsewhere)).toBe(false);
    await app.register({ client_name: 'Candela' });
    const { agent: third } = await world.signIn(identifier);
    expect(await app.isAsked(third)).toBe(true);
  });
});

test('approvals of the former app are not merged with approvals of the changed app', async () => {
  const app = await lampApp(['authorization_code', 'refresh_token']);
  const { agent } = await world.signUp();
  await world.link(agent, app.rp, { scope: 'openid profile email' });
  await app.register({ client_name: 'Candela' });
  await world.link(agent, app.rp, { scope: 'openid profile' });
  const { arrived } = await app.visit(agent, { scope: 'openid profile email' });
  expect(arrived.url.pathname).toBe('/consent');
});

test('an approval and its withdrawal log one event each', async () => {
  const app = await lampApp(['authorization_code']);
  const { agent } = await world.signUp();
  const before = [world.countEvent('consent.given'), world.countEvent('authorization.withdrawn')];
  await world.link(agent, app.rp);
  expect(world.countEvent('consent.given')).toBe((before[0] ?? 0) + 1);
  expect((await agent.delete('/api/authorizations')).status).toBe(204);
  expect(world.countEvent('authorization.withdrawn')).toBe((before[1] ?? 0) + 1);
});
