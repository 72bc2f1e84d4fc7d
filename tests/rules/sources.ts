import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of the project, as a rule sees it. */
export interface Source {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
}

const root = join(import.meta.dirname, '../..');

const folders = [
  'apps/*/src/**/*.{ts,tsx}',
  'packages/*/src/**/*.ts',
  'migrations/*.ts',
  'tests/**/*.{ts,tsx}',
];

/** All sources of the project, its tests included. */
export const readSources = (): Source[] =>
  globSync(folders, { cwd: root, exclude: (path) => path.includes('node_modules') }).map((file) => ({
    path: file.replaceAll('\\', '/'),
    text: readFileSync(join(root, file), 'utf8'),
  }));

export const isTest = (path: string): boolean =>
  path.startsWith('tests/') || /\.test\.tsx?$|testing\.ts$/.test(path);

/** What a source imports: packages by their specifier, files by their path from the root. */
export const importsOf = ({ path, text }: Source): string[] =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? join(dirname(path), specifier).replaceAll('\\', '/') : specifier,
  );
