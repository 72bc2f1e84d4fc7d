import { generateKeyPairSync } from 'node:crypto';
import { createCommandRunner } from '@candela/server/testing/run-command';
import { importSPKI } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createOpenidProvider, type OpenidProvider } from '../support/openid-provider.ts';
import { writeProviders } from './door-world.ts';
import { type PlayedApple, startPlayedApple } from './played-apple.ts';
import { type PlayedGoogle, startPlayedGoogle } from './played-google.ts';
import { startPlayedLine } from './played-line.ts';
import { type PlayedVk, startPlayedVk } from './played-vk.ts';
import { type PlayedWechat, startPlayedWechat } from './played-wechat.ts';
import { createPlayedWorld, type PlayedWorld } from './played-world.ts';
import { type PlayedYandex, startPlayedYandex } from './played-yandex.ts';

const keyPair = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const own = keyPair();
const SECRET = 'a-secret-of-32-characters-or-more';

const entry = (kind: string, more: Record<string, unknown> = {}, id = kind) => ({
  id,
  kind,
  client_id: 'app',
  ...(['google', 'wechat', 'yandex', 'line'].includes(kind) && { client_secret: SECRET }),
  ...(kind === 'wechat' && { subject: 'openid' }),
  ...(kind === 'apple' && { team_id: 'TEAM', key_id: 'KEY', private_key: own.privateKey }),
  ...more,
});

let apple: PlayedApple;
let google: PlayedGoogle;
let wechat: PlayedWechat;
let vk: PlayedVk;
let yandex: PlayedYandex;
let world: PlayedWorld;
beforeAll(async () => {
  world = await createPlayedWorld({
    entries: [
      ...['apple', 'google', 'wechat', 'vk', 'yandex', 'line'].map((kind) => entry(kind)),
      entry('apple', { key_id: 'ANOTHER' }, 'apple-key-id'),
      entry('apple', { private_key: keyPair().privateKey }, 'apple-key'),
      entry('google', { client_secret: 'wrong' }, 'google-secret'),
      entry('wechat', { client_secret: 'wrong' }, 'wechat-secret'),
      entry('wechat', { client_id: 'wrong' }, 'wechat-id'),
      entry('vk', { client_id: 'wrong' }, 'vk-id'),
      entry('yandex', { client_secret: 'wrong' }, 'yandex-secret'),
      entry('line', { client_secret: 'wrong' }, 'line-secret'),
    ],
    play: async (redirectUriOf) => {
      const publicKey = await importSPKI(own.publicKey, 'ES256');
      const at = (kind: string) => ({
        clientId: 'app',
        clientSecret: SECRET,
        redirectUri: redirectUriOf(kind),
      });
      const severalAt = (kind: string) => ({ ...at(kind), redirectUris: [redirectUriOf(kind)] });
      apple = await startPlayedApple({ ...severalAt('apple'), teamId: 'TEAM', keyId: 'KEY', publicKey });
      google = await startPlayedGoogle(severalAt('google'));
      wechat = await startPlayedWechat({
        appid: 'app',
        secret: SECRET,
        host: new URL(redirectUriOf('')).host,
      });
      vk = await startPlayedVk(at('vk'));
      yandex = await startPlayedYandex(at('yandex'));
      const line = await startPlayedLine({ ...at('line'), channelId: 'app', channelSecret: SECRET });
      return [apple, google, wechat, vk, yandex, line];
    },
  });
});
afterAll(() => world.close());
beforeEach(() => {
  for (const played of [apple, google, wechat, vk, yandex]) played.behave();
});

describe('what a provider says of an entry, asked with a code that nobody was given', () => {
  const check = async (id: string) => {
    const found = world.findProvider(id);
    return found?.kind.check?.(found.context);
  };

  test.each(['apple', 'google', 'wechat', 'vk', 'yandex', 'line'])('%s: nothing is wrong', async (id) => {
    expect(await check(id)).toEqual([]);
  });

  test.each([
    ['apple-key-id', /refuses client_id, or what proves it: invalid_client/],
    ['apple-key', /refuses client_id, or what proves it: invalid_client/],
    ['google-secret', /refuses client_id, or what proves it: invalid_client, Unauthorized/],
    ['wechat-secret', /^client_secret is wrong: 40125/],
    ['wechat-id', /^client_id is wrong: 40013/],
    ['vk-id', /refuses client_id, or what proves it: invalid_client/],
    ['yandex-secret', /refuses client_id, or what proves it: invalid_client, Wrong client secret/],
    ['line-secret', /refuses client_id, or what proves it: invalid_client/],
  ])('%s: what to change', async (id, sentence) => {
    expect(await check(id)).toEqual([expect.stringMatching(sentence)]);
  });

  test.each<[string, { status?: number; type?: string; body: unknown }, RegExp]>([
    [
      'answers 500',
      { status: 500, body: '' },
      /^https:\/\/www\.googleapis\.com\/oauth2\/v3\/certs answers 500/,
    ],
    ['shows a page', { type: 'text/html', body: '<h1>' }, /has no keys that can be read/],
    ['are none', { body: { keys: [] } }, /has no key that signs/],
    ['are for encryption', { body: { keys: [{ kty: 'RSA', use: 'enc' }] } }, /has no key that signs/],
  ])('keys: the address %s', async (_, reply, sentence) => {
    google.misbehaveAt('GET /oauth2/v3/certs', () => reply);
    expect(await check('google')).toEqual([expect.stringMatching(sentence)]);
  });

  test.each([
    ['google', () => google, 'POST /token', 429],
    ['google', () => google, 'POST /token', 503],
    ['vk', () => vk, 'POST /oauth2/auth', 503],
    ['yandex', () => yandex, 'POST /token', 429],
  ] as const)('%s: the token endpoint could not be asked: %#', async (id, played, at, status) => {
    played().misbehaveAt(at, () => ({ status, body: { error: 'temporarily_unavailable' } }));
    expect(await check(id)).toEqual([`the token endpoint could not be asked: it answered ${status}`]);
  });

  test('the token endpoint of WeChat is away', async () => {
    wechat.misbehaveAt('GET /sns/oauth2/access_token', () => ({ status: 502, body: '' }));
    expect(await check('wechat')).toEqual([
      'https://api.weixin.qq.com/sns does not answer as it should: answered 502',
    ]);
  });
});

describe('candela provider check', () => {
  let issuer: OpenidProvider;
  beforeAll(async () => {
    issuer = await createOpenidProvider();
  });
  afterAll(() => issuer.close());
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const check = async (more: Record<string, unknown>, ...argv: string[]) => {
    const staff = issuer.entry({ id: 'staff', ...more });
    vi.stubEnv('PROVIDERS_FILE', await writeProviders([staff]));
    vi.stubEnv('PROVIDER_HOSTS', issuer.host);
    vi.stubEnv('PUBLIC_URL', 'http://localhost:3000');
    const run = createCommandRunner({ config: world.config, connection: undefined as never });
    return run('provider', 'check', ...argv);
  };

  test('says the redirect URI of each brand, and that the provider knows the entry', async () => {
    const { status, out, error } = await check({}, 'staff');
    expect([status, error]).toEqual([0, '']);
    expect(out).toContain('redirect URI  http://localhost:3000/sign-in/staff/callback');
    expect(out).toContain('oidc: the provider knows this entry');
  });

  test('names what is wrong on standard error, and ends with 1', async () => {
    const { status, out, error } = await check({ client_secret: 'wrong' }, 'staff', '--json');
    expect(status).toBe(1);
    expect(error).toMatch(/^wrong: the token endpoint refuses client_id, or what proves it: invalid_client/);
    expect(JSON.parse(out)).toEqual([
      {
        id: 'staff',
        kind: 'oidc',
        redirectUris: ['http://localhost:3000/sign-in/staff/callback'],
        problems: [expect.stringContaining('invalid_client')],
      },
    ]);
  });

  test('says where discovery is missing', async () => {
    const { status, error } = await check({ issuer: `${issuer.issuer}/elsewhere` }, 'staff');
    expect(status).toBe(1);
    expect(error).toMatch(/^wrong: the discovery of \S+\/elsewhere cannot be used: /);
  });

  test('of an entry that is not there', async () => {
    const { status, error } = await check({}, 'nobody');
    expect([status, error]).toEqual([1, 'PROVIDERS_FILE has no entry "nobody" of a brand that is served\n']);
  });

  test('of a file that is wrong says what is wrong with it', async () => {
    const { status, error } = await check({ kind: 'facebook' }, 'staff');
    expect(status).toBe(1);
    expect(error).toContain('must be one of google, apple, wechat, vk, yandex, line, oidc');
  });
});
