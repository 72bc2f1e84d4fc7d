import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start } from '../oidc/authorization.ts';
import type { Answer, UserAgent } from '../support/user-agent.ts';
import { createWorld, type World } from '../support/world.ts';
import { changing, insider, pathOf, snapshot } from './routes.ts';

let world: World;
let agent: UserAgent;
let uid: string;
let id: string;
beforeAll(async () => {
  world = await createWorld();
  ({ agent, uid, id } = await insider(world));
});
afterAll(() => world.close());

const header = ({ headers }: Answer, name: string) => String(headers[name] ?? '');

describe('a request that another site makes', () => {
  const forgeries: [string, Record<string, string>][] = [
    ['a foreign Origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a foreign Origin with nothing else', { origin: 'https://evil.example', 'sec-fetch-site': '' }],
    ['Origin null', { origin: 'null', 'sec-fetch-site': '' }],
    ['Origin null that says same-origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['our Origin that says cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['our Origin that says same-site', { 'sec-fetch-site': 'same-site' }],
    ['no Origin, cross-site', { origin: '', 'sec-fetch-site': 'cross-site' }],
    ['no Origin, same-site', { origin: '', 'sec-fetch-site': 'same-site' }],
    ['no Origin, none', { origin: '', 'sec-fetch-site': 'none' }],
    ['neither of them', { origin: '', 'sec-fetch-site': '' }],
  ];

  test.each(changing)('%s is refused, and nothing happens', async (_name, endpoint) => {
    const before = await snapshot(world);
    const path = pathOf(endpoint, { uid, id });
    const subdomain = { origin: world.origin.replace('//', '//evil.'), 'sec-fetch-site': '' };
    const port = { origin: `${world.origin}0`, 'sec-fetch-site': '' };
    const secure = { origin: world.origin.replace('http:', 'https:'), 'sec-fetch-site': '' };
    for (const [label, headers] of [
      ...forgeries,
      ['subdomain', subdomain],
      ['port', port],
      ['scheme', secure],
    ] as typeof forgeries) {
      const options = {
        headers,
        ...(endpoint.body && { json: { identifier: 'victim@example.com', purpose: 'login' } }),
      };
      const answer = await agent.request(endpoint.method, path, options);
      expect([label, answer.status, answer.json().error.code]).toEqual([label, 403, 'cross_site']);
    }
    expect(await snapshot(world)).toEqual(before);
  });

  test('by GET is answered, but its scripts cannot read the answer', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const path of ['/api/account', '/api/sessions', `/interaction/${uid}/details`, '/openapi.json']) {
      const answer = await agent.get(path, { headers });
      expect(header(answer, 'access-control-allow-origin')).toBe('');
      expect(header(answer, 'cross-origin-resource-policy')).toBe('same-origin');
    }
    const preflight = await agent.request('OPTIONS', '/api/account', {
      headers: { ...headers, 'access-control-request-method': 'DELETE' },
    });
    expect(preflight.status).toBe(405);
    expect(header(preflight, 'access-control-allow-origin')).toBe('');
  });

  test('a same-origin request without Origin passes, and so does one without Sec-Fetch-Site', async () => {
    const options = { headers: { origin: '' } };
    const body = { identifier: 'own@example.com', purpose: 'login' };
    expect((await agent.post('/api/codes', body, options)).status).toBe(202);
    expect((await agent.post('/api/codes', body, { headers: { 'sec-fetch-site': '' } })).status).toBe(202);
  });
});

describe('headers of every class of answer', () => {
  const policyOf = (answer: Answer): Record<string, string> =>
    Object.fromEntries(
      header(answer, 'content-security-policy')
        .split(/;\s*/)
        .map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]),
    );
  const expectBase = (answer: Answer) => {
    expect(header(answer, 'x-content-type-options')).toBe('nosniff');
    expect(header(answer, 'referrer-policy')).toBe('no-referrer');
    expect(header(answer, 'x-request-id')).toMatch(/^[\w-]{12}$/);
    expect(answer.headers).not.toHaveProperty('x-powered-by');
    expect(answer.headers).not.toHaveProperty('server');
    expect(policyOf(answer)).toMatchObject({
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'object-src': "'none'",
    });
    expect(policyOf(answer)['default-src']).toBe("'none'");
    expect(header(answer, 'content-security-policy')).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
  };

  test.each([
    '/index',
    '/login?interaction=x',
    '/consent?interaction=x',
    '/license',
    '/error',
    '/middle',
    '/no/such/page',
  ])('the page %s', async (path) => {
    const [one, two] = [await agent.get(path), await agent.get(path)];
    expectBase(one);
    expect(header(one, 'cache-control')).toContain('no-store');
    expect(header(one, 'x-frame-options')).toBe('DENY');
    const policy = policyOf(one);
    expect(policy['require-trusted-types-for']).toBe("'script'");
    expect(policy['form-action']).toBe("'self'");
    const nonce = /'nonce-([\w-]{20,})'/.exec(policy['script-src'] ?? '')?.[1];
    expect(nonce).toBeTypeOf('string');
    expect(policyOf(two)['script-src']).not.toBe(policy['script-src']);
    const scripts = [...one.body.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    for (const tag of scripts) expect(tag).toMatch(/type="application\/json"|nonce="/);
    for (const [, used] of one.body.matchAll(/nonce="([^"]*)"/g)) expect(used).toBe(nonce);
  });

  test('account pages are isolated from their opener, and pages of a sign-in are not', async () => {
    for (const path of ['/index', '/tokens', '/sessions']) {
      expect(header(await agent.get(path), 'cross-origin-opener-policy')).toBe('same-origin');
    }
    const app = await world.registerApp();
    const { url } = await app.rp.authorizationUrl({ prompt: 'consent' });
    for (
      let hop = await agent.get(url.href);
      ;
      hop = await agent.get(new URL(header(hop, 'location'), world.origin).href)
    ) {
      expect(header(hop, 'cross-origin-opener-policy')).toBe('');
      if (hop.status === 200) break;
    }
  });

  test('the API and the protocol', async () => {
    for (const path of [
      '/api/account',
      '/api/nothing',
      '/oauth/jwks',
      '/.well-known/openid-configuration',
      '/openapi.json',
    ]) {
      const answer = await agent.get(path, { headers: { accept: 'application/json' } });
      expectBase(answer);
      expect(header(answer, 'content-type')).toMatch(/^application\/(jwk-set\+)?json/);
      expect(header(answer, 'cache-control')).toContain('no-store');
    }
  });

  test('the engine’s form_post page submits itself by a hashed script, and to the app only', async () => {
    const { identifier: other } = await world.signUp();
    const { agent: switching } = await world.signUp();
    const { uid: asked } = await start(world, { agent: switching });
    await switching.post(`/interaction/${asked}/switch-account`);
    const accepted = await switching.post(`/interaction/${asked}/login`, {
      identifier: other,
      password: 'moonlight77',
    });
    const form = await switching.get(accepted.json().returnTo);
    expect(form.status).toBe(200);
    expect(form.body).toContain('document.forms[0].submit()');
    expectBase(form);
    const policy = policyOf(form);
    expect(policy['script-src']).toMatch(/'sha256-[\w+/]+=*'/);
    expect(policy['form-action']).toBe("'self' https://app.example");
  });

  test('files are named by a hash of their content and cached', async () => {
    const [, file] = /(?:src|href)="(\/prod\/user\/[^"]+\.js)"/.exec((await agent.get('/index')).body) ?? [];
    const answer = await agent.get(file ?? '');
    expect(answer.status).toBe(200);
    expectBase(answer);
    expect(header(answer, 'cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('plain http has no HSTS', async () => {
    expect(header(await agent.get('/index'), 'strict-transport-security')).toBe('');
  });
});

describe('a path that does not exist', () => {
  const hidden = [
    '/.git/config',
    '/.env',
    '/metrics',
    '/package.json',
    '/server-status',
    '/debug',
    '/api',
    '/api/',
    '/api/client',
    '/interaction/',
    '/oauth/',
    '/oauth/nothing',
    '/.well-known/',
    '/.well-known/webfinger',
    '/prod/user/',
    '/prod/user/index.html',
    '/prod/user/../../package.json',
    '/prod/user/%2e%2e/%2e%2e/package.json',
    '/prod/user/nothing.js',
    '/prod/user/.vite/manifest.json',
  ];
  test.each(hidden)('%s is 404', async (path) => {
    const answer = await agent.get(path);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('candela/server');
  });

  test('a request of a program never gets the SPA', async () => {
    const paths = [
      '/api/x',
      '/oauth/x',
      '/.well-known/x',
      '/interaction/x/details',
      '/interaction/x/y',
      '/prod/user/x.js',
    ];
    for (const path of paths) {
      const answer = await agent.get(path, { headers: { accept: 'text/html' } });
      expect([path, answer.status]).toEqual([
        path,
        expect.toSatisfy((status) => status === 404 || status === 410),
      ]);
      expect(answer.headers['content-type']).toContain('application/json');
    }
  });

  test('source maps are not served', async () => {
    const [, file] = /(?:src|href)="(\/prod\/user\/[^"]+\.js)"/.exec((await agent.get('/index')).body) ?? [];
    expect((await agent.get(`${file}.map`)).status).toBe(404);
  });

  test('an unknown page is the error page, with status 404', async () => {
    const answer = await agent.get('/no/such/page');
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.body).toContain('"code":"not_found"');
  });

  test('TRACE echoes nothing', async () => {
    for (const path of ['/', '/api/account', '/oauth/token', '/healthz']) {
      const answer = await agent.request('TRACE', path, { headers: { 'x-secret': 'canary' } });
      expect([404, 405]).toContain(answer.status);
      expect(answer.body).not.toContain('canary');
    }
  });

  test('an error response has a code and a reference, and no internals', async () => {
    for (const path of ['/api/nothing', '/api/account']) {
      const answer = await world.browser().get(path);
      expect(answer.json()).toEqual({
        error: { code: expect.any(String), requestId: answer.headers['x-request-id'] },
      });
    }
  });
});
