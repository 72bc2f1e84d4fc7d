import type { IncomingMessage } from 'node:http';
import { type OutboundRequest, readOutboundBody } from '../../ground/outbound/outbound-request.ts';
import { openWithAny } from '../../ground/seal.ts';
import { signingSecrets } from '../stream/webhook-secret.ts';
import { claimsOfEvent, type TokenParties, type TokenSigner } from './security-event-token.ts';
import type { LeasedSignal } from './signal.repository.ts';
import { webhookBodyOf, webhookHeaders } from './webhook-message.ts';

/**
 * What a receiver made of a signal:
 * - `told`: it took it.
 * - `refused`: it refuses it for good, and says why.
 * - `not_taken`: it may take it later.
 */
export interface Verdict {
  outcome: 'told' | 'refused' | 'not_taken';
  status: number;
  detail?: string;
}

export interface SignalSenderOptions {
  request: OutboundRequest;
  sign: TokenSigner;
  /** What the headers and secrets of streams are sealed under. */
  keys: readonly [Buffer, ...Buffer[]];
  now(): Date;
}

/**
 * Sends a signal to the endpoint of its stream.
 * @throws Error where nothing was answered; also when `signal` aborts.
 */
export type SignalSender = (
  item: LeasedSignal,
  parties: TokenParties,
  signal: AbortSignal,
) => Promise<Verdict>;

const isTaken = (status: number) => status >= 200 && status < 300;

/** What refuses one token and would refuse it again. The other codes of RFC 8935 section 2.4 are about the setup. */
const finalErrors = new Set(['invalid_request', 'invalid_issuer', 'invalid_audience', 'invalid_state']);

const LIMIT_BYTES = 8 * 1_024;

/** The error of a push (RFC 8935 section 2.3); undefined where the answer is none. */
const readRefusal = async (
  answer: IncomingMessage,
): Promise<{ err: string; description: string } | undefined> => {
  if (!/^application\/json\b/i.test(answer.headers['content-type'] ?? '')) {
    answer.destroy();
    return undefined;
  }
  const body = await readOutboundBody(answer, LIMIT_BYTES).catch(() => undefined);
  try {
    const { err, description = '' } = JSON.parse(body?.toString('utf8') ?? '');
    return typeof err === 'string' ? { err, description: String(description) } : undefined;
  } catch {
    return undefined;
  }
};

const createPush =
  ({ request, sign, keys }: SignalSenderOptions): SignalSender =>
  async (item, parties, signal) => {
    const { endpoint_url, authorization_header_sealed: sealed } = item;
    const answer = await request(endpoint_url ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/secevent+jwt',
        accept: 'application/json',
        ...(sealed !== null && { authorization: openWithAny(keys, sealed) }),
      },
      body: await sign(claimsOfEvent(item, parties)),
      signal,
    });
    const status = answer.statusCode ?? 0;
    if (status !== 400) {
      answer.destroy();
      return { outcome: isTaken(status) ? 'told' : 'not_taken', status };
    }
    const refusal = await readRefusal(answer);
    const detail = refusal && storable(`${refusal.err} ${refusal.description}`.trim());
    return {
      outcome: refusal && finalErrors.has(refusal.err) ? 'refused' : 'not_taken',
      status,
      ...(detail && { detail }),
    };
  };

/** What another server wrote, for a row and the log. */
const storable = (text: string) => text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ');

/** Every answer but a success is tried again (Standard Webhooks); nothing of it matters but its status. */
const createWebhook =
  ({ request, keys, now }: SignalSenderOptions): SignalSender =>
  async (item, parties, signal) => {
    const body = webhookBodyOf(item, parties);
    const at = now();
    const secrets = signingSecrets(keys, item.webhook_secrets_sealed, at);
    const headers = webhookHeaders({ id: item.jti, body, at }, secrets);
    const answer = await request(item.endpoint_url ?? '', { method: 'POST', headers, body, signal });
    answer.destroy();
    const status = answer.statusCode ?? 0;
    return { outcome: isTaken(status) ? 'told' : 'not_taken', status };
  };

/** The senders by the delivery methods of streams. A receiver that polls is not called. */
export const createSignalSenders = (options: SignalSenderOptions): ReadonlyMap<string, SignalSender> =>
  new Map([
    ['urn:ietf:rfc:8935', createPush(options)],
    ['webhook', createWebhook(options)],
  ]);
