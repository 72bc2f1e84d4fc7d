import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byLocale, locales } from '@candela/contract';
import { afterAll, expect, test } from 'vitest';
import { ConfigError } from '../../ground/start-error.ts';
import { messageTexts } from '../../person/delivery/message-texts.ts';
import { readBrandsFile } from './brands-file.ts';
import { builtInBrands } from './built-in.ts';
import { readPageCatalog } from './page-catalog.ts';
import { placeBrands } from './place-brands.ts';

const directory = mkdtempSync(join(tmpdir(), 'candela-brands-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'brands.json');

const pageTexts = { 'login.title': 'Sign in', 'flow.toContinue': 'to continue to {{app}}' };
const pages = byLocale(() => pageTexts);

const read = (brands: unknown) => {
  writeFileSync(path, JSON.stringify(brands));
  return readBrandsFile({ path, name: 'BRANDS_FILE' }, { messages: messageTexts, pages });
};

const problemsOf = (brands: unknown): readonly string[] => {
  try {
    read(brands);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('no two brands share an id or an origin', () => {
  const origin = 'https://id.example';
  expect(problemsOf([{ id: 'a' }, { id: 'a' }])).toEqual(['BRANDS_FILE: the id "a" belongs to two brands']);
  expect(
    problemsOf([
      { id: 'a', origin },
      { id: 'b', origin: `${origin}/` },
    ]),
  ).toEqual([`BRANDS_FILE: the origin ${origin} belongs to two brands`]);
});

test.each(['https://c.example/path', 'ftp://c.example', 'foo:bar', 'c.example', 'https://c.example?a'])(
  'an origin is of http or https and has no path: %s',
  (origin) => {
    expect(problemsOf([{ id: 'a', origin }])).toEqual([
      'BRANDS_FILE: [0].origin must be an origin without a path, such as https://id.example.com',
    ]);
  },
);

test('an unknown field is refused, and all known fields are accepted', () => {
  expect(problemsOf([{ id: 'a', logo: 'logo.png', legal: {}, colour: 'red' }])).toEqual([
    'BRANDS_FILE: [0].colour is unknown',
  ]);
  expect(problemsOf([{ name: 'A' }, { id: 'b', tokens: { light: { accent: 'red; top: 0' } } }])).toEqual([
    'BRANDS_FILE: [0].id is missing',
    'BRANDS_FILE: [1].tokens.light.accent must be a colour such as #9a4b00: #rgb or #rrggbb',
  ]);
  expect(problemsOf([{ id: 'a', logo: '', legal: { imprint: 'x' } }])).toEqual([
    'BRANDS_FILE: [0].logo is not of the right form',
    'BRANDS_FILE: [0].legal.imprint is unknown',
  ]);
  expect(problemsOf({})).toEqual(['BRANDS_FILE: the whole must be of type array']);
  expect(problemsOf([])).toEqual(['BRANDS_FILE: the whole must name a brand']);
  expect(read([{ id: 'a', logo: 'logo.png' }])).toMatchObject([{ logoFile: join(directory, 'logo.png') }]);
  expect(read([{ id: 'a', mailFrom: 'id@a.example' }])).toMatchObject([{ mailFrom: 'id@a.example' }]);
});

test('documents of a brand are complete in every language, or the start reports what is missing', () => {
  const terms = join(directory, 'terms.json');
  const document = { title: 'T', lead: 'L', sections: { who: { title: 'Who', body: ['Text', ['item']] } } };
  const texts = byLocale(() => document);
  const edition = { version: '1', effectiveOn: '2026-12-01', texts };
  const problemsWith = (editions: unknown) => {
    writeFileSync(terms, JSON.stringify(editions));
    return problemsOf([{ id: 'a', legal: { terms: 'terms.json', privacy: 'privacy.json' } }]);
  };
  const privacyMissing = `BRANDS_FILE: privacy of "a" ${join(directory, 'privacy.json')} does not exist`;
  expect(problemsWith([edition])).toEqual([privacyMissing]);
  const of = (problem: string) => [`BRANDS_FILE: terms of "a" ${terms}: ${problem}`, privacyMissing];
  expect(problemsWith([{ ...edition, texts: { ...texts, ru: undefined } }])).toEqual(
    of('[0].texts.ru is missing'),
  );
  expect(problemsWith([edition, edition])).toEqual(of('the whole must not have a version twice'));
  expect(problemsWith([])).toEqual(of('the whole must have an edition'));
  const unsafe = { ...document, sections: { '"><script>': { title: 'x', body: [] } } };
  expect(problemsWith([{ ...edition, texts: { ...texts, en: unsafe } }])).toHaveLength(2);

  writeFileSync(terms, JSON.stringify([edition]));
  const [brand] = read([{ id: 'a', legal: { terms: 'terms.json', contact: 'law@a.example' } }]);
  expect(brand?.legal).toEqual({ contact: 'law@a.example', editions: { terms: [edition] } });
});

test('PUBLIC_URL goes to the brand whose marker is in its host, else to the first without an origin', () => {
  const brands = read([{ id: 'a', origin: 'https://a.example' }, { id: 'fjord' }, { id: 'borealis' }]);
  const placed = (publicUrl: string) => placeBrands(brands, publicUrl).map(({ id, origin }) => [id, origin]);
  expect(placed('https://id.borealis.example')).toEqual([
    ['borealis', 'https://id.borealis.example'],
    ['a', 'https://a.example'],
  ]);
  expect(placed('http://localhost:3000')).toEqual([
    ['fjord', 'http://localhost:3000'],
    ['a', 'https://a.example'],
  ]);
});

test('colours with too little contrast are refused, by name and in both themes', () => {
  const light = { accent: '#ff9900', muted: '#777' };
  expect(problemsOf([{ id: 'a', tokens: { light, dark: { fieldBorder: '#222222' } } }])).toEqual([
    'BRANDS_FILE: tokens.light of "a": muted #777 on page #FBF7F1 has a contrast of 4.19, less than 4.5',
    'BRANDS_FILE: tokens.light of "a": muted #777 on surface #FFFFFF has a contrast of 4.47, less than 4.5',
    'BRANDS_FILE: tokens.light of "a": accent #ff9900 on page #FBF7F1 has a contrast of 2, less than 4.5',
    'BRANDS_FILE: tokens.light of "a": accent #ff9900 on surface #FFFFFF has a contrast of 2.14, less than 4.5',
    'BRANDS_FILE: tokens.light of "a": accent #ff9900 on soft #FCEBD3 has a contrast of 1.83, less than 4.5',
    'BRANDS_FILE: tokens.light of "a": onAccent #FFFFFF on accent #ff9900 has a contrast of 2.14, less than 4.5',
    'BRANDS_FILE: tokens.dark of "a": fieldBorder #222222 on page #14100C has a contrast of 1.19, less than 3',
    'BRANDS_FILE: tokens.dark of "a": fieldBorder #222222 on surface #1F1913 has a contrast of 1.09, less than 3',
  ]);
  expect(problemsOf([{ id: 'a', tokens: { light: { accent: '#000', onAccent: '#FFF' } } }])).toEqual([]);
});

test('a brand without a tagline does not get the tagline of a built-in brand', () => {
  const [first, third] = read([{ id: 'aurelia' }, { id: 'third' }]);
  expect(first?.tagline).toEqual(builtInBrands[0].tagline);
  expect(third).not.toHaveProperty('tagline');
});

test('a tagline is one text, or one in each language; support is an e-mail address or an https URL', () => {
  const each = byLocale((locale) => `In ${locale}`);
  expect(read([{ id: 'a', tagline: 'One' }])).toMatchObject([{ tagline: { en: 'One', ru: 'One' } }]);
  expect(read([{ id: 'a', tagline: each, support: 'help@a.example' }])).toMatchObject([
    { tagline: each, support: 'help@a.example' },
  ]);
  expect(read([{ id: 'a', support: 'https://a.example/help?x=1' }])[0]?.support).toBe(
    'https://a.example/help?x=1',
  );
  expect(problemsOf([{ id: 'a', tagline: { en: 'E' } }])).toEqual([
    `BRANDS_FILE: [0].tagline must be a text, or one for each of ${locales.join(', ')}`,
  ]);
  const unfit = ['http://a.example', 'a.example', 'https://a.example\nContact: x', 'javascript:alert(1)'];
  for (const support of unfit) {
    expect(problemsOf([{ id: 'a', support }])).toEqual([
      'BRANDS_FILE: [0].support must be an e-mail address or an https URL',
    ]);
  }
});

test('documentation of its own is at an https URL', () => {
  const docs = 'https://a.example/developers?x=1';
  expect(read([{ id: 'a', docs }])[0]?.docs).toBe(docs);
  expect(read([{ id: 'a' }])[0]).not.toHaveProperty('docs');
  for (const unfit of [
    'http://a.example',
    'docs@a.example',
    'https://a.example\nX: y',
    'javascript:alert(1)',
    '',
  ])
    expect(problemsOf([{ id: 'a', docs: unfit }])).toEqual(['BRANDS_FILE: [0].docs must be an https URL']);
});

test('a brand’s own texts replace existing texts, in existing languages, with their placeholders; all faults are reported at once', () => {
  const en = {
    'login.title': 'Come in',
    'flow.toContinue': 'on to {{app}}',
    'messages.code.subject': '{{purpose}}',
  };
  expect(read([{ id: 'a', texts: { en } }])).toMatchObject([{ texts: { en } }]);
  const texts = {
    en: {
      'login.titel': 'Come in',
      login: 'Come in',
      'login.title': 'Come in to {{app}}',
      'flow.toContinue': 'on to {{ app }}',
      'messages.code.sms': '{{code}}',
      'messages.code.purposes.borrow': 'borrow',
    },
    ru: { 'login.title': '', 'flow.toContinue': '{{app}} $t(login.title)' },
    de: { 'login.title': 'Anmelden' },
  };
  expect(problemsOf([{ id: 'a', texts, colour: 'red' }])).toEqual([
    'BRANDS_FILE: [0].texts.en.login.titel is unknown',
    'BRANDS_FILE: [0].texts.en.login is unknown',
    'BRANDS_FILE: [0].texts.en.login.title has {{app}}, but is given nothing',
    'BRANDS_FILE: [0].texts.en.flow.toContinue has {{ app }}, but is given {{app}} only',
    'BRANDS_FILE: [0].texts.en.messages.code.sms lacks {{purpose}}, {{duration}}',
    'BRANDS_FILE: [0].texts.en.messages.code.purposes.borrow is unknown',
    'BRANDS_FILE: [0].texts.ru.login.title must not be empty',
    'BRANDS_FILE: [0].texts.ru.flow.toContinue must not have $t(',
    'BRANDS_FILE: [0].texts.de is unknown',
    'BRANDS_FILE: [0].colour is unknown',
  ]);
});

test('docs/brands.md has an example that the server accepts, every token, and every text of a message', () => {
  const page = readFileSync(new URL('../../../../../docs/brands.md', import.meta.url), 'utf8');
  const built = readPageCatalog(new URL('../../../../web/dist', import.meta.url).pathname);
  expect(Object.keys(built ?? {})).toEqual(locales);
  writeFileSync(path, /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
  const [example] = readBrandsFile({ path, name: 'example' }, { messages: messageTexts, pages: built });
  expect(example?.texts?.en).toHaveProperty(['login.forgot']);
  for (const token of Object.keys(builtInBrands[0].tokens.light)) expect(page).toContain(`\`${token}\``);
  for (const texts of Object.values(messageTexts)) {
    for (const key of Object.keys(texts)) {
      const [parent = '', name = ''] = key.replace('.email_', '.phone_').split('.').slice(-2);
      expect(page, key).toContain(parent);
      expect(page, key).toContain(`.${name}\``);
    }
  }
});

test('apps that open links to a brand are accepted, and a wrong form is named', () => {
  const fingerprint = Array(32).fill('aB').join(':');
  const android = [{ package_name: 'example.fjord.app', sha256_cert_fingerprints: [fingerprint] }];
  const apple = [{ app_id: 'ABCDE12345.example.fjord.app', paths: ['/link/*', 'NOT /link/old', '*'] }];
  expect(problemsOf([{ id: 'a', app_links: { android, apple } }])).toEqual([]);
  const wrong: [object, string][] = [
    [{}, ' must have android or apple'],
    [{ android: [] }, '.android must not be empty'],
    [
      { android: [{ ...android[0], package_name: 'fjord' }] },
      '.android[0].package_name must be the name of an Android package, such as com.example.app',
    ],
    [
      { android: [{ ...android[0], sha256_cert_fingerprints: [fingerprint.slice(3)] }] },
      '.android[0].sha256_cert_fingerprints[0] must be the SHA-256 of a certificate: 32 pairs of hexadecimal digits with colons between them',
    ],
    [
      { apple: [{ ...apple[0], app_id: 'example.fjord.app' }] },
      '.apple[0].app_id must be a team id and a bundle id, such as ABCDE12345.com.example.app',
    ],
    [
      { apple: [{ ...apple[0], paths: ['link'] }] },
      '.apple[0].paths[0] must be a path such as /link/*, or NOT and a path which the app does not open',
    ],
    [{ windows: [] }, '.windows is unknown'],
  ];
  for (const [links, problem] of wrong)
    expect(problemsOf([{ id: 'a', app_links: links }])).toContain(`BRANDS_FILE: [0].app_links${problem}`);
});
