import type Router from '@koa/router';
import * as z from 'zod/mini';
import { createRouter } from '../../ground/router.ts';
import { stateOf } from '../../http/request-state.ts';
import type { StreamService } from '../../link/stream/stream.service.ts';
import type { Stream } from '../../link/stream/stream.ts';
import { type Receivers, readBodyOf } from './receiver.ts';
import { ssfPaths, transmitterMetadata } from './ssf-paths.ts';
import {
  changeOf,
  configurationOf,
  draftOf,
  NamedStreamBody,
  requireSupplied,
  StreamBody,
} from './stream-configuration.ts';

export interface StreamRoutesOptions {
  streams: StreamService;
  receivers: Receivers;
}

const StatusBody = z.object({
  stream_id: z.string(),
  status: z.enum(['enabled', 'paused', 'disabled']),
  reason: z.optional(z.string()),
});

const statusOf = ({ id, status, status_reason: reason }: Stream) => ({
  stream_id: id,
  status,
  ...(reason !== null && { reason }),
});

/** The transmitter's metadata, and the streams of receivers (Shared Signals Framework 1.0 sections 7 and 8.1.1 to 8.1.2). */
export const createStreamRoutes = (options: StreamRoutesOptions): Router => {
  const router = createRouter();
  router.get('/.well-known/ssf-configuration', (ctx) => {
    ctx.body = transmitterMetadata(stateOf(ctx).brand.origin);
  });
  mountConfiguration(router, options);
  mountStatus(router, options);
  return router;
};

const mountConfiguration = (router: Router, { streams, receivers }: StreamRoutesOptions) => {
  const { reader, manager, requireStream } = receivers;

  router.get(ssfPaths.configuration, async (ctx) => {
    const owner = await reader(ctx);
    const { origin } = stateOf(ctx).brand;
    if (ctx.query.stream_id !== undefined) {
      ctx.body = configurationOf(await requireStream(owner, ctx.query.stream_id), origin);
      return;
    }
    const stream = await streams.findOfOwner(owner);
    ctx.body = stream ? [configurationOf(stream, origin)] : [];
  });

  router.post(ssfPaths.configuration, async (ctx) => {
    const owner = await manager(ctx);
    const draft = draftOf(await readBodyOf(ctx, StreamBody));
    ctx.body = configurationOf(await streams.create(owner, draft), stateOf(ctx).brand.origin);
    ctx.status = 201;
  });

  router.patch(ssfPaths.configuration, async (ctx) => {
    const owner = await manager(ctx);
    const body = await readBodyOf(ctx, NamedStreamBody);
    const stream = await requireStream(owner, body.stream_id);
    const { origin } = stateOf(ctx).brand;
    requireSupplied(body, stream, origin);
    ctx.body = configurationOf(await streams.change(stream.id, changeOf(body)), origin);
  });

  router.put(ssfPaths.configuration, async (ctx) => {
    const owner = await manager(ctx);
    const body = await readBodyOf(ctx, NamedStreamBody);
    const stream = await requireStream(owner, body.stream_id);
    const { origin } = stateOf(ctx).brand;
    requireSupplied(body, stream, origin);
    ctx.body = configurationOf(await streams.replace(stream.id, draftOf(body)), origin);
  });

  router.delete(ssfPaths.configuration, async (ctx) => {
    const owner = await manager(ctx);
    await streams.remove((await requireStream(owner, ctx.query.stream_id)).id);
    ctx.status = 204;
  });
};

const mountStatus = (router: Router, { streams, receivers }: StreamRoutesOptions) => {
  router.get(ssfPaths.status, async (ctx) => {
    const owner = await receivers.reader(ctx);
    ctx.body = statusOf(await receivers.requireStream(owner, ctx.query.stream_id));
  });

  router.post(ssfPaths.status, async (ctx) => {
    const owner = await receivers.manager(ctx);
    const { stream_id, status, reason } = await readBodyOf(ctx, StatusBody);
    const stream = await receivers.requireStream(owner, stream_id);
    ctx.body = statusOf(await streams.setStatus(stream.id, { status, reason, by: 'receiver' }));
  });
};
