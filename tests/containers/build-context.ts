import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, matchesGlob } from 'node:path';

interface Rule {
  pattern: string;
  keeps: boolean;
}

const readRules = (text: string): Rule[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ pattern: line.replace(/^!/, ''), keeps: line.startsWith('!') }));

/** A rule is about what it matches, and about everything below that. */
const isAbout = ({ pattern }: Rule, path: string): boolean =>
  matchesGlob(path, pattern) || (path.includes('/') && isAbout({ pattern, keeps: true }, dirname(path)));

/** The last rule about a path decides. */
const isKept = (rules: readonly Rule[], path: string) =>
  rules.findLast((rule) => isAbout(rule, path))?.keeps ?? true;

const mayHoldKept = (rules: readonly Rule[], path: string) =>
  isKept(rules, path) || rules.some(({ keeps, pattern }) => keeps && pattern.startsWith(`${path}/`));

/** The files below `root` that a build gets, by the rules of a `.dockerignore`. */
const listContext = async (root: string, rules: readonly Rule[], folder = ''): Promise<string[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return mayHoldKept(rules, path) ? listContext(root, rules, path) : [];
      return isKept(rules, path) ? [path] : [];
    }),
  );
  return found.flat();
};

/** Copies what a build of the repository at `root` gets into the folder `to`. */
export const copyContext = async (root: string, ignoreFile: string, to: string): Promise<string[]> => {
  const paths = await listContext(root, readRules(await readFile(ignoreFile, 'utf8')));
  await Promise.all(
    paths.map(async (path) => {
      await mkdir(dirname(join(to, path)), { recursive: true });
      await cp(join(root, path), join(to, path), { preserveTimestamps: true });
    }),
  );
  return paths;
};
