import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  createMcpHandler,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import { createTokenVerifier } from './access-token.ts';
import { lampScopes } from './lamp-api.ts';
import { createLampServer } from './lamp-server.ts';
import { createLamps } from './lamps.ts';

export interface McpServing {
  issuer: string;
  /** The identifier of the API. */
  resource: string;
  /** Where the metadata of the resource are (RFC 9728 section 3). */
  resourceMetadataUrl: string;
}

const maxBodyBytes = 64 * 1024;

/** Answers requests of the Model Context Protocol. */
export function createServing({ issuer, resource, resourceMetadataUrl }: McpServing) {
  const lamps = createLamps();
  const handler = createMcpHandler(({ authInfo }) => createLampServer(lamps, authInfo), {
    maxRequestBodySize: maxBodyBytes,
  });
  const rules = {
    verifier: createTokenVerifier({ issuer, resource }),
    requiredScopes: ['lamps:read'],
    expectedResource: new URL(resource),
    resourceMetadataUrl,
  };
  const requiredScopes = lampScopes.map(({ name }) => name);

  return async (request: Request): Promise<Response> => {
    let authInfo: AuthInfo;
    try {
      authInfo = await verifyBearerToken(request.headers.get('Authorization'), rules);
    } catch (error) {
      // RFC 6750 section 3: `scope` names what a client should ask for.
      return bearerAuthChallengeResponse(error, { requiredScopes, resourceMetadataUrl });
    }
    return handler.fetch(request, { authInfo });
  };
}
