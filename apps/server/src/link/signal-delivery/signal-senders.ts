import type { IncomingMessage } from 'node:http';
import { openWithAny } from '../../ground/seal.ts';
import { GOOGLE } from '../stream/stream.ts';
import { signingSecrets } from '../stream/webhook-secret.ts';
import { createGoogleSender } from './google-sender.ts';
import { isTaken, readJsonAnswer, storable } from './receiver-answer.ts';
import { claimsOfEvent } from './security-event-token.ts';
import type { SignalSender, SignalSenderOptions } from './signal-sender.ts';
import { webhookBodyOf, webhookHeaders } from './webhook-message.ts';

/** What refuses one token and would refuse it again. The other codes of RFC 8935 section 2.4 are about the setup. */
const finalErrors = new Set(['invalid_request', 'invalid_issuer', 'invalid_audience', 'invalid_state']);

/** The error of a push (RFC 8935 section 2.3); undefined where the answer is none. */
const readRefusal = async (
  answer: IncomingMessage,
): Promise<{ err: string; description: string } | undefined> => {
  const { err, description = '' } = Object(await readJsonAnswer(answer));
  return typeof err === 'string' ? { err, description: String(description) } : undefined;
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
    [GOOGLE, createGoogleSender(options)],
  ]);
