import type Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import type { Picture } from './picture.ts';
import { avatarPath, logoPath } from './picture-path.ts';

export interface PictureRoutesOptions {
  findAvatar(name: string): Promise<Picture | undefined>;
  findLogo(name: string): Promise<Picture | undefined>;
}

const NAME = /^[\w-]{22}$/;

/**
 * Serves a picture, which never changes under its name. Caches keep a removed picture for a day at most. Apps show the
 * `picture` claim on their pages, so other origins may embed it. Opened by itself it is sandboxed, whatever type a
 * browser takes it for.
 */
const serve = (ctx: Context, name: string, { type, bytes }: Picture) => {
  ctx.set({
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=31536000, s-maxage=86400, immutable',
    ETag: `"${name}"`,
  });
  ctx.type = type;
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};

/** Serves pictures to everybody who knows their names, without a session. */
export const createPictureRoutes = ({ findAvatar, findLogo }: PictureRoutesOptions): Router => {
  const router = createRouter();
  const route = (path: string, find: (name: string) => Promise<Picture | undefined>) =>
    router.get(path, async (ctx) => {
      const { name = '' } = ctx.params;
      const picture = NAME.test(name) ? await find(name) : undefined;
      if (!picture) throw new AppError('not_found');
      serve(ctx, name, picture);
    });

  route(avatarPath(':name'), findAvatar);
  route(logoPath(':name'), findLogo);
  return router;
};
