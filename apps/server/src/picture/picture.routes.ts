import Router from '@koa/router';
import type { Context } from 'koa';
import { AppError } from '../errors.ts';
import type { Picture } from './picture.ts';
import { avatarPath, logoPath } from './picture-path.ts';

export interface PictureRoutesOptions {
  findAvatar(name: string): Promise<Picture | undefined>;
  findLogo(name: string): Promise<Picture | undefined>;
}

const NAME = /^[\w-]{22}$/;

/**
 * Serves a picture that never changes under its name; caches between keep a removed one for a day at most. Apps show the `picture` claim on pages of their own,
 * so other origins may embed it; opened by itself it can do nothing, whatever a browser takes it for.
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

/** Pictures for everybody who knows their names; no session is asked for. */
export const createPictureRoutes = ({ findAvatar, findLogo }: PictureRoutesOptions): Router => {
  const router = new Router();
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
