import type { ErrorCode } from '@candela/contract';
import * as oauth from 'oauth4webapi';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { AppError } from '../../ground/errors.ts';

/** When a provider that is away is worth another try. */
const AWAY_SECONDS = 60;

/** Errors of an authorization response by which the provider is away (RFC 6749 section 4.1.2.1). */
const away: readonly string[] = ['server_error', 'temporarily_unavailable'];
/** Those by which our request is wrong: an operator has to look. */
const wrong: readonly string[] = [
  'invalid_request',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_response_type',
  'request_not_supported',
  'registration_not_supported',
];

/** What an `error` of an authorization response means; a provider of habits has words of its own for a refusal. */
const codeOfRefusal = (error: string): ErrorCode => {
  if (away.includes(error)) return 'provider_unavailable';
  return wrong.includes(error) ? 'provider_failed' : 'provider_refused';
};

/** Faults of an answer that was read, and proves nothing; any other is that of a provider which is away. */
const unproven: readonly unknown[] = [
  oauth.INVALID_RESPONSE,
  oauth.JWT_CLAIM_COMPARISON,
  oauth.JSON_ATTRIBUTE_COMPARISON,
  oauth.JWT_TIMESTAMP_CHECK,
  oauth.JWT_USERINFO_EXPECTED,
  oauth.KEY_SELECTION,
  oauth.UNSUPPORTED_OPERATION,
  oauth.MISSING_SERVER_METADATA,
  oauth.INVALID_SERVER_METADATA,
];

const codeOfFailure = (error: unknown): ErrorCode => {
  if (error instanceof AuthorizationResponseError) return codeOfRefusal(error.error);
  // RFC 6749 section 5.2: so a client is refused that authenticates by a header.
  if (error instanceof WWWAuthenticateChallengeError) return 'provider_failed';
  if (error instanceof ResponseBodyError)
    return error.status >= 500 || error.status === 429 ? 'provider_unavailable' : 'provider_failed';
  if (error instanceof ClientError || error instanceof oauth.OperationProcessingError)
    return unproven.includes(error.code) ? 'provider_failed' : 'provider_unavailable';
  if (error instanceof oauth.UnsupportedOperationError) return 'provider_failed';
  return 'provider_unavailable';
};

const refusalsIn = (error: unknown): readonly Pick<ResponseBodyError, 'error' | 'error_description'>[] => {
  if (error instanceof WWWAuthenticateChallengeError)
    return error.cause.map(({ parameters: { error: code = '', error_description } }) => ({
      error: code,
      ...(error_description && { error_description }),
    }));
  return error instanceof AuthorizationResponseError || error instanceof ResponseBodyError ? [error] : [];
};

/** The failure with the words of the provider, where it has said any: libraries keep them beside their message. */
const withItsWords = (failure: unknown): unknown => {
  const words = refusalsIn(failure).flatMap(({ error, error_description = '' }) => [
    error,
    error_description,
  ]);
  const said = words.filter(Boolean).join(' ');
  return said === '' ? failure : new Error(said, { cause: failure });
};

/** Does some work with a provider. @throws AppError provider_unavailable, provider_refused, provider_failed */
export const speaking = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = codeOfFailure(error);
    const isAway = code === 'provider_unavailable';
    throw new AppError(code, {
      cause: withItsWords(error),
      ...(isAway && { retryAfterSeconds: AWAY_SECONDS }),
    });
  }
};
