import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';

const Refusal = z.object({ error: z.string(), error_description: z.optional(z.string()) });

const parse = (text: string, status: number): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('provider_unavailable', {
      cause: new Error(`${status} without JSON`, { cause: error }),
    });
  }
};

/**
 * Reads an answer in JSON, whatever content type it has: some providers call it text.
 * @throws AppError provider_unavailable where the provider has trouble of its own, provider_failed where it refused or
 *   its answer has another shape
 */
export const readProviderAnswer = async <Shape extends z.ZodMiniType>(
  response: Response,
  shape: Shape,
): Promise<z.infer<Shape>> => {
  const { status } = response;
  if (status >= 500 || status === 429)
    throw new AppError('provider_unavailable', { cause: new Error(`answered ${status}`) });
  const body = parse(await response.text(), status);
  const refused = z.safeParse(Refusal, body);
  if (refused.success) {
    const { error, error_description: words = '' } = refused.data;
    throw new AppError('provider_failed', {
      cause: new Error(`answered ${status} ${error} ${words}`.trim()),
    });
  }
  const read = z.safeParse(shape, body);
  if (!read.success)
    throw new AppError('provider_failed', {
      cause: new Error(`answered ${status}, and ${read.error.message}`),
    });
  return read.data;
};
