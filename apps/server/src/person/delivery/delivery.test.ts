import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codePurposes, locales } from '@candela/contract';
import { describe, expect, test } from 'vitest';
import { builtInBrands } from '../../branding/brand/built-in.ts';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createCodeMessage } from './code-message.ts';
import { renderMail } from './mail-html.ts';
import { createOutbox } from './outbox.ts';

const brand = { ...builtInBrands[0], origin: 'https://id.aurelia.example:8443' };
const create = (
  identifier: string,
  locale: (typeof locales)[number],
  purpose: (typeof codePurposes)[number],
) =>
  createCodeMessage({
    identifier: parseIdentifier(identifier),
    purpose,
    code: '012345',
    locale,
    brand,
    ttlSeconds: 300,
  });

describe.each(locales)('in %s', (locale) => {
  test.each(codePurposes)(
    'a code to %s is bound to the host in an SMS and explained in a mail',
    (purpose) => {
      const sms = create('+8613800138000', locale, purpose);
      expect(sms).toMatchObject({ channel: 'sms', to: '+8613800138000', code: '012345', purpose, locale });
      expect(sms.text.split('\n').at(-1)).toBe('@id.aurelia.example #012345');
      expect(sms).not.toHaveProperty('subject');
      const mail = create('Ada@Example.com', locale, purpose);
      expect(mail).toMatchObject({ channel: 'email', to: 'ada@example.com' });
      expect(mail.html).toContain(`<html lang="${locale}">`);
      for (const text of [mail.text, mail.html, sms.text]) expect(text).toContain('012345');
      for (const text of [mail.subject, mail.text, mail.html, sms.text]) expect(text).toContain('Aurelia');
      // Lock screens show subjects, and mail servers log them.
      expect(mail.subject).not.toMatch(/\d/);
    },
  );
});

/** The languages whose words the next tests expect. */
const spoken = ['en', 'zh-Hant', 'zh-Hans', 'ru'] as const;

test('the lifetime of a code is written with the plural form of its number', () => {
  const told = (ttlSeconds: number) =>
    spoken.map((locale) => {
      const { text } = createCodeMessage({
        identifier: parseIdentifier('ada@example.com'),
        purpose: 'login',
        code: '012345',
        locale,
        brand,
        ttlSeconds,
      });
      return /\d+ (?:minutes?|分鐘|分钟|минут[уы]?)(?![а-я])/.exec(text)?.[0];
    });
  expect(told(60)).toEqual(['1 minute', '1 分鐘', '1 分钟', '1 минуту']);
  expect(told(180)).toEqual(['3 minutes', '3 分鐘', '3 分钟', '3 минуты']);
  expect(told(300)).toEqual(['5 minutes', '5 分鐘', '5 分钟', '5 минут']);
});

test('a code to add a contact names the kind of contact', () => {
  for (const locale of spoken) {
    const told = ['+8613800138000', 'ada@example.com'].map((to) => create(to, locale, 'bind').text);
    expect(told[0]).toMatch(/phone number|手機號碼|手机号|номера телефона/);
    expect(told[1]).toMatch(/e-mail address|電子郵件地址|邮箱|адреса эл. почты/);
  }
});

test('no value of a brand or a text becomes markup', () => {
  const html = renderMail({
    locale: 'en',
    brand: { ...brand, name: `<b>"O'Hara & Co"</b>` },
    subject: '</title><script>',
    paragraphs: ['<img src=x>'],
  });
  expect(html).not.toMatch(/<(?:b|img|script)\b/);
  expect(html).toContain('&lt;b&gt;&quot;O&#39;Hara &amp; Co&quot;&lt;/b&gt;');
});

test('the purposes of a language differ in their words', () => {
  for (const locale of locales) {
    const texts = codePurposes.map((purpose) => create('+8613800138000', locale, purpose).text);
    expect(new Set(texts).size).toBe(codePurposes.length);
  }
});

test('the outbox stores one JSON object a line, readable by its owner only, and prints each message', async () => {
  const root = await mkdtemp(join(tmpdir(), 'candela-outbox-'));
  const dataDir = join(root, 'data');
  const printed: string[] = [];
  const now = () => new Date('2026-01-01T00:00:00Z');
  const outbox = createOutbox({ dataDir, now, print: (line) => printed.push(line) });
  const messages = Array.from({ length: 20 }, (_, index) =>
    create(`+86138001380${10 + index}`, 'en', 'login'),
  );
  await Promise.all(messages.map((message) => outbox.send({ ...message, id: message.to })));
  await outbox.send({ ...create('ada@example.com', 'ru', 'register'), id: 'a' });
  const file = join(dataDir, 'outbox.jsonl');
  const lines = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toEqual({
    at: '2026-01-01T00:00:00.000Z',
    channel: 'email',
    to: 'ada@example.com',
    locale: 'ru',
    purpose: 'register',
    code: '012345',
    subject: expect.any(String),
    text: expect.any(String),
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(printed.at(-1)).toBe('email to ada@example.com (register): 012345');
  await rm(root, { recursive: true });
});
