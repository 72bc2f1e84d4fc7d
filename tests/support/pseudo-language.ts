import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/** A language that nobody speaks: English with accents, 30 % longer, so that its texts can be recognised. */
export const pseudo = { tag: 'en-XA', name: 'Áççéñţš' };

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçđéƒĝĥíĵķļɱñóþɋŕšţúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĻṀÑÓÞɊŔŠŢÚṼŴẊÝŽ';
const accents = new Map([...plain].map((letter, index) => [letter, [...accented][index] ?? letter]));

/** Placeholders stay as they are, and so does a paragraph of placeholders only. */
const accentLine = (line: string): string => {
  const parts = line.split(/({{?\w+}}?)/);
  const changed = parts.map((part, index) =>
    index % 2 === 1 ? part : [...part].map((letter) => accents.get(letter) ?? letter).join(''),
  );
  const letters = parts.filter((_, index) => index % 2 === 0).join('').length;
  return letters === 0 ? line : changed.join('') + '~'.repeat(Math.ceil(letters * 0.3));
};

/** A text, or every text of a group, in the pseudo-language. */
export const accent = (texts: unknown): unknown => {
  if (typeof texts === 'string') return texts.split('\n').map(accentLine).join('\n');
  if (Array.isArray(texts)) return texts.map(accent);
  return Object.fromEntries(Object.entries(texts ?? {}).map(([key, value]) => [key, accent(value)]));
};

const copied = [
  'apps',
  'packages',
  'docs/integrating',
  'migrations',
  'tests',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
];
/** What the bundler, its cache, and tests that run beside write. */
const isWritten = /^(dist|\.vite|\.programs-)/;
const isSource = (path: string) => !isWritten.test(basename(path));

/** A copy of the repository's sources, with its installed packages. */
export const copyRepository = async (): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), 'candela-language-'));
  await Promise.all(
    [...copied, 'pnpm-lock.yaml'].map((name) =>
      cp(join(repository, name), join(copy, name), {
        recursive: true,
        verbatimSymlinks: true,
        filter: isSource,
      }),
    ),
  );
  await symlink(join(repository, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

/** The groups of texts of each app, by the folder of its languages. */
const groups = {
  'apps/server/src/branding/texts': [
    'brands',
    'codes',
    'earlier',
    'notices',
    'pages',
    'privacy',
    'takeout',
    'terms',
  ],
  'apps/web/src/i18n': ['flow', 'account', 'security', 'activity', 'developers', 'desk', 'providers'],
};

const row = `  '${pseudo.tag}': {
    name: '${pseudo.name}',
    home: { country: 'IE', dial: '353' },
    match: /^en-xa\\b/,
    hourCycle: 'h23',
    isFullWidth: false,
  },
`;

/** Adds the pseudo-language to a copy like any language: one row, and one folder in each app. */
export const addPseudoLanguage = async (copy: string): Promise<void> => {
  const languages = join(copy, 'packages/contract/src/languages.ts');
  const source = await readFile(languages, 'utf8');
  await writeFile(languages, source.replace(/^} satisfies /m, `${row}$&`));
  for (const [folder, names] of Object.entries(groups)) {
    await mkdir(join(copy, folder, pseudo.tag));
    for (const name of names) {
      const english = await import(join(repository, folder, 'en', `${name}.ts`));
      const texts = JSON.stringify(accent(english[name]), undefined, 2);
      await writeFile(
        join(copy, folder, pseudo.tag, `${name}.ts`),
        `import type { LanguageTexts } from '../texts.ts';\n\nexport const ${name}: LanguageTexts['${name}'] = ${texts};\n`,
      );
    }
  }
};
