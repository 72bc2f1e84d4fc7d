import * as current from '@modelcontextprotocol/client';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** What an assistant gives an SDK to get in. */
export interface Access {
  /** The MCP server. */
  url: string;
  provider: OAuthClientProvider & current.OAuthClientProvider;
  fetch: (target: string | URL, init?: RequestInit) => Promise<Response>;
}

interface Session {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** An SDK of MCP, as far as the two differ. */
export interface Sdk {
  open(access: Access): Promise<Session>;
  /** Takes the answer to an authorization request. */
  finish(access: Access, answer: URLSearchParams): Promise<void>;
  /** Whether the person has to decide first. */
  isUnauthorized(error: unknown): boolean;
}

const information = { name: 'test-assistant', version: '1.0.0' };

const formerTransport = ({ url, provider, fetch }: Access) =>
  new StreamableHTTPClientTransport(new URL(url), { authProvider: provider, fetch });

/** `@modelcontextprotocol/sdk`, of MCP 2025-11-25. */
export const formerSdk: Sdk = {
  open: async (access) => {
    const client = new Client(information);
    await client.connect(formerTransport(access));
    return client;
  },
  finish: (access, answer) => formerTransport(access).finishAuth(answer.get('code') ?? ''),
  isUnauthorized: (error) => error instanceof UnauthorizedError,
};

const currentTransport = ({ url, provider, fetch }: Access) =>
  new current.StreamableHTTPClientTransport(new URL(url), { authProvider: provider, fetch });

/** `@modelcontextprotocol/client`, of MCP 2026-07-28: it also verifies who answers (RFC 9207). */
export const currentSdk: Sdk = {
  open: async (access) => {
    const client = new current.Client(information);
    await client.connect(currentTransport(access));
    return client;
  },
  finish: (access, answer) => currentTransport(access).finishAuth(answer),
  isUnauthorized: (error) => error instanceof current.UnauthorizedError,
};
