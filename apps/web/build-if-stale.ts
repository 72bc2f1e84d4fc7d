import { createHash } from 'node:crypto';
import { glob, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepReleases } from './keep-releases.ts';

const web = dirname(fileURLToPath(import.meta.url));
const workspace = join(web, '..', '..');
const dist = join(web, 'dist');
const record = join(dist, '.sources');

/** All that a build depends on: the SPA, the contract, the programs of docs/integrating, the versions installed. */
const listSources = async (): Promise<string[]> => {
  const found = ['pnpm-lock.yaml'];
  const entries = glob(['apps/web/**/*', 'packages/contract/src/**/*', 'docs/integrating/*.md'], {
    cwd: workspace,
    exclude: ({ name }) => name === 'node_modules' || name === 'dist' || name.startsWith('dist.'),
    withFileTypes: true,
  });
  for await (const entry of entries) {
    if (entry.isFile()) found.push(join(entry.parentPath, entry.name).slice(workspace.length + sep.length));
  }
  return found.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
};

const hashSources = async (): Promise<string> => {
  const hash = createHash('sha256');
  for (const path of await listSources()) {
    hash
      .update(`${path}\0`)
      .update(await readFile(join(workspace, path)))
      .update('\0');
  }
  return hash.digest('hex');
};

const readRecord = (): Promise<string | undefined> => readFile(record, 'utf8').catch(() => undefined);

const sources = await hashSources();
if (sources !== (await readRecord())) {
  const startedAt = performance.now();
  // A build that is cut short must not leave half a release behind.
  const fresh = `${dist}.${process.pid}`;
  const { build } = await import('vite');
  await build({ root: web, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } });
  await keepReleases(dist, fresh);
  await writeFile(join(fresh, '.sources'), sources);
  await rm(dist, { recursive: true, force: true });
  await rename(fresh, dist);
  process.stdout.write(
    `Built the portal's pages in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`,
  );
}
