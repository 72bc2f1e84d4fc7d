import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { expect, test } from 'vitest';
import { AppError } from '../../ground/errors.ts';
import { detailOf } from '../identity-provider/detail-of.ts';
import { speaking } from './openid-failure.ts';

const response = new Response(null, { status: 400 });

const failureOf = async (error: unknown): Promise<AppError> => {
  const failed = await speaking(() => Promise.reject(error)).catch((caught: unknown) => caught);
  if (failed instanceof AppError) return failed;
  throw new Error('it did not fail as it should');
};

test.each([
  [
    'an authorization response',
    new AuthorizationResponseError('refused', {
      cause: new URLSearchParams({
        error: 'invalid_scope',
        error_description: 'no such scope',
        code: 's3cret',
      }),
    }),
    'invalid_scope no such scope',
  ],
  [
    'a token response',
    new ResponseBodyError('refused', { cause: { error: 'invalid_client', token: 's3cret' }, response }),
    'invalid_client',
  ],
  [
    'a challenge',
    new WWWAuthenticateChallengeError('refused', {
      cause: [
        { scheme: 'basic', parameters: { realm: 'tokens' } },
        { scheme: 'bearer', parameters: { error: 'invalid_client', error_description: 'no such client' } },
      ],
      response,
    }),
    'invalid_client no such client',
  ],
])('the log says the error of %s, and nothing else of it', async (_, error, said) => {
  const detail = detailOf((await failureOf(error)).cause);
  expect(detail).toContain(said);
  expect(detail).not.toContain('s3cret');
});

test('the log does not quote an answer that is no JSON', async () => {
  const parse = () => Promise.resolve().then(() => JSON.parse('s3cret'));
  const failed = await speaking(parse).catch((caught: unknown) => caught);
  expect(failed instanceof AppError && detailOf(failed.cause)).toBe('not JSON');
});
