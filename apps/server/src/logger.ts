import { type Logger, pino } from 'pino';
import { createOutput, type Output } from './output.ts';

export type { Logger };

const ERROR = 50;

/** Where the log goes, and what ends a start. */
export const standardError: Output = createOutput(process.stderr, {
  describe: (count) =>
    JSON.stringify({ level: ERROR, time: new Date().toISOString(), count, msg: 'log lines were dropped' }),
});
/** SQLSTATE class 22: a value that cannot be what it should be, and the message quotes it. */
const quotesValue = (code: unknown) => typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
const withoutValues = (text: string | undefined) => text?.replaceAll(/"[^"]*"/g, '"[removed]"');

/** A database's errors carry the statement's parameters, and those are what people typed. */
const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  const { code } = error as { code?: unknown };
  const tell = quotesValue(code) ? withoutValues : (text: string | undefined) => text;
  return { name, message: tell(message), stack: tell(stack), reason: code };
};

/** What is a secret or names a person, by whatever name it goes in bodies, headers, protocol and tables. */
const secretNames = new Set([
  ...['password', 'code', 'ticket', 'token', 'secret', 'verifier'],
  ...['access_token', 'refresh_token', 'id_token', 'id_token_hint', 'logout_token', 'client_secret'],
  ...['client_assertion', 'code_verifier', 'device_code', 'user_code', 'request_uri', 'login_hint'],
  ...['authorization', 'cookie', 'set-cookie', 'dpop', 'headers', 'parameters', 'body', 'payload'],
  ...['identifier', 'phone', 'email', 'nickname', 'to'],
]);
const DEPTH = 5;

/** Pino's own redaction takes 380 us a line for so many names at any depth; this takes a few. */
const redact = (value: unknown, depth = DEPTH): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date)
    return value;
  if (depth < 0) return '[removed]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretNames.has(name.toLowerCase()) ? '[removed]' : redact(inner, depth - 1),
    ]),
  );
};

/** Structured lines on standard error; values that could be secrets are removed wherever they stand. */
export const createLogger = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: (fields) => redact(fields) as Record<string, unknown> },
    },
    standardError,
  );
