import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createOther,
  createPhoto,
  createTransparent,
  readPicture,
  readPixel,
} from '@candela/server/testing/pictures';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { start } from '../oidc/authorization.ts';
import { startHttpsServer } from '../support/https-server.ts';
import { createWorld, type World } from '../support/world.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

let world: World;
let host: string;
let closeServer: () => Promise<void>;
let now = new Date();

/** The responses of the app’s web server by path, and the requests that it got. */
const answers = new Map<string, (answer: ServerResponse) => void>();
let asked: IncomingMessage[] = [];

beforeAll(async () => {
  ({ host, close: closeServer } = await startHttpsServer((request, answer) => {
    asked.push(request);
    const give = answers.get(request.url ?? '');
    if (give) give(answer);
    else answer.writeHead(404).end();
  }));
  world = await createWorld({ env: { LOGO_HOSTS: host }, now: () => now });
});
beforeEach(() => {
  asked = [];
  answers.clear();
});
afterAll(async () => {
  await world?.close();
  await closeServer?.();
});

const give = (path: string, body: Buffer) => answers.set(path, (answer) => answer.end(body));

const registerApp = async (path: string) => {
  const metadata = { logo_uri: path.startsWith('/') ? `https://${host}${path}` : path };
  const app = await world.registerApp(metadata);
  return { ...app, rename: (logo_uri: string | undefined) => reregister(app, logo_uri) };
};
const reregister = (app: Awaited<ReturnType<World['registerApp']>>, logo_uri: string | undefined) =>
  world.registerClients([
    {
      client_id: app.clientId,
      client_secret: app.clientSecret,
      redirect_uris: [app.redirectUri],
      ...(logo_uri && { logo_uri }),
    },
  ]);

/** The logo on the consent page of the app. */
const logoOf = async (app: Awaited<ReturnType<World['registerApp']>>): Promise<string | undefined> => {
  const { agent } = await world.signUp();
  const { uid } = await start(world, { agent, app });
  const { client } = await world.details(agent, uid);
  expect(client.id).toBe(app.clientId);
  return client.logo;
};

describe('the logo of an app', () => {
  test('is shown once fetched, from our origin and encoded anew', async () => {
    const original = await createTransparent(600, 300);
    give('/logo.png', original);
    const app = await registerApp('/logo.png');
    expect(await logoOf(app)).toBeUndefined();
    expect(asked).toEqual([]);
    await world.fetchLogos();
    expect(asked.map(({ url }) => url)).toEqual(['/logo.png']);
    expect(asked[0]?.headers).not.toHaveProperty('cookie');

    const path = (await logoOf(app)) ?? '';
    expect(path).toMatch(/^\/api\/logos\/[\w-]{22}$/);
    const answer = await fetch(`${world.origin}${path}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(original)).toBe(false);
    expect(await readPicture(bytes)).toMatchObject({ format: 'png', width: 256, height: 128 });
    expect((await readPixel(bytes, 9, 9))[3]).toBe(0);

    const { agent } = await world.signUp();
    await world.link(agent, app.rp);
    const [authorization] = (await agent.get('/api/authorizations')).json().items;
    expect(authorization.client.logo).toBe(path);
  });

  test('is fetched again a day later under the same name, and kept while fetching fails', async () => {
    give('/daily', await createPhoto());
    const app = await registerApp('/daily');
    await world.fetchLogos();
    const path = await logoOf(app);
    now = new Date(now.getTime() + 23 * HOUR_MS);
    asked = [];
    await world.fetchLogos();
    expect(asked).toEqual([]);
    now = new Date(now.getTime() + 2 * HOUR_MS);
    await world.fetchLogos();
    expect(asked.some(({ url }) => url === '/daily')).toBe(true);
    expect(await logoOf(app)).toBe(path);

    answers.clear();
    now = new Date(now.getTime() + 25 * HOUR_MS);
    await world.fetchLogos();
    expect(await logoOf(app)).toBe(path);
  });

  test('is tried again after a failure, less and less often', async () => {
    const app = await registerApp('/late');
    const tries = async (minutes: number) => {
      now = new Date(now.getTime() + minutes * 60_000);
      asked = [];
      await world.fetchLogos();
      return asked.filter(({ url }) => url === '/late').length;
    };
    expect(await tries(0)).toBe(1);
    expect(await tries(0.5)).toBe(0);
    expect(await tries(1)).toBe(1);
    expect(await tries(2)).toBe(0);
    give('/late', await createPhoto());
    expect(await tries(3)).toBe(1);
    expect(await logoOf(app)).toBeDefined();
  });

  test('follows logo_uri: another address is fetched, and without an address the logo is removed', async () => {
    give('/one', await createPhoto());
    give('/two', await createPhoto({ left: '#00c832' }));
    const app = await registerApp('/one');
    await world.fetchLogos();
    const first = (await logoOf(app)) ?? '';
    await app.rename(`https://${host}/two`);
    expect(await logoOf(app)).toBeUndefined();
    await world.fetchLogos();
    const second = (await logoOf(app)) ?? '';
    expect(second).not.toBe(first);
    expect((await fetch(`${world.origin}${first}`)).status).toBe(404);
    await app.rename(undefined);
    expect(await logoOf(app)).toBeUndefined();
    await world.fetchLogos();
    expect((await fetch(`${world.origin}${second}`)).status).toBe(404);
  });

  test('is fetched by one process, though several fetch many logos at once', async () => {
    const photo = await createPhoto();
    const paths = Array.from({ length: 5 }, (_, index) => `/many-${index}`);
    for (const path of paths) {
      give(path, photo);
      await registerApp(path);
    }
    await Promise.all([1, 2, 3].map(() => world.fetchLogos()));
    expect(
      asked
        .map(({ url }) => url)
        .filter((url) => paths.includes(url ?? ''))
        .sort(),
    ).toEqual(paths);
  });
});

describe('a logo that is not shown', () => {
  test.each([
    ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a WebP', () => createOther('webp')],
    ['a page', async () => Buffer.from('<!DOCTYPE html><script>alert(1)</script>')],
    ['half a picture', async () => (await createPhoto()).subarray(0, 900)],
    ['more than 1 MiB', async () => Buffer.concat([await createPhoto(), Buffer.alloc(MIB)])],
  ])('%s', async (_name, create) => {
    give('/bad', await create());
    const app = await registerApp('/bad');
    await world.fetchLogos();
    expect(asked.some(({ url }) => url === '/bad')).toBe(true);
    expect(await logoOf(app)).toBeUndefined();
  });

  test('a logo behind a redirect, which is not followed', async () => {
    give('/target', await createPhoto());
    answers.set('/moved', (answer) => answer.writeHead(302, { location: '/target' }).end());
    const app = await registerApp('/moved');
    await world.fetchLogos();
    expect(asked.map(({ url }) => url)).toContain('/moved');
    expect(asked.map(({ url }) => url)).not.toContain('/target');
    expect(await logoOf(app)).toBeUndefined();
  });

  test.each([
    'http://app.example/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AA==',
    '//app.example/a',
    'https://a:b@app.example/',
  ])('SE10: %s is refused at registration', async (logo_uri) => {
    await expect(world.registerApp({ logo_uri })).rejects.toThrow('must be an https URL');
  });
});
