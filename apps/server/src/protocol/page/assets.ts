import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { Middleware } from 'koa';
import { AppError } from '../../ground/errors.ts';

/** The path of the SPA's files, on this server and on a static host. */
export const ASSET_PATH = '/prod/user/';

interface Asset {
  type: string;
  plain: Buffer;
  gzip: Buffer | undefined;
}

const COMPRESSIBLE = new Set(['.js', '.css', '.svg', '.json', '.webmanifest']);

const toAsset = (type: string, plain: Buffer): Asset => ({
  type,
  plain,
  gzip: COMPRESSIBLE.has(type) ? gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }) : undefined,
});

const loadAssets = (webDist: string): Map<string, Asset> => {
  const files = readdirSync(webDist, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const assets = new Map<string, Asset>();
  for (const file of files) {
    const path = join(file.parentPath, file.name).slice(join(webDist, '/').length);
    const extension = extname(path);
    if (path === 'index.html' || path.startsWith('.') || extension === '.map') continue;
    assets.set(path.replaceAll('\\', '/'), toAsset(extension, readFileSync(join(webDist, path))));
  }
  return assets;
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
    assets.set(name, toAsset('.json', Buffer.from(json)));
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
    const compressed = asset.gzip !== undefined && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (compressed) ctx.set('Content-Encoding', 'gzip');
    ctx.body = compressed ? asset.gzip : asset.plain;
  };
  return { middleware, publish };
};
