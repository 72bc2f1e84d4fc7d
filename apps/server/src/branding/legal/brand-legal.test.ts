import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readBrandLegal } from './brand-legal.ts';

test('the sample edition in docs/brands.md is one that a start takes', () => {
  const page = readFileSync(new URL('../../../../../docs/brands.md', import.meta.url), 'utf8');
  const [, sample = ''] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const directory = mkdtempSync(join(tmpdir(), 'brand-legal-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'terms.json'), sample);

  const { editions } = readBrandLegal({ terms: 'terms.json' }, { brand: 'fjord', directory });

  expect(editions.terms?.map(({ version }) => version)).toEqual(['2026-12-01']);
});
