import {
  type AuthInfo,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokenVerifier,
} from '@modelcontextprotocol/server';
import * as jose from 'jose';

export interface AccessTokenOptions {
  issuer: string;
  /** The identifier of the API, for which the token must be. */
  resource: string;
}

type Keys = ReturnType<typeof jose.createRemoteJWKSet>;

/** Finds the keys of the issuer at the first use, since the issuer may start later. */
function createKeys(issuer: string): () => Promise<Keys> {
  let found: Promise<Keys> | undefined;
  const discover = async () => {
    const answer = await fetch(`${issuer}/.well-known/oauth-authorization-server`);
    const metadata = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown };
    // RFC 8414 section 3.3
    if (metadata.issuer !== issuer) throw new Error('the metadata are of another issuer');
    return jose.createRemoteJWKSet(new URL(String(metadata.jwks_uri)));
  };
  return async () => {
    found ??= discover();
    try {
      return await found;
    } catch (error) {
      found = undefined;
      throw error;
    }
  };
}

/** Verifies access tokens by themselves, as RFC 9068 section 4 says: nobody is asked about each of them. */
export function createTokenVerifier({ issuer, resource }: AccessTokenOptions): OAuthTokenVerifier {
  const keysOf = createKeys(issuer);

  async function verify(token: string): Promise<jose.JWTPayload> {
    const keys = await keysOf();
    try {
      const { payload } = await jose.jwtVerify(token, keys, {
        issuer,
        audience: resource,
        typ: 'at+jwt',
        algorithms: ['ES256'],
        requiredClaims: ['exp', 'sub', 'client_id'],
      });
      return payload;
    } catch (error) {
      if (error instanceof jose.errors.JOSEError)
        throw new OAuthError(
          OAuthErrorCode.InvalidToken,
          'the access token is not of this issuer, for this API and fresh',
        );
      throw error;
    }
  }

  return {
    async verifyAccessToken(token): Promise<AuthInfo> {
      const { sub, client_id: clientId, scope, exp } = await verify(token);
      return {
        token,
        clientId: String(clientId),
        scopes: typeof scope === 'string' ? scope.split(' ') : [],
        ...(exp !== undefined && { expiresAt: exp }),
        resource: new URL(resource),
        extra: { subject: sub },
      };
    },
  };
}
