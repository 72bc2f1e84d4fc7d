import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import { stateOf } from '../../http/request-state.ts';
import { setReferencePolicy } from '../../http/security-headers.ts';
import { type ReferenceFiles, referenceScript, renderReference } from './reference-page.ts';

interface ServedFile {
  path: string;
  type: string;
  bytes: Buffer;
}

/** A file under a path derived from its content, so that every process serves the same. */
const toFile = async (type: 'css' | 'js', content: Buffer): Promise<ServedFile> => ({
  path: `/reference/${createHash('sha256').update(content).digest('base64url').slice(0, 22)}.${type}`,
  type,
  bytes: await promisify(gzip)(content),
});

const loadFiles = async (): Promise<Record<keyof ReferenceFiles, ServedFile>> => {
  const [style, library, start] = await Promise.all([
    readFile(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))),
    readFile(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
    Buffer.from(referenceScript),
  ]);
  return {
    style: await toFile('css', style),
    library: await toFile('js', library),
    start: await toFile('js', start),
  };
};

/** The page that shows `/openapi.json`, and its files, which are read when they are first asked for. */
export const createReferenceRoutes = (): Router => {
  const router = createRouter();
  let loaded: ReturnType<typeof loadFiles> | undefined;
  const files = () => {
    loaded ??= loadFiles().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };

  router.get('/reference', async (ctx: Context) => {
    const { style, library, start } = await files();
    const { brand, locale, nonce } = stateOf(ctx);
    setReferencePolicy(ctx);
    ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
    ctx.type = 'html';
    ctx.body = renderReference({
      brand,
      locale,
      nonce,
      files: { style: style.path, library: library.path, start: start.path },
    });
  });

  router.get('/reference/:name', async (ctx: Context) => {
    const file = Object.values(await files()).find(({ path }) => path === ctx.path);
    if (!file) throw new AppError('not_found');
    ctx.type = file.type;
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    // No browser that runs the page is without gzip.
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = file.bytes;
  });

  return router;
};
