import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { answer, bootOf, refusal } from './authorization.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const redirectOf = async (agent: UserAgent, target: string) => {
  const { status, headers } = await agent.get(target);
  return { status, location: new URL(String(headers.location), world.origin) };
};

/** The path where a sign-in with `/sign-in?return_to=...` ends. */
const landingOf = async (agent: UserAgent, returnTo: string) => {
  let url = new URL(`/sign-in?${new URLSearchParams({ return_to: returnTo })}`, world.origin);
  for (let hops = 0; hops < 5; hops += 1) {
    const { status, location } = await redirectOf(agent, url.href);
    expect(status).toBe(303);
    if (location.origin !== world.origin) return location;
    if (url.pathname === '/middle') return location;
    url = location;
  }
  throw new Error(`no end at ${url.href}`);
};

describe('pages without a session', () => {
  test.each([
    ['/login', '/index', null],
    ['/register', '/index', 'create'],
    ['/index', '/index', null],
    ['/tokens', '/tokens', null],
    ['/sessions', '/sessions', null],
    ['/sessions?after=abc&x=1', '/sessions?after=abc&x=1', null],
  ])('%s begins a sign-in that comes back to %s', async (path, returnTo, prompt) => {
    const { status, location } = await redirectOf(world.browser(), path);
    expect(status).toBe(303);
    expect(location.pathname).toBe('/sign-in');
    expect(location.searchParams.get('return_to')).toBe(returnTo);
    expect(location.searchParams.get('prompt')).toBe(prompt);
  });

  test('start an authorization request of the portal’s own client', async () => {
    const { status, location } = await redirectOf(world.browser(), '/sign-in?return_to=/tokens');
    expect(status).toBe(303);
    expect(location.pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: 'none',
      redirect_uri: `${world.origin}/middle`,
    });
    expect(location.searchParams.get('state')?.length).toBeGreaterThan(20);
  });

  test('a deep link is where the person arrives, with its query', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    const { url } = await agent.navigate('/sessions?after=WyIiLCIiXQ');
    expect(url.pathname).toBe('/login');
    const page = await world.login(agent, world.interactionOf(url), identifier);
    expect(page.url.href).toBe(`${world.origin}/sessions?after=WyIiLCIiXQ`);
    expect(page.answer?.status).toBe(200);
  });

  test('/ is /index; public pages need no session', async () => {
    const agent = world.browser();
    expect((await redirectOf(agent, '/')).location.pathname).toBe('/index');
    for (const path of ['/findbackPWD', '/license', '/privacy', '/middle', '/error', '/consent']) {
      const page = await agent.get(path);
      expect([path, page.status]).toEqual([path, 200]);
    }
  });
});

describe('pages with a session', () => {
  test('the account pages open, and /sign-in is silent', async () => {
    const { agent } = await world.signUp();
    for (const path of ['/index', '/tokens', '/sessions']) expect((await agent.get(path)).status).toBe(200);
    expect((await agent.navigate('/sign-in?return_to=/tokens')).url.href).toBe(`${world.origin}/tokens`);
  });

  test('/login offers the account of the session, and quick login continues as that account', async () => {
    const { agent, identifier } = await world.signUp();
    const { location } = await redirectOf(agent, '/login');
    expect(location.searchParams.get('prompt')).toBe('select_account');
    const { url } = await agent.navigate('/login');
    expect(url.pathname).toBe('/login');
    const uid = world.interactionOf(url);
    expect(await world.details(agent, uid)).toMatchObject({
      prompt: 'select_account',
      account: { identifier },
      client: { name: 'Aurelia' },
    });
    expect((await answer(agent, `/interaction/${uid}/continue`)).url.href).toBe(`${world.origin}/index`);
  });

  test('another account may sign in there', async () => {
    const { identifier: other } = await world.signUp();
    const { agent } = await world.signUp();
    const uid = world.interactionOf((await agent.navigate('/login')).url);
    await answer(agent, `/interaction/${uid}/switch-account`);
    expect((await world.login(agent, uid, other)).url.href).toBe(`${world.origin}/index`);
    expect((await agent.get('/api/account')).json().email).toBe(other);
  });

  test('the portal is not among the approved apps', async () => {
    const { agent } = await world.signUp();
    expect((await agent.get('/api/authorizations')).json()).toEqual({ items: [] });
  });

  test('signing out ends the session, clears the browser’s data, and leads to a new sign-in', async () => {
    const { agent } = await world.signUp();
    const stolen = await agent.jar.getCookieString(world.origin);
    const out = await agent.post('/api/sign-out');
    expect(out.status).toBe(204);
    expect(out.headers['clear-site-data']).toBe('"cache", "storage"');
    expect(refusal(await agent.get('/api/account'))).toEqual([401, 'not_signed_in']);
    expect(refusal(await world.browser().get('/api/account', { headers: { cookie: stolen } }))).toEqual([
      401,
      'not_signed_in',
    ]);
    expect((await agent.navigate('/index')).url.pathname).toBe('/login');
    expect(refusal(await agent.post('/api/sign-out'))).toEqual([401, 'not_signed_in']);
  });
});

describe('/middle', () => {
  const arrive = async (agent: UserAgent, returnTo: string) => {
    const { location } = await redirectOf(agent, `/sign-in?return_to=${encodeURIComponent(returnTo)}`);
    return location.searchParams.get('state') ?? '';
  };
  const middle = (parameters: Record<string, string>) => `/middle?${new URLSearchParams(parameters)}`;

  test('with state and iss continues, once', async () => {
    const agent = world.browser();
    const state = await arrive(agent, '/tokens');
    const target = middle({ state, iss: world.origin });
    expect(await redirectOf(agent, target)).toMatchObject({ status: 303, location: { pathname: '/tokens' } });
    expect((await agent.get(target)).status).toBe(200);
  });

  test('with an error shows the error, and never returns to the sign-in', async () => {
    const agent = world.browser();
    const state = await arrive(agent, '/tokens');
    const page = await agent.navigate(middle({ state, iss: world.origin, error: 'access_denied' }));
    expect(page.url.pathname).toBe('/error');
    expect(bootOf(page).error.code).toBe('sign_in_failed');
  });

  test('declining the portal’s own sign-in ends at /error', async () => {
    const agent = world.browser();
    const { url } = await agent.navigate('/index');
    const page = await answer(agent, `/interaction/${world.interactionOf(url)}/abort`);
    expect(page.url.pathname).toBe('/error');
    expect(bootOf(page).error.code).toBe('sign_in_failed');
  });

  test('without state, with a foreign state, or with another issuer is an error page', async () => {
    const agent = world.browser();
    const state = await arrive(agent, '/tokens');
    const pages = [
      await agent.get('/middle'),
      await agent.get(middle({ state })),
      await agent.get(middle({ state, iss: 'https://evil.example' })),
      await agent.get(middle({ state: 'A'.repeat(22), iss: world.origin })),
      await agent.get(middle({ state: '../../etc', iss: world.origin })),
      await agent.get(`/middle?state=${state}&state=${state}&iss=${encodeURIComponent(world.origin)}`),
      await world.browser().get(middle({ state, iss: world.origin })),
    ];
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    for (const { headers } of pages) expect(headers.location).toBeUndefined();
  });
});

describe('many sign-ins in one browser', () => {
  const begin = (agent: UserAgent, returnTo: string) =>
    redirectOf(agent, `/sign-in?return_to=${encodeURIComponent(returnTo)}`);
  const finish = async (agent: UserAgent, { location }: { location: URL }) => {
    const state = location.searchParams.get('state') ?? '';
    return agent.get(`/middle?${new URLSearchParams({ state, iss: world.origin })}`);
  };

  test('a browser that opened a hundred links can still sign in', async () => {
    const { identifier } = await world.signUp();
    const agent = world.browser();
    for (let n = 0; n < 100; n += 1) await begin(agent, `/sessions?x=${n}${'%2F'.repeat(n % 170)}`);
    expect((await agent.jar.getCookieString(`${world.origin}/middle`)).length).toBeLessThan(4_000);
    const { url } = await agent.navigate('/tokens');
    const page = await world.login(agent, world.interactionOf(url), identifier);
    expect(page.url.href).toBe(`${world.origin}/tokens`);
    expect(page.answer?.status).toBe(200);
  });

  test('each tab returns to its own page, and beyond the limit the oldest is dropped', async () => {
    const agent = world.browser();
    const paths = Array.from({ length: 9 }, (_, n) => `/sessions?after=${n}&x="';,%20`);
    const begun = [];
    for (const path of paths) begun.push(await begin(agent, path));
    for (const [n, one] of begun.entries()) {
      const answer = await finish(agent, one);
      if (n === 0) expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
      else
        expect(answer.headers.location).toBe(
          new URL(paths[n] ?? '', world.origin).href.slice(world.origin.length),
        );
    }
  });
});

describe('the return_to of a sign-in', () => {
  const hostile = [
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%09/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https:evil.example',
    'https://evil.example/',
    'http://evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'user@evil.example',
    '//user:pass@evil.example@@evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/index\r\nLocation: https://evil.example',
    '/index%0d%0aSet-Cookie:%20a=b',
    '//еvil.example',
    '/index/еvil',
    ' //evil.example',
    '',
    '.',
    'index',
    '?x',
    '#x',
  ];

  test.each(hostile)('%j does not leave the origin', async (returnTo) => {
    const { agent } = hostileVisitor;
    const location = await landingOf(agent, returnTo);
    expect(location.origin).toBe(world.origin);
    expect(location.pathname.startsWith('//')).toBe(false);
    const followed = new URL(String(location.pathname + location.search), world.origin);
    expect(followed.origin).toBe(world.origin);
  });

  test.each(['/sign-in', '/sign-in?return_to=/sign-in', '/login', '/register', '/middle', '/middle?x=1'])(
    '%j would go round for ever: it is the home page instead',
    async (returnTo) => {
      const { agent } = hostileVisitor;
      expect((await landingOf(agent, returnTo)).pathname).toBe('/index');
    },
  );

  test('an array yields the home page', async () => {
    const { agent } = hostileVisitor;
    const page = await agent.navigate('/sign-in?return_to=/tokens&return_to=//evil.example');
    expect(page.url.href).toBe(`${world.origin}/index`);
  });

  let hostileVisitor: { agent: UserAgent };
  beforeAll(async () => {
    hostileVisitor = await world.signUp();
  });
});
