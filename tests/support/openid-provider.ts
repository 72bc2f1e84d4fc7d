import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as jose from 'jose';

/** A person at the played provider: the claims of their ID Token. */
export type PlayedPerson = Record<string, unknown> & { sub: string };

interface Issued {
  person: PlayedPerson;
  request: URLSearchParams;
}

/** How the provider misbehaves; each is off until it is set. */
interface Habits {
  /** Answers a path so, in place of what it should. */
  answers: Record<string, (response: ServerResponse) => void>;
  /** Changes the claims of an ID Token before it is signed. */
  claims: (claims: jose.JWTPayload) => jose.JWTPayload;
  /** Signs in a way of its own. */
  sign: ((claims: jose.JWTPayload) => Promise<string> | string) | undefined;
  /** Adds to the parameters of an answer. */
  parameters: Record<string, string>;
  /** Changes the metadata. */
  metadata: Record<string, unknown>;
  /** Has only the subject in the ID Token: the other claims are at the UserInfo endpoint. */
  thinIdToken: boolean;
  /** Names no key in the header of an ID Token. */
  hidesKid: boolean;
  /** The subject at the UserInfo endpoint. */
  userInfoSubject: string | undefined;
}

const newKey = async (alg = 'RS256') => {
  const { privateKey, publicKey } = await jose.generateKeyPair(alg, { extractable: true });
  const kid = randomBytes(4).toString('hex');
  return { privateKey, jwk: { ...(await jose.exportJWK(publicKey)), kid, alg, use: 'sig' }, kid, alg };
};

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
};

const sendJson = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

export type OpenidProvider = Awaited<ReturnType<typeof createOpenidProvider>>;

/**
 * An OpenID provider on this machine, written from OpenID Connect Core 1.0 and Discovery 1.0 (`issuer`), which can be
 * made to misbehave. It authenticates its one client by `client_secret_basic`, and checks PKCE.
 */
export const createOpenidProvider = async ({ clientId = 'candela', clientSecret = 'a secret' } = {}) => {
  let keys = [await newKey()];
  const codes = new Map<string, Issued>();
  const accessTokens = new Map<string, PlayedPerson>();
  const asked: string[] = [];
  const habits: Habits = {
    answers: {},
    claims: (claims) => claims,
    sign: undefined,
    parameters: {},
    metadata: {},
    thinIdToken: false,
    hidesKid: false,
    userInfoSubject: undefined,
  };

  const sign = (claims: jose.JWTPayload): Promise<string> | string => {
    const [key] = keys;
    if (!key) throw new Error('no key');
    if (habits.sign) return habits.sign(claims);
    const { alg, kid } = key;
    return new jose.SignJWT(claims)
      .setProtectedHeader({ alg, ...(!habits.hidesKid && { kid }) })
      .sign(key.privateKey);
  };

  const idTokenOf = ({ person, request }: Issued): Promise<string> | string => {
    const at = Math.floor(Date.now() / 1000);
    const nonce = request.get('nonce');
    return sign(
      habits.claims({
        iss: issuer,
        aud: clientId,
        iat: at,
        exp: at + 300,
        ...(nonce !== null && { nonce }),
        ...(habits.thinIdToken ? { sub: person.sub } : person),
      }),
    );
  };

  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = await readForm(request);
    const basic = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64');
    // RFC 6749 section 2.3.1: both are encoded as in a form.
    const given = basic
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    if (given[0] !== clientId || given[1] !== clientSecret)
      return sendJson(response, { error: 'invalid_client' }, 401);
    const issued = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const isProven =
      issued &&
      challengeOf(form.get('code_verifier') ?? '') === issued.request.get('code_challenge') &&
      form.get('redirect_uri') === issued.request.get('redirect_uri');
    if (!isProven) return sendJson(response, { error: 'invalid_grant' }, 400);
    const accessToken = randomBytes(16).toString('hex');
    accessTokens.set(accessToken, issued.person);
    sendJson(response, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: await idTokenOf(issued),
    });
  };

  const userInfo = (request: IncomingMessage, response: ServerResponse): void => {
    const person = accessTokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
    if (person)
      sendJson(response, { ...person, ...(habits.userInfoSubject && { sub: habits.userInfoSubject }) });
    else sendJson(response, { error: 'invalid_token' }, 401);
  };

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    code_challenge_methods_supported: ['S256'],
    ...habits.metadata,
  });

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
    '/.well-known/openid-configuration': (_request, response) => sendJson(response, metadata()),
    '/jwks': (_request, response) => sendJson(response, { keys: keys.map(({ jwk }) => jwk) }),
    '/token': token,
    '/userinfo': userInfo,
  };

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    asked.push(path);
    const odd = habits.answers[path];
    if (odd) return odd(response);
    const route = routes[path];
    if (!route) return sendJson(response, { error: 'not_found' }, 404);
    return void route(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}`;

  return {
    issuer,
    host,
    clientId,
    clientSecret,
    habits,
    /** The paths that were asked for. */
    asked,
    /** Its entry in PROVIDERS_FILE. */
    entry: (more: Record<string, unknown> = {}) => ({
      id: 'played',
      kind: 'oidc',
      name: 'Played',
      issuer,
      client_id: clientId,
      client_secret: clientSecret,
      ...more,
    }),
    /** The person signs in: where their browser goes with the answer to an authorization request. */
    signIn: (authorization: URL, person: PlayedPerson): URL => {
      const request = authorization.searchParams;
      const code = randomBytes(16).toString('hex');
      codes.set(code, { person, request });
      const callback = new URL(request.get('redirect_uri') ?? '');
      callback.search = new URLSearchParams({
        code,
        state: request.get('state') ?? '',
        ...habits.parameters,
      }).toString();
      return callback;
    },
    /** The person declines: where their browser goes. */
    decline: (authorization: URL, error = 'access_denied'): URL => {
      const request = authorization.searchParams;
      const callback = new URL(request.get('redirect_uri') ?? '');
      callback.search = new URLSearchParams({ error, state: request.get('state') ?? '' }).toString();
      return callback;
    },
    /** Takes a new key, and gives up the one before. */
    rotateKeys: async (alg?: string) => {
      keys = [await newKey(alg)];
    },
    /** Publishes a key beside the one that signs. */
    addKey: async () => {
      keys = [...keys, await newKey()];
    },
    keyIds: () => keys.map(({ kid }) => kid),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
