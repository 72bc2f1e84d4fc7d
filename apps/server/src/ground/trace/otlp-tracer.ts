import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Context,
  type Span as EngineSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SpanStart, Tracer } from './trace.ts';

/** The log, which itself asks for the trace of a line. */
interface Warn {
  warn(fields: object, text: string): void;
}

export interface TracingOptions {
  /** Base address of a collector that takes OTLP over HTTP. */
  endpoint: string;
  /** A name of the OpenTelemetry specification, such as `parentbased_traceidratio`. */
  sampler: string;
  /** The share of traces that a ratio takes. */
  ratio: number;
  version: string;
  logger: Warn;
  /** For how long spans are gathered, and for how long an export may take. */
  pace?: { gatherMs: number; exportMs: number };
}

export interface Tracing {
  tracer: Tracer;
  /** Sends what is left, for two seconds at most. */
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;
/** Further spans wait for an export without an answer, and are dropped beyond 2048. */
const PACE = { gatherMs: 2_000, exportMs: 5_000 };
const PARENT_BASED = 'parentbased_';
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

const samplerOf = (name: string, ratio: number): Sampler => {
  if (name.startsWith(PARENT_BASED))
    return new ParentBasedSampler({ root: samplerOf(name.slice(PARENT_BASED.length), ratio) });
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
};

/** Logs the first failure of a row of failures. */
const loggingOnce = (exporter: SpanExporter, logger: Warn): SpanExporter => {
  let isDown = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && !isDown) logger.warn({ err: result.error }, 'traces are not taken');
        isDown = result.code !== 0;
        // The library would log each failure.
        done({ code: 0 });
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
};

/** W3C Trace Context section 3.2; other versions than 00 begin alike. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

const contextOf = (traceparent: string | undefined): Context | undefined => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
};

const run = async <T>(span: EngineSpan, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // A message may quote what somebody typed.
    if (error instanceof Error) span.setAttribute('error.type', error.name);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
};

/** Sends spans to a collector, in the background. A collector that is down costs the requests nothing. */
export const startTracing = (options: TracingOptions): Tracing => {
  const { endpoint, sampler, ratio, version, logger, pace = PACE } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: pace.exportMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'candela', 'service.version': version }),
    sampler: samplerOf(sampler, ratio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: loggingOnce(exporter, logger),
        scheduledDelayMillis: pace.gatherMs,
      }),
    ],
  });
  const spans = provider.getTracer('candela', version);
  const contexts = new AsyncLocalStorage<Context>();
  const current = () => trace.getSpanContext(contexts.getStore() ?? ROOT_CONTEXT);

  const begin = ({ name, kind, attributes, parent }: SpanStart) => {
    const above = contextOf(parent) ?? contexts.getStore() ?? ROOT_CONTEXT;
    const span = spans.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes }) }, above);
    return { span, context: trace.setSpan(above, span) };
  };

  return {
    tracer: {
      inSpan: (start, work) => {
        const { span, context } = begin(start);
        const handle = {
          rename: (name: string) => void span.updateName(name),
          note: (attributes: Record<string, string | number | boolean>) =>
            void span.setAttributes(attributes),
          fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
        };
        return contexts.run(context, () => run(span, () => work(handle)));
      },
      traceId: () => current()?.traceId,
      traceparent: () => {
        const found = current();
        if (!found) return undefined;
        return `00-${found.traceId}-${found.spanId}-${found.traceFlags & 1 ? '01' : '00'}`;
      },
    },
    close: async () => {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        wait(CLOSE_MS, undefined, { ref: false }),
      ]);
    },
  };
};
