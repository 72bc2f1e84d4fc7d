import { addressOf, headersOf, paramsOf, type TrialRequest, type TrialSecrets } from './trial-request.ts';

/** An answer, as a page shows it. */
export interface TrialAnswer {
  status: number;
  /** The headers that say something to a developer. */
  headers: Record<string, string>;
  /** JSON where the answer has any, else its text. */
  body: unknown;
  /** The reference of a refused request. */
  reference?: string;
}

const TELLING = ['content-type', 'cache-control', 'www-authenticate', 'retry-after', 'x-request-id'];

const readBody = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/**
 * Sends a request to this server as an app sends it: without cookies.
 * @throws TypeError where no answer came.
 */
export const send = async (request: TrialRequest, secrets: TrialSecrets): Promise<TrialAnswer> => {
  const response = await fetch(addressOf(request, location.origin, secrets), {
    method: request.method,
    headers: headersOf(request, secrets),
    credentials: 'omit',
    redirect: 'error',
    ...(request.method === 'POST' && { body: new URLSearchParams(paramsOf(request, secrets)) }),
  });
  const reference = response.headers.get('x-request-id');
  return {
    status: response.status,
    headers: Object.fromEntries(
      TELLING.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    ),
    body: await readBody(response),
    ...(response.status >= 400 && reference && { reference }),
  };
};
