import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { headersFor } from './security-headers.ts';

/** The status for what Node's parser refuses, by its error codes; any other code is 400. */
const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const write = (status: number, headers: Record<string, string>) =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '\r\n',
  ].join('\r\n');

/**
 * Answers what the parser refuses with the same security headers as every other answer.
 * @param unanswered the responses of the server that have not ended
 */
export const answerEarly = (
  server: Server,
  origin: string | undefined,
  unanswered: Iterable<ServerResponse>,
): void => {
  const headers = headersFor(origin);
  const answeringAt = (socket: Duplex) => {
    for (const response of unanswered) if (response.socket === socket) return response;
    return undefined;
  };
  server.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { ...headers, Connection: 'close', 'Content-Length': '0' }).end();
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const current = answeringAt(socket);
    // An answer that has begun would take these bytes for its own.
    const isAnswering = current?.headersSent && !current.writableFinished;
    if (socket.writable && !isAnswering) socket.write(write(statuses[error.code ?? ''] ?? 400, headers));
    if (socket instanceof Socket) socket.destroySoon();
    else socket.destroy(error);
  });
};
