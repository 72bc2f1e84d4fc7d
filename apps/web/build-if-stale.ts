import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../if-stale.ts';
import { compressFiles } from './compress-files.ts';
import { keepReleases } from './keep-releases.ts';

const web = dirname(fileURLToPath(import.meta.url));
const dist = join(web, 'dist');

await buildIfStale({
  name: "the portal's pages",
  dist,
  // The programs of docs/integrating are shown on the pages for developers.
  sources: ['apps/if-stale.ts', 'apps/web/**/*', 'packages/contract/src/**/*', 'docs/integrating/*.md'],
  build: async (fresh) => {
    const { build } = await import('vite');
    await build({ root: web, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } });
    await keepReleases(dist, fresh);
    await compressFiles(fresh);
  },
});
