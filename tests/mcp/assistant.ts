import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Access, Sdk } from './sdks.ts';

/** How the authorization server knows the assistant: from before, by its document, or because it registers itself. */
export type Introduction =
  | { registered: OAuthClientInformationMixed }
  | { document: string }
  | { registersItselfAs: Partial<OAuthClientMetadata> };

type Discovered = Parameters<NonNullable<Access['provider']['saveDiscoveryState']>>[0];

export interface AssistantOptions {
  introduction: Introduction;
  sdk: Sdk;
  /** The MCP server. */
  url: string;
  /** Shows the person a page, and goes on when the browser was led back to the assistant. */
  openBrowser(url: URL): Promise<void>;
}

/** Receives the answers to authorization requests, as an assistant on a computer does (RFC 8252 section 7.3). */
const startCallback = async () => {
  const answers: URL[] = [];
  const server = createServer((request, answer) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    if (url.pathname === '/callback') answers.push(url);
    answer.end('You can close this window.');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    answers,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** An assistant made of the SDK, which finds the authorization server and gets its tokens by itself. */
export const createAssistant = async ({ introduction, sdk, url, openBrowser }: AssistantOptions) => {
  const callback = await startCallback();
  let client: OAuthClientInformationMixed | undefined =
    'registered' in introduction ? introduction.registered : undefined;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let discovered: Discovered | undefined;
  let asked: URL | undefined;

  const provider: Access['provider'] = {
    redirectUrl: callback.redirectUri,
    ...('document' in introduction && { clientMetadataUrl: introduction.document }),
    clientMetadata: {
      client_name: 'Test assistant',
      redirect_uris: [callback.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...('registersItselfAs' in introduction && introduction.registersItselfAs),
    },
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state: Discovered) => {
      discovered = state;
    },
    discoveryState: () => discovered,
    redirectToAuthorization: (authorization) => {
      asked = authorization;
    },
    invalidateCredentials: () => {
      tokens = undefined;
    },
  };

  const access: Access = { url, provider, fetch };
  let session: Awaited<ReturnType<Sdk['open']>> | undefined;
  const connect = async () => {
    session ??= await sdk.open(access);
    return session;
  };

  /** Sends the person to the browser where the SDK asks for it, and finishes with the code that comes back. */
  const authorized = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!sdk.isUnauthorized(error) || !asked) throw error;
      const before = callback.answers.length;
      await openBrowser(asked);
      asked = undefined;
      const answer = callback.answers[before];
      if (!answer?.searchParams.has('code')) throw new Error(`no code came back: ${answer?.search}`);
      await sdk.finish(access, answer.searchParams);
      await session?.close();
      session = undefined;
      return work();
    }
  };

  return {
    /** The address at which the browser comes back. */
    redirectUri: callback.redirectUri,
    /** Calls a tool; the person is sent to a browser where the assistant has no right to it. Answers its text. */
    call: (name: string, args: Record<string, unknown> = {}): Promise<string> =>
      authorized(async () => {
        const { content } = await (await connect()).callTool({ name, arguments: args });
        return (content as { text: string }[]).map(({ text }) => text).join('\n');
      }),
    tools: () => authorized(async () => (await (await connect()).listTools()).tools),
    /** As if the access token had ended. */
    outlastAccessToken: () => {
      if (tokens) tokens = { ...tokens, access_token: 'ended' };
    },
    clientId: () => client?.client_id,
    close: async () => {
      await session?.close();
      await callback.close();
    },
  };
};

export type Assistant = Awaited<ReturnType<typeof createAssistant>>;
