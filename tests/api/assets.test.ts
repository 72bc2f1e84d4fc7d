import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compressFiles } from '../../apps/web/compress-files.ts';
import { keepReleases } from '../../apps/web/keep-releases.ts';
import { refusal } from '../oidc/authorization.ts';
import { createWorld, type World } from '../support/world.ts';

const directory = await mkdtemp(join(tmpdir(), 'candela-releases-'));
afterAll(() => rm(directory, { recursive: true }));

let builds = 0;
/** The output of the bundler, and the chunks kept of the release in `before`. */
const release = async (files: Record<string, string>, before?: string): Promise<string> => {
  builds += 1;
  const fresh = join(directory, `build-${builds}`);
  await mkdir(fresh);
  const page = '<html lang="en"><head><title>Candela</title><!--candela:head--></head></html>';
  for (const [name, text] of Object.entries({ 'index.html': page, '.parts.json': '{}', ...files })) {
    await writeFile(join(fresh, name), text);
  }
  await keepReleases(before ?? join(directory, 'nothing'), fresh);
  await compressFiles(fresh);
  return fresh;
};
const chunksOf = async (build: string) =>
  (await readdir(build)).filter((name) => /\.(?:js|css)$/.test(name)).sort();

describe('a build', () => {
  test('keeps the chunks of the two releases before it, and of no older release', async () => {
    const first = await release({ 'index-1.js': '1', 'same-0.css': '' });
    const second = await release({ 'index-2.js': '2', 'same-0.css': '' }, first);
    expect(await chunksOf(second)).toEqual(['index-1.js', 'index-2.js', 'same-0.css']);
    const third = await release({ 'index-3.js': '3' }, second);
    const fourth = await release({ 'index-4.js': '4' }, third);
    expect(await chunksOf(fourth)).toEqual(['index-2.js', 'index-3.js', 'index-4.js', 'same-0.css']);
    expect(await readFile(join(fourth, 'index-2.js'), 'utf8')).toBe('2');
  });

  test('of the same sources is the same release', async () => {
    const first = await release({ 'index-1.js': '1' });
    const second = await release({ 'index-2.js': '2' }, first);
    const again = await release({ 'index-2.js': '2' }, await release({ 'index-2.js': '2' }, second));
    expect(await chunksOf(again)).toEqual(['index-1.js', 'index-2.js']);
  });
});

describe('the hashed files of the pages', () => {
  let world: World;
  beforeAll(async () => {
    const before = await release({ 'login-page-old.js': 'export const a = 1;' });
    const pages = await release(
      { 'login-page-new.js': 'export const a = 2;', 'base-new.css': 'a{}' },
      before,
    );
    world = await createWorld({ pages });
  });
  afterAll(() => world.close());

  test.each(['login-page-old.js', 'login-page-new.js', 'base-new.css'])(
    '%s is served for a year, to any page',
    async (name) => {
      const answer = await world.browser().get(`/prod/user/${name}`);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers['content-type']).toMatch(name.endsWith('.css') ? /^text\/css/ : /javascript/);
    },
  );

  test.each(['login-page-old.js', 'login-page-new.js'])(
    '%s comes as gzip, to all who take it',
    async (name) => {
      const path = `/prod/user/${name}`;
      const compressed = await fetch(`${world.origin}${path}`);
      expect(compressed.headers.get('content-encoding')).toBe('gzip');
      const plain = await world.browser().get(path, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(plain.body).toMatch(/^export const a = [12];$/);
      expect(await compressed.text()).toBe(plain.body);
    },
  );

  test('a file that is gone is 404, never a page, and is not cached', async () => {
    for (const name of ['login-page-older.js', 'index.html', '.releases', '', '../index.html', '%2e%2e/x']) {
      const answer = await world.browser().get(`/prod/user/${name}`);
      expect([name, answer.status]).toEqual([name, 404]);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body).not.toContain('candela:head');
    }
    const script = { headers: { accept: '*/*' } };
    expect(refusal(await world.browser().get('/prod/user/x.js', script))).toEqual([404, 'not_found']);
  });
});
