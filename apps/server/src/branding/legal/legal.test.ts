import { hash } from 'node:crypto';
import { locales } from '@candela/contract';
import { ACTIVITY_DAYS } from '@candela/contract/rules/activity-kinds';
import { EXPORT_HOURS, GRACE_DAYS } from '@candela/contract/rules/leaving';
import { describe, expect, test } from 'vitest';
import { renderArticle } from '../../protocol/page/document-html.ts';
import { documentIds } from './document.ts';
import { findDocument, versionsOf } from './editions.ts';

const publisher = { brand: 'Lamps & <Co>', host: 'id.lamps.example', contact: 'privacy@id.lamps.example' };

const shapeOf = (body: readonly (string | readonly string[])[]) =>
  body.map((block) => (typeof block === 'string' ? 1 : block.length));

describe.each(documentIds)('%s', (id) => {
  const other = documentIds.find((one) => one !== id) ?? id;

  test('the newest version is the published version', () => {
    expect(findDocument(id, 'en', undefined).version).toBe(versionsOf(id)[0]);
  });

  test('an unknown version yields the current version', () => {
    for (const version of ['1999-01-01', '', ['a', 'b'], undefined]) {
      expect(findDocument(id, 'en', version).version).toBe(versionsOf(id)[0]);
    }
  });

  // The compiler ensures that no section is missing; this test compares the blocks inside the sections.
  test.each(locales)('has the same blocks in %s', (locale) => {
    const english = findDocument(id, 'en', undefined).text.sections;
    const { sections } = findDocument(id, locale, undefined).text;
    expect(Object.keys(sections)).toEqual(Object.keys(english));
    for (const [anchor, { body }] of Object.entries(sections)) {
      expect(shapeOf(body), anchor).toEqual(shapeOf(english[anchor]?.body ?? []));
    }
  });

  test.each(locales)('is filled in for the brand in %s, and contains no markup', (locale) => {
    const { markup: html } = renderArticle(
      findDocument(id, locale, undefined),
      publisher,
      findDocument(other, locale, undefined),
    );
    expect(html).toContain('Lamps &amp; &lt;Co&gt;');
    expect(html).not.toContain('<Co>');
    expect(html).not.toMatch(/[{}]|undefined/);
    expect(html).toContain('mailto:privacy@id.lamps.example');
  });
});

/** What an edition says in each language, as it was published. */
const published: Readonly<Record<string, string>> = {
  'terms 2026-11-01': 'ec5b22b16e9b160dcead193b190916a1',
  'privacy 2026-11-01': 'e34d8b7230f10ba1bf8532330b8ca1d0',
};

test.each(Object.entries(published))('the edition %s never changes: people accepted it', (name, digest) => {
  const [document, version] = name.split(' ');
  const id = documentIds.find((one) => one === document) ?? 'terms';
  const texts = ['en', 'ru', 'zh-Hans', 'zh-Hant'] as const;
  const found = texts.map((locale) => findDocument(id, locale, version).text);
  expect(hash('sha256', JSON.stringify(found), 'hex').slice(0, 32)).toBe(digest);
});

test.each(locales)('LV7: the documents promise in %s the times that the server keeps', (locale) => {
  const textOf = (id: (typeof documentIds)[number], section: string) =>
    JSON.stringify(findDocument(id, locale, undefined).text.sections[section]?.body);
  const retention = textOf('privacy', 'retention');
  for (const time of [ACTIVITY_DAYS, EXPORT_HOURS, GRACE_DAYS])
    expect(retention).toMatch(new RegExp(`(?<!\\d)${time}(?!\\d)`));
  expect(textOf('terms', 'ending')).toContain(String(GRACE_DAYS));
});
