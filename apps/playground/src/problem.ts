import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/** A refusal, in the words of the authorization server. */
export interface Problem {
  /** The attempt that failed. */
  title: string;
  status?: number | undefined;
  /** The error code of RFC 6749 or RFC 6750. */
  error?: string | undefined;
  description?: string | undefined;
}

/**
 * Explains an error of openid-client in plain words.
 * @throws the error itself if it does not come from the authorization server
 */
export function toProblem(title: string, error: unknown): Problem {
  if (error instanceof AuthorizationResponseError) {
    return { title, error: error.error, description: error.error_description };
  }
  if (error instanceof ResponseBodyError) {
    return { title, status: error.status, error: error.error, description: error.error_description };
  }
  if (error instanceof WWWAuthenticateChallengeError) {
    const parameters = error.cause[0]?.parameters;
    return {
      title,
      status: error.status,
      error: parameters?.error,
      description: parameters?.error_description,
    };
  }
  if (error instanceof ClientError) {
    const status = error.cause instanceof Response ? error.cause.status : undefined;
    const detail = error.cause instanceof Error ? error.cause.message : undefined;
    const description = [error.message, detail].filter((text) => text !== undefined);
    return { title, status, description: [...new Set(description)].join(': ') };
  }
  // fetch rejects so when the connection is refused or breaks.
  if (error instanceof TypeError && error.cause instanceof Error) {
    return { title, description: `The authorization server cannot be reached (${error.cause.message})` };
  }
  throw error;
}
