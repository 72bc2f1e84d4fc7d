import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { webDist } from './world.ts';

const run = promisify(execFile);

const repository = new URL('../..', import.meta.url).pathname;

/** The release before the one that this checkout becomes; CONTRIBUTING.md says when it changes. */
export const previousRelease: { version: string; commit: string } = JSON.parse(
  readFileSync(join(repository, 'tests/previous-release.json'), 'utf8'),
);

/** Whether this checkout has the commit of the previous release; a shallow clone has not. */
export const hasPreviousRelease = (): boolean =>
  spawnSync('git', ['cat-file', '-e', `${previousRelease.commit}^{commit}`], {
    cwd: repository,
    stdio: 'ignore',
  }).status === 0;

export interface Release {
  /** The file that starts its server. */
  main: string;
  remove(): Promise<void>;
}

/** Of its own environment pnpm would install for this checkout. */
const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm|pnpm)_|^INIT_CWD$/i.test(name)));

/**
 * The server of the previous release in a temporary folder, with the packages of its own lockfile, taken from pnpm's
 * store. It serves the pages of this checkout.
 * @throws Error if the store lacks a package
 */
export const checkOutPreviousRelease = async (): Promise<Release> => {
  const folder = await mkdtemp(join(tmpdir(), 'candela-previous-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const archive = join(folder, 'release.tar');
  try {
    await run('git', ['archive', `--output=${archive}`, previousRelease.commit], { cwd: repository });
    await run('tar', ['-xf', archive, '-C', folder]);
    await run(
      'npx',
      [
        '-y',
        'pnpm@12',
        'install',
        '--offline',
        '--frozen-lockfile',
        '--prod',
        '--filter',
        '@candela/server...',
      ],
      { cwd: folder, env: { ...environment(), CI: '1' } },
    );
    const pages = join(folder, 'apps/web/dist');
    if (!existsSync(pages)) await symlink(webDist, pages);
  } catch (error) {
    await remove();
    throw error;
  }
  return { main: join(folder, 'apps/server/src/main.ts'), remove };
};
