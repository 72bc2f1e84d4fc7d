import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { dropDatabasesOf } from '../../apps/server/testing/databases.ts';

const run = randomBytes(4).toString('hex');

/** Tests start the server of these sources, never one that was built before they changed. */
export const setup = (): void => {
  process.env.TEST_RUN = run;
  const build = fileURLToPath(new URL('../../apps/server/build-if-stale.ts', import.meta.url));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
};

export const teardown = (): Promise<void> => dropDatabasesOf(run);
