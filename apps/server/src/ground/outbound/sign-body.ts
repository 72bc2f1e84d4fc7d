import { createHmac } from 'node:crypto';

/**
 * The headers by which a receiver knows a body for ours: HMAC-SHA-256 over `timestamp.body`, so that a recorded request
 * cannot be sent again later.
 */
export const signBody = (secret: string, body: string, now: Date): Record<string, string> => {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'candela-timestamp': timestamp, 'candela-signature': `v1=${mac}` };
};
