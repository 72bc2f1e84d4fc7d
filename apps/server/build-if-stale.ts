import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale } from '../if-stale.ts';

const server = dirname(fileURLToPath(import.meta.url));

await buildIfStale({
  name: 'the server',
  dist: join(server, 'dist'),
  sources: [
    'apps/if-stale.ts',
    'apps/server/*.ts',
    'apps/server/src/**/*',
    'apps/playground/src/**/*',
    'migrations/*.ts',
    'packages/contract/src/**/*',
  ],
  build: async (fresh) => {
    const { bundleServer } = await import('./bundle-server.ts');
    await bundleServer(server, fresh);
  },
});
