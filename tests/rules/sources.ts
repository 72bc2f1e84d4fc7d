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

/** Matches a template literal whose placeholders nest up to `depth` braces and templates. */
const templateOf = (depth: number): string =>
  String.raw`\x60(?:\\.|\$\{${holeOf(depth)}\}|\$(?!\{)|[^\x60\\$])*\x60`;

const holeOf = (depth: number): string =>
  depth === 0
    ? String.raw`[^{}\x60]*`
    : String.raw`(?:[^{}\x60]|\{${holeOf(depth - 1)}\}|${templateOf(depth - 1)})*`;

/** A literal that may hold what looks like a comment, or a comment. */
const LITERAL_OR_COMMENT = new RegExp(
  [
    String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"`,
    templateOf(3),
    // A regular expression: what divides stands behind an operand.
    String.raw`(?<=[=(,:[!&|?{;>]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/`,
    String.raw`\/\*[\s\S]*?\*\/|\/\/[^\n]*`,
  ].join('|'),
  'g',
);

/** The text of a source without its comments; those inside of a template literal stay. */
export const codeOf = ({ text }: Source): string =>
  text.replace(LITERAL_OR_COMMENT, (found) => (/^\/[/*]/.test(found) ? '' : found));

/** What a source imports: packages by their specifier, files by their path from the root. */
export const importsOf = ({ path, text }: Source): string[] =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)].map(([, specifier = '']) =>
    specifier.startsWith('.') ? join(dirname(path), specifier).replaceAll('\\', '/') : specifier,
  );
