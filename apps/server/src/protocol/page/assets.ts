import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Middleware } from 'koa';
import { AppError } from '../../ground/errors.ts';

/** The path of the SPA's files, on this server and on a static host. */
export const ASSET_PATH = '/prod/user/';

interface Asset {
  type: string;
  content: Buffer;
  isCompressed: boolean;
}

const isServed = (path: string): boolean =>
  path !== 'index.html' && !path.startsWith('.') && !['.map', '.gz'].includes(extname(path));

/** The build wrote `<name>.gz` beside what compresses well; of that the compressed form alone is kept. */
const loadAssets = (webDist: string): Map<string, Asset> => {
  const files = readdirSync(webDist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name).slice(join(webDist, '/').length).replaceAll('\\', '/'),
    );
  const all = new Set(files);
  return new Map(
    files.filter(isServed).map((path): [string, Asset] => {
      const isCompressed = all.has(`${path}.gz`);
      const content = readFileSync(join(webDist, isCompressed ? `${path}.gz` : path));
      return [path, { type: extname(path), content, isCompressed }];
    }),
  );
};

export interface Assets {
  middleware: Middleware;
  /** Serves one more file, and answers its path, which is derived from its content. */
  publish(json: string): string;
}

/** Serves the SPA's files from memory. A missing file is 404, never a page. */
export const createAssets = (webDist: string): Assets => {
  const assets = loadAssets(webDist);
  const publish = (json: string) => {
    const name = `${createHash('sha256').update(json).digest('base64url').slice(0, 22)}.json`;
    assets.set(name, { type: '.json', content: gzipSync(json), isCompressed: true });
    return `${ASSET_PATH}${name}`;
  };
  const middleware: Middleware = (ctx, next) => {
    if (!ctx.path.startsWith(ASSET_PATH)) return next();
    const asset = assets.get(ctx.path.slice(ASSET_PATH.length));
    if (!asset || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) throw new AppError('not_found');
    ctx.type = asset.type;
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    // The files hold no personal data, and a static host that copies these headers serves them to other origins.
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    ctx.vary('Accept-Encoding');
    const { content, isCompressed } = asset;
    const takesGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isCompressed && takesGzip) ctx.set('Content-Encoding', 'gzip');
    // Every browser takes it: only a program is worth the work.
    ctx.body = isCompressed && !takesGzip ? gunzipSync(content) : content;
  };
  return { middleware, publish };
};
