import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byLocale, locales } from '@candela/contract';
import { createTransparent, readPicture } from '@candela/server/testing/pictures';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootOf } from '../oidc/authorization.ts';
import { createWorld, freePort, PASSWORD, type SentMessage, type World } from '../support/world.ts';

const document = {
  title: 'House rules',
  lead: 'Rules of {brand} <b>here</b>.',
  sections: { who: { title: 'Who we are', body: ['Write to {contact}.', ['one', 'two']] } },
};
const texts = byLocale(() => document);
const editions = ['2027-01-01', '2026-06-01'].map((version) => ({ version, effectiveOn: version, texts }));
const brand = {
  id: 'fjord',
  name: 'Fjord',
  logo: 'logo.png',
  legal: { contact: 'law@fjord.example', terms: 'terms.json' },
  tagline: 'Light over the water.',
  support: 'help@fjord.example',
  app_links: {
    android: [
      { package_name: 'example.fjord.app', sha256_cert_fingerprints: [Array(32).fill('aB').join(':')] },
    ],
    apple: [{ app_id: 'ABCDE12345.example.fjord.app', paths: ['/link/*', 'NOT /link/old'] }],
  },
  texts: {
    en: {
      'login.title': 'Come in <b>now</b>',
      'messages.code.purposes.login': 'come in',
      'messages.code.subject': '{{brand}}: {{purpose}}',
      'messages.code.sms': '{{code}}, {{brand}}, {{purpose}}, {{duration}}',
      'messages.code.email': 'Hi <i>you</i>,\n\n{{code}}\n\nto {{purpose}} at {{brand}}, {{duration}}',
    },
    ru: { 'login.title': 'Добро пожаловать' },
  },
};

let directory: string;
let original: Buffer;
let world: World;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-brand-'));
  original = await createTransparent(600, 600);
  const file = join(directory, 'brands.json');
  await writeFile(join(directory, 'logo.png'), original);
  await writeFile(join(directory, 'terms.json'), JSON.stringify(editions));
  const port = String(await freePort());
  const bare = { id: 'bare', name: 'Bare', origin: `http://127.0.0.1:${port}` };
  await writeFile(file, JSON.stringify([brand, bare]));
  world = await createWorld({ env: { PORT: port, BRANDS_FILE: file } });
});
afterAll(async () => {
  await world?.close();
  await rm(directory, { recursive: true, force: true });
});

test('a brand shows its own logo, encoded anew and from its own origin', async () => {
  const { logo } = bootOf(await world.browser().navigate('/license')).brand;
  expect(logo).toMatch(/^\/api\/logos\/[\w-]{22}$/);
  const answer = await fetch(`${world.origin}${logo}`);
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.equals(original)).toBe(false);
  expect(await readPicture(bytes)).toMatchObject({ width: 256, height: 256, hasAlpha: true });
});

test('people accept the brand’s own documents', async () => {
  const { body } = await world.browser().get('/license');
  expect(body).toContain('<title>House rules - Fjord</title>');
  expect(body).toContain('Rules of Fjord &lt;b&gt;here&lt;/b&gt;.');
  expect(body).toContain('mailto:law@fjord.example');
  expect(body).toContain('2026-06-01');
  expect((await world.browser().get('/privacy')).body).toContain('mailto:law@fjord.example');

  const agent = world.browser();
  const { url } = await agent.navigate('/register');
  const uid = world.interactionOf(url);
  const { agreements } = await world.details(agent, uid);
  const versionOf = (id: string) => agreements.find((one: { id: string }) => one.id === id).version;
  expect(versionOf('terms')).toBe('2027-01-01');

  const identifier = 'house@example.com';
  const code = await world.receiveCode(agent, identifier, 'register');
  const accepted = (terms: string) => [
    { id: 'terms', version: terms },
    { id: 'privacy', version: versionOf('privacy') },
  ];
  const builtIn = { identifier, code, password: PASSWORD, agreements: accepted(versionOf('privacy')) };
  const refused = await agent.post(`/interaction/${uid}/register`, builtIn);
  expect(refused.json().error.code).toBe('agreements_required');
  const { ticket } = refused.json().error;
  const registration = { identifier, ticket, password: PASSWORD, agreements: accepted('2027-01-01') };
  expect((await agent.post(`/interaction/${uid}/register`, registration)).status).toBe(200);
  const rows = await world.db.selectFrom('agreement_acceptance').selectAll().execute();
  expect(rows.find((row) => row.agreement_id === 'terms')).toMatchObject({
    version: '2027-01-01',
    brand: 'fjord',
  });
});

test('a page has the brand’s own texts in one language, and other languages are loaded on request', async () => {
  const page = await world.browser().navigate('/license');
  const boot = bootOf(page);
  expect(boot.brand).toMatchObject({
    tagline: { en: 'Light over the water.', ru: 'Light over the water.' },
    support: 'help@fjord.example',
  });
  expect(boot.texts).toEqual({
    en: { 'login.title': 'Come in <b>now</b>' },
    ru: expect.stringMatching(/^\/prod\/user\/[\w-]{22}\.json$/),
  });
  expect(page.answer?.body).not.toContain('<b>now');
  const answer = await fetch(`${world.origin}${boot.texts.ru}`);
  expect(await answer.json()).toEqual({ 'login.title': 'Добро пожаловать' });
  expect(answer.headers.get('cache-control')).toContain('immutable');
  const russian = bootOf(await world.browser({ language: 'ru' }).navigate('/license'));
  expect(russian.texts.ru).toEqual({ 'login.title': 'Добро пожаловать' });
});

test('a page has the brand’s own title, and an error page without scripts has the brand’s own sentence', async () => {
  const page = await world.browser().navigate('/login');
  expect(page.answer?.body).toContain('<title>Come in &lt;b&gt;now&lt;/b&gt; - Fjord</title>');
  const russian = await world.browser({ language: 'ru' }).navigate('/login');
  expect(russian.answer?.body).toContain('<title>Добро пожаловать - Fjord</title>');
  const missing = await world.browser().get('/nowhere');
  expect(missing.body).toContain('<title>Page not found - Fjord</title>');
  expect(missing.body).toContain('<noscript><h1>Page not found</h1><p>There is nothing at this address.');
});

test('messages use the brand’s own texts, and mails name its support', async () => {
  const agent = world.browser();
  await agent.navigate('/login');
  const mail = async (language: string, identifier: string) => {
    const visitor = world.browser({ language });
    await visitor.navigate('/login');
    await world.receiveCode(visitor, identifier, 'login');
    return (await world.lastMessageTo(identifier)) as SentMessage & { subject: string };
  };
  const own = await mail('en', 'own@example.com');
  expect(own.subject).toBe('Fjord: come in');
  expect(own.text).toBe(
    `Hi <i>you</i>,\n\n${own.code}\n\nto come in at Fjord, 5 minutes\n\nFjord\nhelp@fjord.example`,
  );
  const builtIn = await mail('ru', 'built-in@example.com');
  expect(builtIn.subject).toContain('Fjord');
  expect(builtIn.text).toContain('Здравствуйте');
  expect(builtIn.text).toMatch(/Fjord\nhelp@fjord.example$/);

  await world.receiveCode(agent, '+8613800138000', 'login');
  const { text, code } = await world.lastMessageTo('+8613800138000');
  expect(text).toBe(`${code}, Fjord, come in, 5 minutes\n\n@localhost #${code}`);
});

test('security.txt names the brand’s support', async () => {
  const { body } = await world.browser().get('/.well-known/security.txt');
  expect(body).toContain('Contact: mailto:help@fjord.example\n');
  expect(body).toContain(`Preferred-Languages: ${locales.join(', ')}\n`);
});

test('phones learn which apps open links to a brand, and nothing of a brand without apps', async () => {
  const read = (name: string, headers = {}) => world.browser().get(`/.well-known/${name}`, { headers });
  const [android, apple] = [await read('assetlinks.json'), await read('apple-app-site-association')];
  for (const { headers } of [android, apple])
    expect([headers['content-type'], headers['cache-control']]).toEqual([
      'application/json',
      'public, max-age=3600',
    ]);
  expect(android.json()).toEqual([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: 'example.fjord.app',
        sha256_cert_fingerprints: [Array(32).fill('AB').join(':')],
      },
    },
  ]);
  expect(apple.json()).toEqual({
    applinks: {
      details: [
        {
          appIDs: ['ABCDE12345.example.fjord.app'],
          components: [{ '/': '/link/*' }, { '/': '/link/old', exclude: true }],
        },
      ],
    },
  });
  const host = `127.0.0.1:${new URL(world.origin).port}`;
  for (const name of ['assetlinks.json', 'apple-app-site-association']) {
    const answer = await read(name, { host });
    expect([answer.status, answer.json().error.code]).toEqual([404, 'not_found']);
  }
});
