import { ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';

/** A code that nobody was given. What a provider says to it tells whether it knows us. */
export const NO_CODE = 'candela-asks-whether-it-is-known';

/** RFC 6749 section 5.2. */
const unknownClient: readonly string[] = ['invalid_client', 'unauthorized_client'];

/** The deepest reason of an error, which is the one that helps. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error instanceof AppError ? error.code : error.message;
};

/** The status of the answer that an error is about. */
const statusOf = (error: unknown): number | undefined => {
  if (error instanceof ResponseBodyError || error instanceof Response) return error.status;
  return error instanceof Error ? statusOf(error.cause) : undefined;
};

/** Whether an answer tells nothing of the entry: the provider has trouble of its own, or had too many requests. */
const isAway = (status: number | undefined): status is number =>
  status !== undefined && (status >= 500 || status === 429);

const notAsked = (status: number): string[] => [
  `the token endpoint could not be asked: it answered ${status}`,
];

/** What the `error` by which a token endpoint refused `NO_CODE` says of the entry. */
const judgeRefusal = (error: string, words = ''): string[] =>
  unknownClient.includes(error)
    ? [
        `the token endpoint refuses client_id, or what proves it: ${[error, words].filter(Boolean).join(', ')}`,
      ]
    : [];

const Refusal = z.object({ error: z.string(), error_description: z.optional(z.string()) });

/** What the answer of a token endpoint to `NO_CODE` says of the entry. */
export const judgeAnswer = async (ask: Promise<Response>): Promise<string[]> => {
  try {
    const response = await ask;
    if (isAway(response.status)) return notAsked(response.status);
    const { error, error_description: words } = Refusal.parse(await response.json());
    return judgeRefusal(error, words);
  } catch (error) {
    return [`the token endpoint does not answer as it should: ${reasonOf(error)}`];
  }
};

const isChallenge = (error: unknown): boolean =>
  error instanceof WWWAuthenticateChallengeError || (error instanceof Error && isChallenge(error.cause));

/** Sends `NO_CODE`; answers what is wrong with the entry, by what the provider says to it. */
export const tryCredentials = async (send: () => Promise<unknown>): Promise<string[]> => {
  try {
    await send();
    return ['the token endpoint takes a code that nobody was given'];
  } catch (error) {
    const status = statusOf(error);
    if (isAway(status)) return notAsked(status);
    // RFC 6749 section 5.2: so a client is refused that authenticates by a header.
    if (isChallenge(error)) return judgeRefusal('invalid_client');
    if (error instanceof ResponseBodyError) return judgeRefusal(error.error, error.error_description);
    return [`the token endpoint does not answer as it should: ${reasonOf(error)}`];
  }
};
