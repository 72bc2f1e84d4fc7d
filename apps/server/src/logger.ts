import { type Logger, pino } from 'pino';
import { createOutput, type Output } from './output.ts';

export type { Logger };

const ERROR = 50;

/** Where the log goes, and what ends a start. */
export const standardError: Output = createOutput(process.stderr, {
  describe: (count) =>
    JSON.stringify({ level: ERROR, time: new Date().toISOString(), count, msg: 'log lines were dropped' }),
});

/** A database's errors carry the statement's parameters, and those are what people typed. */
const describeError = (error: unknown) => {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack, reason: (error as { code?: unknown }).code };
};

/** Structured lines on standard error; values that could be secrets are removed wherever they stand. */
export const createLogger = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'password',
          'code',
          'ticket',
          'token',
          'secret',
          '*.password',
          '*.code',
          '*.ticket',
          '*.token',
          '*.secret',
        ],
        censor: '[removed]',
      },
    },
    standardError,
  );
