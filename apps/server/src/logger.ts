import { type Logger, pino } from 'pino';

export type { Logger };

/** Structured lines on standard error; values that could be secrets are removed wherever they stand. */
export const createLogger = (level: string): Logger =>
  pino(
    {
      level,
      base: null,
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
    pino.destination({ dest: 2, sync: true }),
  );
