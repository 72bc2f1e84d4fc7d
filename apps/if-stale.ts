import { createHash } from 'node:crypto';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('..', import.meta.url));

interface Build {
  /** What is built, as the line at the end says it. */
  name: string;
  /** The directory of the result, which is replaced as a whole. */
  dist: string;
  /** Patterns of the files on which the result depends, from the root of the workspace. */
  sources: readonly string[];
  /** Builds into `fresh`, which does not exist yet. */
  build(fresh: string): Promise<void>;
}

const listSources = async (patterns: readonly string[]): Promise<string[]> => {
  // The versions of what is installed.
  const found = ['pnpm-lock.yaml'];
  const entries = glob(patterns, {
    cwd: workspace,
    exclude: ({ name }) => name === 'node_modules' || name === 'dist' || name.startsWith('dist.'),
    withFileTypes: true,
  });
  for await (const entry of entries) {
    if (entry.isFile()) found.push(join(entry.parentPath, entry.name).slice(workspace.length));
  }
  return found.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
};

const hashSources = async (patterns: readonly string[]): Promise<string> => {
  const hash = createHash('sha256');
  for (const path of await listSources(patterns)) {
    hash
      .update(`${path}\0`)
      .update(await readFile(join(workspace, path)))
      .update('\0');
  }
  return hash.digest('hex');
};

/** Builds `dist` anew if a source of it has changed since it was built. */
export const buildIfStale = async ({ name, dist, sources, build }: Build): Promise<void> => {
  const record = join(dist, '.sources');
  const hash = await hashSources(sources);
  if (hash === (await readFile(record, 'utf8').catch(() => undefined))) return;
  const startedAt = performance.now();
  // A build that is cut short must not leave half a release behind.
  const fresh = `${dist}.${process.pid}`;
  await build(fresh);
  await writeFile(join(fresh, '.sources'), hash);
  await rm(dist, { recursive: true, force: true });
  await rename(fresh, dist);
  process.stdout.write(`Built ${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
};
