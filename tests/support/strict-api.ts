import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How and when the person of an access token signed in, as a JWT or an introspection says it. */
interface AccessTokenFacts {
  acr?: unknown;
  auth_time?: unknown;
}

export interface StrictApiOptions {
  /** The classes that the API takes, by their names. */
  acrValues: readonly string[];
  /** In seconds. */
  maxAge?: number;
  /** Rejects for a token that is not good. */
  read(token: string): Promise<AccessTokenFacts>;
}

const challenge = (parameters: Record<string, string | number>) =>
  `Bearer ${Object.entries(parameters)
    .map(([name, value]) => (typeof value === 'number' ? `${name}=${value}` : `${name}="${value}"`))
    .join(', ')}`;

/** An API that asks for a stronger or newer sign-in, where the one of a token is not enough (RFC 9470 section 3). */
export const startStrictApi = async ({ acrValues, maxAge, read }: StrictApiOptions) => {
  const judge = async (authorization = ''): Promise<string | undefined> => {
    const facts = await read(authorization.replace(/^Bearer /, '')).catch(() => undefined);
    if (!facts) return challenge({ error: 'invalid_token' });
    const isStrong = acrValues.includes(String(facts.acr));
    const isNew = maxAge === undefined || Date.now() / 1000 - Number(facts.auth_time) <= maxAge;
    if (isStrong && isNew) return undefined;
    return challenge({
      error: 'insufficient_user_authentication',
      error_description: 'A different authentication level is required',
      acr_values: acrValues.join(' '),
      ...(maxAge !== undefined && { max_age: maxAge }),
    });
  };
  const server = createServer(async (request, response) => {
    const refused = await judge(request.headers.authorization);
    response.writeHead(refused ? 401 : 200, refused ? { 'www-authenticate': refused } : {}).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
};
