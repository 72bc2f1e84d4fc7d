import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { start } from '../oidc/authorization.ts';
import { createOpenidProvider, type OpenidProvider } from '../support/openid-provider.ts';
import type { World } from '../support/world.ts';
import { accountOf, comeFrom, createDoorWorld, goTo, locationOf, registerHere } from './door-world.ts';

const megabytes = 'x'.repeat(10 * 1024 * 1024);

const answers: [string, (response: ServerResponse) => void][] = [
  ['500', (response) => response.writeHead(500).end('broken')],
  ['503 with JSON', (response) => response.writeHead(503, { 'content-type': 'application/json' }).end('{}')],
  ['10 MB', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(megabytes)],
  ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Maintenance</p>')],
  ['plain text', (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('sorry')],
  [
    'half of a JSON',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'),
  ],
  ['a redirect', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['a cut connection', (response) => response.destroy()],
];

describe('identity providers that misbehave', () => {
  let played: OpenidProvider;
  let world: World;

  beforeEach(async () => {
    played = await createOpenidProvider();
    world = await createDoorWorld([played.entry({ email_domains: ['ours.example'] })], {
      hosts: [played.host],
    });
  });
  afterEach(async () => {
    await world.close();
    await played.close();
  });

  const unaffected = async (uid: string, agent = world.browser()) => {
    const { identifier } = await world.signUp();
    expect((await world.login(agent, uid, identifier)).url.pathname).toBe('/consent');
  };
  const reasonOf = (url: URL) => [url.pathname, url.searchParams.get('reason')];

  test('IP9: one that is away before anybody goes there leads back to the page, and counts', async () => {
    for (const [what, answer] of answers) {
      played.habits.answers = { '/.well-known/openid-configuration': answer };
      const agent = world.browser();
      const { uid } = await start(world, { agent });
      const { url, answer: page } = await agent.navigate(`/interaction/${uid}/provider/played`);
      expect(reasonOf(url), what).toEqual(['/login', 'provider_unavailable']);
      expect(page?.status).toBe(200);
    }
    expect(world.countEvent('provider.refused', 'provider_unavailable')).toBe(answers.length);
    played.habits.answers = {};
    const { agent, uid } = await goTo(world);
    await unaffected(uid, agent);
  });

  test('IP9: one that misbehaves at its token endpoint signs nobody in, and the other ways stay open', async () => {
    for (const [what, answer] of answers) {
      played.habits.answers = { '/token': answer };
      const { agent, uid, arrived } = await comeFrom(world, played, { sub: 'a' });
      expect(reasonOf(arrived.url), what).toEqual(['/login', 'provider_unavailable']);
      expect((await world.details(agent, uid)).provider).toBeUndefined();
    }
    const { agent, uid } = await goTo(world);
    await unaffected(uid, agent);
  });

  test('IP9: one that is slow is left after 5 seconds, and nobody else waits for it', async () => {
    played.habits.answers = { '/token': () => undefined };
    const slow = await goTo(world);
    const onward = locationOf(
      await slow.agent.get(played.signIn(slow.authorization, { sub: 'a' }).href),
      world.origin,
    );
    const began = performance.now();
    const waiting = slow.agent.get(onward.href);
    const meanwhile = await goTo(world);
    await unaffected(meanwhile.uid, meanwhile.agent);
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(locationOf(await waiting, world.origin).searchParams.get('reason')).toBe('provider_unavailable');
    expect(performance.now() - began).toBeLessThan(9_000);
  });

  test('a key that is rotated is read at once', async () => {
    const somebody = { sub: 'rotated', email: 'rotated@ours.example', email_verified: true };
    const way = await comeFrom(world, played, somebody);
    const made = await registerHere(world, way.agent, way.uid);
    await way.agent.navigate(made.json().returnTo);
    for (const alg of ['RS256', 'ES256']) {
      await played.rotateKeys(alg);
      const { agent } = await comeFrom(world, played, somebody);
      expect(await accountOf(agent)).toBe(await accountOf(way.agent));
    }
    const before = played.asked.filter((path) => path === '/jwks').length;
    await comeFrom(world, played, somebody);
    expect(played.asked.filter((path) => path === '/jwks').length).toBe(before);
    expect(played.asked.filter((path) => path.startsWith('/.well-known/')).length).toBe(1);
  });

  test('IP9: one whose UserInfo endpoint is away opens known accounts, and makes no second one', async () => {
    played.habits.thinIdToken = true;
    const somebody = { sub: 'thin', email: 'thin@ours.example' };
    const away = { '/userinfo': (response: ServerResponse) => response.writeHead(500).end('broken') };
    played.habits.answers = away;
    const { arrived } = await comeFrom(world, played, somebody);
    expect(reasonOf(arrived.url)).toEqual(['/login', 'provider_unavailable']);
    played.habits.answers = {};
    const way = await comeFrom(world, played, somebody);
    const made = await registerHere(world, way.agent, way.uid);
    await way.agent.navigate(made.json().returnTo);
    played.habits.answers = away;
    const again = await comeFrom(world, played, somebody);
    expect(await accountOf(again.agent)).toBe(await accountOf(way.agent));
    expect((await again.agent.get('/api/providers')).json().items).toMatchObject([{ email: somebody.email }]);
    expect(world.countEvent('provider.refused', 'provider_unavailable')).toBe(2);
  });

  test('one whose configuration is refused, by a wrong secret or request, is told apart in the log', async () => {
    // RFC 6749 section 5.2 asks for a challenge where the client authenticates by a header.
    for (const challenge of [{}, { 'www-authenticate': 'Basic realm="played"' }]) {
      played.habits.answers = {
        '/token': (response) =>
          response
            .writeHead(401, { 'content-type': 'application/json', ...challenge })
            .end('{"error":"invalid_client"}'),
      };
      const { arrived } = await comeFrom(world, played, { sub: 'a' });
      expect(reasonOf(arrived.url)).toEqual(['/login', 'provider_failed']);
    }
    const refused = await goTo(world);
    const { url } = await refused.agent.navigate(played.decline(refused.authorization, 'invalid_scope'));
    expect(reasonOf(url)).toEqual(['/login', 'provider_failed']);
    const away = await goTo(world);
    const back = await away.agent.navigate(played.decline(away.authorization, 'temporarily_unavailable'));
    expect(reasonOf(back.url)).toEqual(['/login', 'provider_unavailable']);
  });

  test('one that is not public and that PROVIDER_HOSTS does not name is never asked', async () => {
    played.habits.metadata = { token_endpoint: 'http://127.0.0.1:1/token' };
    const { arrived } = await comeFrom(world, played, { sub: 'a' });
    expect(reasonOf(arrived.url)).toEqual(['/login', 'provider_unavailable']);
  });

  test('an answer that is larger than a form of a provider is refused', async () => {
    const { agent } = await goTo(world);
    const answer = await agent.request('POST', '/sign-in/played/callback', {
      form: { state: 'x'.repeat(20_000) },
      headers: { origin: 'null', 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).toBe(413);
    const json = await agent.post('/sign-in/played/callback', { state: 'x' });
    expect(json.status).toBe(415);
  });
});
