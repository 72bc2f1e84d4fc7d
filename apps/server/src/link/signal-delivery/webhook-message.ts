import { createHmac } from 'node:crypto';
import type { EventOfToken, TokenParties } from './security-event-token.ts';

/** The body of a webhook: the name of the event, when it happened, and about whom it is. */
export const webhookBodyOf = (event: EventOfToken, { issuer, subject }: TokenParties): string =>
  JSON.stringify({
    type: event.event,
    timestamp: event.created_at.toISOString(),
    data: {
      iss: issuer,
      ...(subject !== undefined && { sub: subject }),
      ...(event.sid !== null && { sid: event.sid }),
      ...event.payload,
    },
  });

/** The headers of Standard Webhooks: one signature for each secret that signs now. */
export const webhookHeaders = (
  { id, body, at }: { id: string; body: string; at: Date },
  secrets: readonly Buffer[],
): Record<string, string> => {
  const timestamp = Math.floor(at.getTime() / 1_000);
  const signatureBy = (secret: Buffer) =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signatureBy(secret)}`).join(' '),
  };
};
