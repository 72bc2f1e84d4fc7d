import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { basename, extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserWorld, createBrowserWorld } from '../support/browser-world.ts';
import { freePort, webDist } from '../support/world.ts';

const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' };

/** A static host that serves the uploaded files. */
const startStaticHost = async (served: string[]): Promise<{ server: Server; origin: string }> => {
  const port = await freePort();
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://host').pathname;
    const file = await readFile(join(webDist, basename(path))).catch(() => undefined);
    if (!file || !path.startsWith('/prod/user/')) return response.writeHead(404).end();
    served.push(basename(path));
    response.writeHead(200, {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
      'access-control-allow-origin': '*',
    });
    return response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, origin: `http://localhost:${port}` };
};

describe('with ASSET_URL', () => {
  const served: string[] = [];
  let host: Awaited<ReturnType<typeof startStaticHost>>;
  let world: BrowserWorld;
  beforeAll(async () => {
    host = await startStaticHost(served);
    world = await createBrowserWorld({ env: { ASSET_URL: host.origin } });
  });
  afterAll(async () => {
    await world.close();
    host.server.close();
  });

  test('every chunk comes from the static host, under a policy that lets in nothing else', async () => {
    const page = await world.openPage();
    const own: string[] = [];
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === world.origin && pathname.startsWith('/prod/user/')) own.push(pathname);
    });
    const answer = await page.goto(`${world.origin}/login`);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    for (const directive of ['script-src', 'style-src', 'img-src', 'font-src']) {
      expect(policy).toMatch(new RegExp(`${directive} [^;]*${host.origin}`));
    }
    expect(policy).toMatch(/connect-src 'self';/);
    await page.locator('#identifier').waitFor();
    // The chunks of a page, of a language and of a dialog.
    await page.getByRole('button', { name: 'Русский' }).click();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('ru');
    await page.locator('#identifier').click();
    await expect.poll(() => served.some((name) => name.startsWith('min-'))).toBe(true);
    expect(served).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^index-.*\.js$/),
        expect.stringMatching(/^login-page-.*\.js$/),
        expect.stringMatching(/^login-page-.*\.css$/),
        expect.stringMatching(/^ru-.*\.js$/),
      ]),
    );
    const background = await page
      .locator('form button[type=submit]')
      .evaluate((button) => getComputedStyle(button).getPropertyValue('border-radius'));
    expect(background).not.toBe('0px');
    expect(own).toEqual([]);
    expect(world.takeFaults()).toEqual([]);
    await page.context().close();
  });
});
