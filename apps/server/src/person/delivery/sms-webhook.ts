import { signBody } from '../../ground/outbound/sign-body.ts';
import { traceHeaders } from '../../ground/trace/trace.ts';
import { DeliveryError, type IdentifiedMessage, type MessageSender } from './message.ts';

export interface SmsWebhookOptions {
  url: string;
  /** The key of the signature, which the gateway at `url` has too. */
  secret: string;
  now: () => Date;
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** Statuses by which the gateway refuses the message itself, and would refuse it again. */
const refusals: ReadonlySet<number> = new Set([400, 404, 410, 413, 415, 422]);
const CONFLICT = 409;

const toBody = ({ id, to, text, code, purpose, locale, brand }: IdentifiedMessage) =>
  JSON.stringify({ id, to, text, ...(code !== undefined && { code }), purpose, locale, brand: brand.name });

/** The code of what went wrong, such as ECONNREFUSED or that of a certificate: of itself `fetch` says "TypeError" alone. */
const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : codeOf(error.cause);
};

/** Hands messages to an SMS gateway as signed JSON over HTTP; docs/sms.md is its other side. */
export const createSmsWebhook = (options: SmsWebhookOptions): MessageSender => {
  const { url, secret, now, timeoutMs = TIMEOUT_MS } = options;

  const post = async (message: IdentifiedMessage): Promise<Response> => {
    const body = toBody(message);
    try {
      return await fetch(url, {
        method: 'POST',
        body,
        headers: {
          ...traceHeaders(),
          'content-type': 'application/json',
          'idempotency-key': message.id,
          ...signBody(secret, body, now()),
        },
        // The message goes to the configured URL and nowhere else.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      // The idempotency key makes another try harmless, even where the gateway got this one.
      throw new DeliveryError('later', `sms ${codeOf(error) ?? (error as Error).name}`);
    }
  };

  return {
    send: async (message) => {
      const { status, body } = await post(message);
      await body?.cancel().catch(() => undefined);
      if ((status >= 200 && status < 300) || status === CONFLICT) return;
      throw new DeliveryError(refusals.has(status) ? 'never' : 'later', `sms ${status}`);
    },
  };
};
