import { expect, test, vi } from 'vitest';
import { startTracing } from './otlp-tracer.ts';

const start = (sampler = 'parentbased_always_on') => {
  const warn = vi.fn();
  const tracing = startTracing({
    endpoint: 'http://127.0.0.1:1/',
    sampler,
    ratio: 0,
    version: '1.2.3',
    logger: { warn },
    pace: { gatherMs: 10, exportMs: 50 },
  });
  return { ...tracing, warn };
};
const PARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

test('a collector that is down keeps no work waiting, and is logged once', async () => {
  const { tracer, close, warn } = start();
  const work = () => tracer.inSpan({ name: 'work', kind: 'internal' }, async () => 'done');
  expect(await work()).toBe('done');
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), 5_000);
  await expect(
    tracer.inSpan({ name: 'x', kind: 'client' }, () => Promise.reject(new Error('lost'))),
  ).rejects.toThrow('lost');
  await work();
  await close();
  expect(warn).toHaveBeenCalledOnce();
});

test('a trace is taken from the caller and handed on, and what is no traceparent begins a new one', async () => {
  const { tracer, close } = start('parentbased_traceidratio');
  const within = (parent: string) =>
    tracer.inSpan({ name: 'request', kind: 'server', parent }, async () => ({
      traceId: tracer.traceId(),
      header: tracer.traceparent(),
    }));
  const taken = await within(PARENT);
  expect(taken.traceId).toBe('a'.repeat(32));
  expect(taken.header).toMatch(/^00-a{32}-(?!b{16})[0-9a-f]{16}-01$/);
  // No parent decides, and the ratio takes none.
  for (const wrong of ['', 'x', PARENT.replace('00-', 'ff-'), `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`])
    expect((await within(wrong)).header).toMatch(/^00-(?!a{32})[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  expect(tracer.traceparent()).toBeUndefined();
  await close();
});
