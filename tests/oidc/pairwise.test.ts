import { openPglite } from '@candela/server/testing/databases';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecureWorld, type SecureWorld } from '../support/secure-world.ts';
import type { UserAgent } from '../support/user-agent.ts';
import { acceptAccessToken } from './access-token.ts';
import type { RegisteredApp } from './authorization.ts';
import { createRequests, LIGHTS, resources } from './resources.ts';

let world: SecureWorld;
let agent: UserAgent;
beforeAll(async () => {
  world = await createSecureWorld();
  ({ agent } = await world.signUp());
});
afterAll(() => world.close());

const registerAt = (host: string, metadata: Record<string, unknown> = {}): Promise<RegisteredApp> => {
  const redirectUri = `https://${host}/callback`;
  return world.registerApp(
    {
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: [`https://${host}/`],
      subject_type: 'pairwise',
      ...metadata,
    },
    { redirectUri },
  );
};

const subjectAt = async (app: RegisteredApp, person = agent) => {
  const { tokens } = await world.link(person, app.rp);
  return { tokens, sub: tokens.claims()?.sub ?? '' };
};

const accountIdOf = async (person: UserAgent): Promise<string> =>
  (await person.get('/api/account')).json().id;

describe('pairwise subjects (OpenID Connect Core section 8.1)', () => {
  test('clients of one host know a person by one subject, of another host by another, and none is the account’s id', async () => {
    const one = await subjectAt(await registerAt('one.example'));
    const twin = await subjectAt(await registerAt('one.example'));
    const two = await subjectAt(await registerAt('two.example'));
    const open = await subjectAt(await world.registerApp());
    expect(one.sub).toMatch(/^[\w-]{43}$/);
    expect(twin.sub).toBe(one.sub);
    expect(two.sub).not.toBe(one.sub);
    expect(open.sub).toBe(await accountIdOf(agent));
    expect([one.sub, two.sub]).not.toContain(open.sub);

    const { agent: other } = await world.signUp();
    expect((await subjectAt(await registerAt('one.example'), other)).sub).not.toBe(one.sub);
  });

  test('id_token, userinfo, introspection and the response to a refresh have the same subject', async () => {
    const app = await registerAt('three.example');
    const { tokens, sub } = await subjectAt(app);
    expect((await app.rp.userinfo(tokens.access_token)).sub).toBe(sub);
    expect((await app.rp.introspect(tokens.access_token)).sub).toBe(sub);
    expect((await app.rp.introspect(tokens.refresh_token ?? '')).sub).toBe(sub);
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    expect(refreshed.claims()?.sub).toBe(sub);
  });

  test('a client that is given a developer goes on as before', async () => {
    const app = await registerAt('eight.example');
    const { tokens, sub } = await subjectAt(app);
    await world.inviteDeveloper(app.clientId, (await world.signUpDeveloper()).identifier);
    const refreshed = await app.rp.refresh(tokens.refresh_token ?? '');
    expect(refreshed.claims()?.sub).toBe(sub);
  });

  test('a token for an API has that subject too', async () => {
    await world.registerResources(resources);
    const app = await registerAt('seven.example');
    const { ask } = createRequests(world, agent);
    const { arrived, checks } = await ask({ app });
    const { url } = await world.approve(agent, world.interactionOf(arrived.url));
    const tokens = await app.rp.exchange(url, checks, { resource: LIGHTS });
    const { payload } = await acceptAccessToken(world, tokens.access_token, LIGHTS);
    expect(payload.sub).toBe(tokens.claims()?.sub);
    expect(payload.sub).not.toBe(await accountIdOf(agent));
  });

  test('sector_identifier_uri joins hosts, and is not fetched', async () => {
    const sector = { sector_identifier_uri: 'https://sector.example/redirect_uris.json' };
    const here = await subjectAt(await registerAt('here.example', sector));
    const there = await subjectAt(await registerAt('there.example', sector));
    expect(there.sub).toBe(here.sub);
    expect(here.sub).not.toBe((await subjectAt(await registerAt('here.example'))).sub);
  });

  test('an id_token_hint of the person needs no sign-in, a hint of another person does', async () => {
    const app = await registerAt('four.example');
    const { tokens } = await subjectAt(app);
    const hint = { id_token_hint: tokens.id_token ?? '', prompt: 'none' };
    const { url } = await app.rp.authorizationUrl(hint);
    expect((await agent.navigate(url)).url.searchParams.get('code')).toBeTypeOf('string');

    const { agent: other } = await world.signUp();
    await world.link(other, app.rp);
    const again = await app.rp.authorizationUrl(hint);
    expect((await other.navigate(again.url)).url.searchParams.get('error')).toBe('login_required');
  });

  test('a claims parameter may name the person by that subject', async () => {
    const app = await registerAt('five.example');
    const { sub } = await subjectAt(app);
    for (const [value, key] of [
      [sub, 'code'],
      [await accountIdOf(agent), 'error'],
    ] as const) {
      const claims = JSON.stringify({ id_token: { sub: { value } } });
      const { url } = await app.rp.authorizationUrl({ claims, prompt: 'none' });
      expect((await agent.navigate(url)).url.searchParams.has(key)).toBe(true);
    }
  });

  test('signing out with the person’s id_token asks nothing, with another person’s it asks', async () => {
    const app = await registerAt('six.example');
    const { agent: person } = await world.signUp();
    const { tokens } = await subjectAt(app, person);
    const parameters = {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://six.example/',
    };
    const asked = await agent.navigate(app.rp.endSessionUrl(parameters));
    expect(asked.answer?.body).not.toContain('id="go"');
    const direct = await person.navigate(app.rp.endSessionUrl(parameters));
    expect(direct.answer?.body).toContain('id="go"');
    expect((await person.submit(direct, { logout: 'yes' })).url.href).toBe('https://six.example/');
    expect((await person.get('/api/account')).status).toBe(401);
  });
});

describe('a rotation of SECRET_KEY', () => {
  test('changes no subject', async () => {
    const first = 'the first secret key that is long enough';
    const second = 'the second secret key that is long enough';
    const connection = await openPglite();
    const subjects: string[] = [];
    let identifier: string | undefined;
    for (const SECRET_KEY of [first, `${second},${first}`]) {
      const place = await createSecureWorld({ connection, env: { SECRET_KEY } });
      const clientId = 'app-that-stays';
      const redirectUri = 'https://stays.example/callback';
      const metadata = {
        client_id: clientId,
        subject_type: 'pairwise',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
      };
      const { rp } = await place.registerApp(metadata, { clientId, redirectUri });
      const person = identifier ? await place.signIn(identifier) : await place.signUp();
      identifier = person.identifier;
      const { tokens } = await place.link(person.agent, rp);
      subjects.push(tokens.claims()?.sub ?? '');
      await place.close();
    }
    await connection.close();
    expect(subjects[0]).toMatch(/^[\w-]{43}$/);
    expect(new Set(subjects).size).toBe(1);
  });
});
