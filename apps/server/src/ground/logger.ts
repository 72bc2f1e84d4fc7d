import { type Logger, pino } from 'pino';
import { createOutput, type Output } from './output.ts';
import { currentTracer } from './trace/trace.ts';

export type { Logger };

const ERROR = 50;

/** Standard error: the log, and the reason why a start failed. */
export const standardError: Output = createOutput(process.stderr, {
  describe: (count) =>
    JSON.stringify({ level: ERROR, time: new Date().toISOString(), count, msg: 'log lines were dropped' }),
});
/** Names of secrets and of what identifies people, as bodies, headers, the protocol and tables spell them. */
const secretNames = new Set([
  ...['code', 'usercode', 'devicecode', 'authorizationcode', 'verifier', 'codeverifier'],
  ...['idtokenhint', 'clientassertion', 'requesturi', 'loginhint'],
  ...['authorization', 'cookie', 'setcookie', 'dpop', 'headers', 'parameters', 'body', 'payload'],
  ...['identifier', 'phone', 'email', 'nickname', 'to'],
]);
/** `access_token`, `newPassword`, `Client-Secret`. */
const secretEnd = /(?:password|secret|token|ticket)$/;

const isSecret = (name: string): boolean => {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  return secretNames.has(plain) || secretEnd.test(plain);
};

const parameter = /([?&#])([^=&?#\s]+)=([^&#\s]*)/g;

/** Removes the secrets of URLs from a text. */
const withoutParameters = (text: string): string =>
  text.includes('=')
    ? text.replaceAll(parameter, (whole, before: string, name: string) =>
        isSecret(name) ? `${before}${name}=[removed]` : whole,
      )
    : text;

/** SQLSTATE class 22: a value has the wrong form, and the message quotes it. */
const quotesValue = (code: unknown) => typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
/** Cuts a message at its first quote: the quoted value may hold quotes and line ends. Languages quote differently. */
const withoutValues = (text: string) => text.replace(/["«»„“”'‘’].*$/s, '"[removed]"');

/** Removes what people typed from an error of the database, which carries the statement's parameters. */
const describeError = ({ name, message, stack, code }: Error & { code?: unknown }) => {
  if (!quotesValue(code)) {
    return {
      name,
      message: withoutParameters(message),
      stack: stack && withoutParameters(stack),
      reason: code,
    };
  }
  const redacted = withoutValues(message);
  // A stack is the message, followed by the places.
  const places = stack?.includes(message)
    ? stack.replace(message, () => redacted)
    : stack && withoutValues(stack);
  return { name, message: redacted, stack: places, reason: code };
};

const DEPTH = 5;

/** Redacts in a few microseconds a line; pino's own redaction takes 380 for so many names at any depth. */
const redact = (value: unknown, depth = DEPTH): unknown => {
  if (typeof value === 'string') return withoutParameters(value);
  if (value instanceof Error) return describeError(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth < 0) return '[removed]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth - 1));
  return redactFields(value, depth);
};

const redactFields = (fields: object, depth = DEPTH): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => [
      name,
      isSecret(name) ? '[removed]' : redact(inner, depth - 1),
    ]),
  );

/** Describes an error before pino makes a message of it. */
const describeThrown = (fields: unknown): unknown => {
  if (fields instanceof Error) return { err: describeError(fields) };
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return fields;
  const { err } = fields;
  if (err === undefined) return fields;
  return { ...fields, err: err instanceof Error ? describeError(err) : { message: String(err) } };
};

/** A log of JSON lines on standard error. Values that may be secrets are removed at any depth. */
export const createLogger = (level: string): Logger => {
  const logger = pino(
    {
      level,
      base: null,
      // Pino's own serializer takes a described error for something else.
      serializers: { err: (described: unknown) => described },
      timestamp: pino.stdTimeFunctions.isoTime,
      // With its trace, a line leads to the spans of its request.
      mixin: () => {
        const traceId = currentTracer()?.traceId();
        return traceId ? { traceId } : {};
      },
      formatters: { log: (fields) => redactFields(fields) },
      hooks: {
        logMethod([fields, ...rest], method) {
          method.apply(this, [describeThrown(fields) as object, ...rest] as Parameters<typeof method>);
        },
      },
    },
    standardError,
  );
  const { child, setBindings } = logger;
  // Pino formats the bindings of the first logger only; its children inherit the formatted ones.
  return Object.assign(logger, {
    child(this: Logger, bindings: object, ...rest: []) {
      return child.call(this, redactFields(bindings), ...rest);
    },
    setBindings(this: Logger, bindings: object) {
      setBindings.call(this, redactFields(bindings));
    },
  }) as Logger;
};
