import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';
import { createOutboundRequest, readOutboundBody } from '../../ground/outbound/outbound-request.ts';
import { signBody } from '../../ground/outbound/sign-body.ts';
import { createWorkQueue } from '../../ground/work-queue.ts';

/** The other system that knows passwords whose hashes could not be brought. */
export interface LegacySignIn {
  /**
   * Whether the password is that of the identifier over there.
   * @throws AppError unavailable where it does not answer in time or says something else; busy
   */
  ask(identifier: string, password: string, from?: string): Promise<boolean>;
}

export interface LegacySignInOptions {
  url: string;
  /** The key of the signature, which the other system has too. */
  secret: string;
  now: () => Date;
  timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
const RETRY_SECONDS = 5;
const ANSWER_BYTES = 4_096;
/** A crowd must not take the other system down, nor wait for it for longer than for a hash. */
const QUEUE = { concurrency: 16, maxQueue: 512, maxWaitMs: 5_000 };

const Answer = z.object({ valid: z.boolean() });

/** Asks another system by signed JSON over HTTP; docs/importing.md is its other side. */
export const createLegacySignIn = ({
  url,
  secret,
  now,
  timeoutMs = TIMEOUT_MS,
}: LegacySignInOptions): LegacySignIn => {
  const { host } = new URL(url);
  const request = createOutboundRequest({ privateHosts: [host], plainAtPrivateHosts: true });
  const enqueue = createWorkQueue(QUEUE);

  const post = async (body: string): Promise<boolean> => {
    const headers = { 'content-type': 'application/json', ...signBody(secret, body, now()) };
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await request(url, { method: 'POST', headers, body, signal });
    const text = await readOutboundBody(answer, ANSWER_BYTES);
    if (answer.statusCode !== 200) throw new Error(`${host} answered ${answer.statusCode}`);
    return z.parse(Answer, JSON.parse(text.toString())).valid;
  };

  return {
    ask: (identifier, password, from) =>
      enqueue(
        () =>
          post(JSON.stringify({ identifier, password })).catch((cause) => {
            throw new AppError('unavailable', { cause, retryAfterSeconds: RETRY_SECONDS });
          }),
        from,
      ),
  };
};
