import { type Logger, pino } from 'pino';
import { createOutput, type Output } from './output.ts';

export type { Logger };

const ERROR = 50;

/** Where the log goes, and what ends a start. */
export const standardError: Output = createOutput(process.stderr, {
  describe: (count) =>
    JSON.stringify({ level: ERROR, time: new Date().toISOString(), count, msg: 'log lines were dropped' }),
});
/** What is a secret or names a person, by whatever name it goes in bodies, headers, protocol and tables. */
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

/** The text without what a URL in it carries as a secret. */
const withoutParameters = (text: string): string =>
  text.includes('=')
    ? text.replaceAll(parameter, (whole, before: string, name: string) =>
        isSecret(name) ? `${before}${name}=[removed]` : whole,
      )
    : text;

/** SQLSTATE class 22: a value that cannot be what it should be, and the message quotes it. */
const quotesValue = (code: unknown) => typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
/** The value may hold quotes and line ends itself, so nothing behind the first is kept; languages quote differently. */
const withoutValues = (text: string) => text.replace(/["«»„“”'‘’].*$/s, '"[removed]"');

/** A database's errors carry the statement's parameters, and those are what people typed. */
const describeError = ({ name, message, stack, code }: Error & { code?: unknown }) => {
  if (!quotesValue(code)) {
    return {
      name,
      message: withoutParameters(message),
      stack: stack && withoutParameters(stack),
      reason: code,
    };
  }
  const told = withoutValues(message);
  // The stack begins with the message, and the places come behind it.
  const places = stack?.includes(message)
    ? stack.replace(message, () => told)
    : stack && withoutValues(stack);
  return { name, message: told, stack: places, reason: code };
};

const DEPTH = 5;

/** Pino's own redaction takes 380 us a line for so many names at any depth; this takes a few. */
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

/** What was thrown is described here, before pino makes a message of it. */
const describeThrown = (fields: unknown): unknown => {
  if (fields instanceof Error) return { err: describeError(fields) };
  if (typeof fields !== 'object' || fields === null || !('err' in fields)) return fields;
  const { err } = fields;
  if (err === undefined) return fields;
  return { ...fields, err: err instanceof Error ? describeError(err) : { message: String(err) } };
};

/** Structured lines on standard error; values that could be secrets are removed wherever they stand. */
export const createLogger = (level: string): Logger => {
  const logger = pino(
    {
      level,
      base: null,
      // Pino's own would take what is described already for something else.
      serializers: { err: (described: unknown) => described },
      timestamp: pino.stdTimeFunctions.isoTime,
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
  // Pino formats the bindings of the first logger only; those that are made of it inherit these.
  return Object.assign(logger, {
    child(this: Logger, bindings: object, ...rest: []) {
      return child.call(this, redactFields(bindings), ...rest);
    },
    setBindings(this: Logger, bindings: object) {
      setBindings.call(this, redactFields(bindings));
    },
  }) as Logger;
};
