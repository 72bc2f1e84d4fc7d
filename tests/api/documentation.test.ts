import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let ownWorld: World;
let directory: string;
beforeAll(async () => {
  world = await createWorld();
  directory = await mkdtemp(join(tmpdir(), 'candela-docs-'));
  const file = join(directory, 'brands.json');
  await writeFile(
    file,
    JSON.stringify([{ id: 'fjord', name: 'Fjord', docs: 'https://docs.fjord.example/apps' }]),
  );
  ownWorld = await createWorld({ env: { BRANDS_FILE: file } });
});
afterAll(async () => {
  await world?.close();
  await ownWorld?.close();
  await rm(directory, { recursive: true, force: true });
});

test('the documentation is read without a session, in a frame of the reader’s language', async () => {
  const answer = await world
    .browser()
    .get('/developers/docs/errors', { headers: { 'accept-language': 'ru' } });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.body).toContain('<html lang="ru"');
  expect(answer.body).toContain('<title>What an error means - Aurelia</title>');
  expect(answer.body).toMatch(
    /<article class="guide" id="document" lang="en">\s*<h1>What an error means<\/h1>/,
  );
  expect(answer.body).toContain('Для разработчиков');
  expect((await world.browser().get('/developers/docs')).body).toContain('<h1>Integrating an app</h1>');
});

test.each(['nothing', 'README', 'errors.md', '..%2Ferrors', '__proto__', 'constructor', '%00', 'ERRORS'])(
  'there is no page %s',
  async (name) => {
    const answer = await world
      .browser()
      .get(`/developers/docs/${name}`, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('id="document"');
  },
);

test('a brand with documentation of its own leads there, and discovery names it', async () => {
  for (const path of ['/developers/docs', '/developers/docs/errors']) {
    const { status, headers } = await ownWorld.browser().get(path);
    expect([status, headers.location]).toEqual([303, 'https://docs.fjord.example/apps']);
  }
  const metadata = (await ownWorld.browser().get('/.well-known/openid-configuration')).json();
  expect(metadata.service_documentation).toBe('https://docs.fjord.example/apps');
});
