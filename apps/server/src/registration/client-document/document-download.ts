import type { IncomingMessage } from 'node:http';
import {
  createOutboundRequest,
  type OutboundRequest,
  readOutboundBody,
} from '../../ground/outbound/outbound-request.ts';
import { DocumentFault } from './document-fault.ts';
import type { DocumentHosts } from './document-url.ts';

interface DownloadedDocument {
  text: string;
  /** For how long its host lets it be kept, in seconds; undefined where the host does not say. */
  freshSeconds: number | undefined;
}

/** Fetches the text of a document. @throws DocumentFault */
export type DocumentDownload = (url: string, signal: AbortSignal) => Promise<DownloadedDocument>;

/** Documents of assistants have less than 1 KB; keys need the rest. */
const LIMIT_BYTES = 5 * 1024;
const TIMEOUT_MS = 5_000;

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** RFC 9111 sections 4.2.1 and 5.2.2. */
const freshSecondsOf = ({ headers }: IncomingMessage): number | undefined => {
  const control = headers['cache-control'] ?? '';
  if (/(?:^|,)\s*(?:no-store|no-cache)\b/i.test(control)) return 0;
  const [, seconds] = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})/i.exec(control) ?? [];
  if (seconds !== undefined) return Number(seconds);
  const ends = Date.parse(headers.expires ?? '');
  const sent = Date.parse(headers.date ?? '');
  return Number.isNaN(ends) || Number.isNaN(sent) ? undefined : Math.max(0, (ends - sent) / 1000);
};

const read = async (
  request: OutboundRequest,
  url: string,
  signal: AbortSignal,
): Promise<DownloadedDocument> => {
  const answer = await request(url, { headers: { accept: 'application/json' }, signal });
  const fault =
    answer.statusCode !== 200
      ? `was answered with ${answer.statusCode}, not 200`
      : JSON_TYPE.test(answer.headers['content-type'] ?? '')
        ? undefined
        : 'is not of the type application/json';
  if (fault) {
    answer.destroy();
    throw new DocumentFault(fault);
  }
  return {
    text: (await readOutboundBody(answer, LIMIT_BYTES)).toString('utf8'),
    freshSeconds: freshSecondsOf(answer),
  };
};

/**
 * Downloads by https: no redirects, at most 5 KiB and 5 seconds. Hosts that the operator named may be at any address
 * and port, all others are public ones at 443.
 */
export const createDocumentDownload = (hosts: DocumentHosts): DocumentDownload => {
  const request = createOutboundRequest({ privateHosts: hosts === 'any' ? [] : hosts });
  return async (url, signal) => {
    try {
      return await read(request, url, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
    } catch (error) {
      if (error instanceof DocumentFault) throw error;
      // Anybody can ask for any host: how it failed would tell strangers of the server's network.
      throw new DocumentFault(
        `could not be fetched: no answer of at most ${LIMIT_BYTES} bytes came within ${TIMEOUT_MS / 1000} seconds`,
        {
          cause: error,
        },
      );
    }
  };
};
