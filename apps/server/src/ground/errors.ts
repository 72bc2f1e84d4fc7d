import type { ErrorCode } from '@candela/contract';

export interface AppErrorOptions {
  /** Field of the request body to the code that says what is wrong with it. */
  fields?: Record<string, ErrorCode>;
  /** Handed back so that a right code is not lost with the refusal. */
  ticket?: string;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The one error that services throw for what a caller can cause; `http/` turns it into the contract's body. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Omit<AppErrorOptions, 'cause'>;

  constructor(code: ErrorCode, { cause, ...details }: AppErrorOptions = {}) {
    super(code, { cause });
    this.code = code;
    this.details = details;
  }
}
