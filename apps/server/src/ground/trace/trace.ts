/** What a span says. Never a secret, a token or what names a person: names of things, numbers, codes. */
export type Attributes = Record<string, string | number | boolean>;

export interface SpanStart {
  name: string;
  kind: 'server' | 'client' | 'internal';
  attributes?: Attributes;
  /** The header `traceparent` of the caller (W3C Trace Context), where the caller is trusted. */
  parent?: string | undefined;
}

interface Span {
  rename(name: string): void;
  note(attributes: Attributes): void;
  /** Marks the span as failed. */
  fail(): void;
}

export interface Tracer {
  /** Runs work in a span, which fails where the work does. Of an error the span has the name alone. */
  inSpan<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  /** Of the span in which this runs. */
  traceId(): string | undefined;
  /** The header that hands the trace on. */
  traceparent(): string | undefined;
}

/** The process has one tracer, or none. */
let tracer: Tracer | undefined;

export const setTracer = (next: Tracer | undefined): void => {
  tracer = next;
};

/** The tracer of the process; undefined where nothing is traced. */
export const currentTracer = (): Tracer | undefined => tracer;

/** Runs work in a span, where the process traces. */
export const traced = <T>(
  name: string,
  kind: SpanStart['kind'],
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> => (tracer ? tracer.inSpan({ name, kind, attributes }, work) : work());

/** The headers that hand the trace on; none where the process does not trace. */
export const traceHeaders = (): Record<string, string> => {
  const traceparent = tracer?.traceparent();
  return traceparent ? { traceparent } : {};
};
