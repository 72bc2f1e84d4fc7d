import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransparent } from '@candela/server/testing/pictures';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

const tokens = {
  light: { accent: '#0b5394', onAccent: '#ffffff', soft: '#dbe9f7' },
  dark: { accent: '#8ec5ff', onAccent: '#00243d', soft: '#12304a' },
};

let directory: string;
let world: World;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'candela-button-'));
  const file = join(directory, 'brands.json');
  await writeFile(join(directory, 'logo.png'), await createTransparent(64, 64));
  await writeFile(
    file,
    JSON.stringify([
      { id: 'fjord', name: 'Fjord & <Sons>', tokens },
      { id: 'crest', name: 'Crest', origin: 'https://crest.example', logo: 'logo.png' },
    ]),
  );
  world = await createWorld({ env: { BRANDS_FILE: file } });
});
afterAll(async () => {
  await world?.close();
  await rm(directory, { recursive: true, force: true });
});

const buttonOf = (theme: string, locale: string, headers: Record<string, string> = {}) =>
  world.browser().get(`/sign-in-button/${theme}/${locale}.svg`, { headers });

describe('the button "Sign in with" and the name of the brand', () => {
  const texts = {
    en: 'Sign in with Fjord &amp; &lt;Sons&gt;',
    'zh-Hans': '使用 Fjord &amp; &lt;Sons&gt; 登录',
    'zh-Hant': '使用 Fjord &amp; &lt;Sons&gt; 登入',
    ru: 'Войти через Fjord &amp; &lt;Sons&gt;',
  };

  test.each(
    Object.entries(texts).flatMap(([locale, text]) =>
      (['light', 'dark'] as const).map((theme) => [theme, locale, text] as const),
    ),
  )('is in the colours of %s and in %s', async (theme, locale, text) => {
    const { status, headers, body } = await buttonOf(theme, locale);
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(body).toContain(`<title>${text}</title>`);
    expect(body).toContain(`fill="${tokens[theme].onAccent}">${text}</text>`);
    expect(body).toContain(`rx="10" fill="${tokens[theme].accent}"/>`);
    expect(body).toContain(`xml:lang="${locale}"`);
  });

  test('may be shown by pages of other origins, and does nothing but that', async () => {
    const { headers } = await buttonOf('light', 'en');
    expect(headers).toMatchObject({
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; img-src data:; sandbox",
      'cache-control': 'public, max-age=86400',
    });
    const again = await buttonOf('light', 'en', { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body]).toEqual([304, '']);
  });

  test('has the logo of a brand that has one', async () => {
    const host = { host: 'crest.example' };
    const { body } = await buttonOf('dark', 'en', host);
    expect(body).toContain('<title>Sign in with Crest</title>');
    expect(body).toMatch(/ href="data:image\/png;base64,iVBORw0KGgo[\w+/=]+"\/>/);
    expect((await buttonOf('dark', 'en')).body).not.toContain('<image');
  });

  test.each([
    ['grey', 'en'],
    ['light', 'de'],
    ['light', '__proto__'],
    ['constructor', 'en'],
    ['light', '%00'],
  ])('is not there for %s and %s', async (theme, locale) => {
    expect((await buttonOf(theme, locale)).status).toBe(404);
  });

  test('has the address and the size that the documentation says', async () => {
    const page = await readFile(
      new URL('../../docs/integrating/sign-in-button.md', import.meta.url).pathname,
      'utf8',
    );
    const [, html = ''] = /```html\n([\s\S]*?)```/.exec(page) ?? [];
    const addresses = [...html.matchAll(/http:\/\/localhost:3000(\/[^"]+\.svg)/g)];
    expect(addresses).toHaveLength(2);
    for (const [, path = ''] of addresses) expect((await world.browser().get(path)).status).toBe(200);
    expect((await buttonOf('light', 'en')).body).toContain('height="44"');
    expect(page).toContain('44 pixels');
  });
});
