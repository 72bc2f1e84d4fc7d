import type { IncomingMessage } from 'node:http';
import { readOutboundBody } from '../../ground/outbound/outbound-request.ts';

const LIMIT_BYTES = 8 * 1_024;

export const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** What another server wrote, for a row and the log. */
export const storable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ');

/** Reads a short answer in JSON; undefined where it is none. */
export const readJsonAnswer = async (answer: IncomingMessage): Promise<unknown> => {
  if (!/^application\/json\b/i.test(answer.headers['content-type'] ?? '')) {
    answer.destroy();
    return undefined;
  }
  const body = await readOutboundBody(answer, LIMIT_BYTES).catch(() => undefined);
  try {
    return JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
};
