import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '../apps/web/src');
const source = (path: string) => readFileSync(join(src, path), 'utf8');

/** A module and all modules that load with it; an `import()` loads later. */
const withImports = (path: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, imported = ''] of source(path).matchAll(
    /^(?:import|export) (?!type )[^;]*?'(\..+\.tsx?)';$/gm,
  ))
    withImports(join(path, '..', imported), seen);
  return seen;
};

const takesAccountTexts = (path: string) => source(path).includes("useTranslation('account')");

test('a screen of a sign-in takes no text that it does not load', () => {
  const screens = globSync(['flow/pages/{login,register,consent}/*-page.tsx', '**/flow-frame.tsx'], {
    cwd: src,
  });
  expect(screens).toHaveLength(4);
  const modules = screens.flatMap((screen) => [...withImports(screen)]);
  expect(modules.length).toBeGreaterThan(80);
  expect(modules.filter(takesAccountTexts)).toEqual([]);
});

test('a page that takes such texts is noticed, through the modules that it imports', () => {
  expect(
    [...withImports('portal/pages/sessions/sessions-page.tsx')].filter(takesAccountTexts).length,
  ).toBeGreaterThan(3);
});
