import type Router from '@koa/router';
import * as z from 'zod/mini';
import { createRouter } from '../../ground/router.ts';
import { stateOf } from '../../http/request-state.ts';
import type { StreamService } from '../../link/stream/stream.service.ts';
import type { NamedSubject, StreamSubjects } from '../../link/stream/stream-subjects.ts';
import { type Receivers, readBodyOf } from './receiver.ts';
import { ssfPaths } from './ssf-paths.ts';

export interface SubjectRoutesOptions {
  streams: Pick<StreamService, 'verify'>;
  streamSubjects: StreamSubjects;
  receivers: Receivers;
}

/** A state stands in the token, and tokens have to fit where receivers keep them. */
const STATE_LENGTH = 1_000;

/** RFC 9493 sections 3.2.2, 3.2.3 and 3.2.5. `phone` is how the framework's examples spell the last one. */
const Subject = z.discriminatedUnion('format', [
  z.object({ format: z.literal('iss_sub'), iss: z.string(), sub: z.string() }),
  z.object({ format: z.literal('email'), email: z.string() }),
  z.object({ format: z.enum(['phone_number', 'phone']), phone_number: z.string() }),
]);

const SubjectBody = z.object({ stream_id: z.string(), subject: Subject });

const VerificationBody = z.object({
  stream_id: z.string(),
  state: z.optional(z.string().check(z.maxLength(STATE_LENGTH))),
});

const toNamed = (subject: z.infer<typeof Subject>): NamedSubject => {
  if (subject.format === 'iss_sub') return subject;
  return 'email' in subject
    ? { format: 'email', value: subject.email }
    : { format: 'phone_number', value: subject.phone_number };
};

/** Whom a stream is about, and whether it works (Shared Signals Framework 1.0 sections 8.1.3 and 8.1.4). */
export const createSubjectRoutes = ({ streams, streamSubjects, receivers }: SubjectRoutesOptions): Router => {
  const { manager, requireStream } = receivers;
  const router = createRouter();

  for (const [path, included] of [
    [ssfPaths.addSubject, true],
    [ssfPaths.removeSubject, false],
  ] as const)
    router.post(path, async (ctx) => {
      const owner = await manager(ctx);
      const { stream_id, subject } = await readBodyOf(ctx, SubjectBody);
      const stream = await requireStream(owner, stream_id);
      const issuer = stateOf(ctx).brand.origin;
      await streamSubjects.set(stream, toNamed(subject), { issuer, included });
      ctx.body = included ? '' : null;
      ctx.status = included ? 200 : 204;
    });

  router.post(ssfPaths.verification, async (ctx) => {
    const owner = await manager(ctx);
    const { stream_id, state } = await readBodyOf(ctx, VerificationBody);
    await streams.verify((await requireStream(owner, stream_id)).id, { by: 'receiver', state });
    ctx.status = 204;
  });
  return router;
};
