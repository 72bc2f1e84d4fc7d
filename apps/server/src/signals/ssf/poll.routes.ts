import type Router from '@koa/router';
import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';
import { createRouter } from '../../ground/router.ts';
import type { SignalPollService } from '../../link/signal-delivery/signal-poll.service.ts';
import { POLL } from '../../link/stream/stream.ts';
import { type Receivers, readBodyOf } from './receiver.ts';
import { ssfPaths } from './ssf-paths.ts';

export interface PollRoutesOptions {
  signalPolls: SignalPollService;
  receivers: Receivers;
}

/** RFC 8936 section 2.4. */
const PollBody = z.object({
  maxEvents: z.optional(z.int().check(z.minimum(0))),
  returnImmediately: z.optional(z.boolean()),
  ack: z.optional(z.array(z.string())),
  setErrs: z.optional(
    z.record(z.string(), z.object({ err: z.string(), description: z.optional(z.string()) })),
  ),
});

/** Where receivers fetch their signals (RFC 8936). */
export const createPollRoutes = ({ signalPolls, receivers }: PollRoutesOptions): Router => {
  const router = createRouter();
  router.post(ssfPaths.poll, async (ctx) => {
    const owner = await receivers.reader(ctx);
    const stream = await receivers.requireStream(owner, ctx.params.id);
    if (stream.delivery_method !== POLL) throw new AppError('not_found');
    ctx.body = await signalPolls.poll(stream, await readBodyOf(ctx, PollBody));
  });
  return router;
};
