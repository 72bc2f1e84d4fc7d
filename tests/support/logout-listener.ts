import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

export interface ReceivedLogout {
  request: IncomingMessage;
  body: string;
  /** A time of `performance.now()`. */
  at: number;
}

type Reply = (answer: ServerResponse, request: IncomingMessage) => void;

const WAIT_MS = 8_000;

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** The back-channel logout endpoints of apps, one for each path, with the received requests and the responses. */
export const createLogoutListener = () => {
  const received = new Map<string, ReceivedLogout[]>();
  const replies = new Map<string, Reply>();

  const listener: RequestListener = async (request, answer) => {
    const path = request.url ?? '';
    const at = performance.now();
    const body = await readText(request).catch(() => '');
    received.set(path, [...(received.get(path) ?? []), { request, body, at }]);
    const reply = replies.get(path);
    if (reply) reply(answer, request);
    else answer.writeHead(200).end();
  };

  const receivedAt = (path: string): readonly ReceivedLogout[] => received.get(path) ?? [];
  return {
    listener,
    receivedAt,
    /** 200 by default. */
    replyAt: (path: string, reply: Reply) => void replies.set(path, reply),
    /** Resolves when that many requests have arrived, and rejects after a few seconds. */
    untilReceived: async (path: string, count = 1): Promise<ReceivedLogout[]> => {
      for (const end = performance.now() + WAIT_MS; performance.now() < end; await wait(5))
        if (receivedAt(path).length >= count) return [...receivedAt(path)];
      throw new Error(`${receivedAt(path).length} of ${count} logouts came to ${path}`);
    },
  };
};

/** Verifies a logout token as its app does: type, issuer’s signature, audience and age. */
export const readLogoutToken = async (
  { body }: ReceivedLogout,
  { issuer, clientId }: { issuer: string; clientId: string },
): Promise<JWTPayload> => {
  const token = new URLSearchParams(body).get('logout_token') ?? '';
  const keys = createRemoteJWKSet(new URL('/oauth/jwks', issuer));
  const { payload } = await jwtVerify(token, keys, { issuer, audience: clientId, typ: 'logout+jwt' });
  return payload;
};
