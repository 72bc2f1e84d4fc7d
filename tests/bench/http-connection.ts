import { connect } from 'node:net';

interface BenchRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface BenchAnswer {
  status: number;
  /** Status line and header fields, as received. */
  head: string;
  body: string;
}

export type Send = (request: BenchRequest) => Promise<BenchAnswer>;

/** One keep-alive connection; one request at a time. */
export interface HttpConnection {
  send: Send;
  close(): void;
}

/** The first value of a header field; undefined if the field is absent. */
export const headerOf = ({ head }: BenchAnswer, name: string): string | undefined =>
  new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1];

const HEAD_END = '\r\n\r\n';

const write = ({ method = 'GET', path, headers = {}, body }: BenchRequest, host: string): string => {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${fields.join('')}${length}\r\n${body ?? ''}`;
};

/** The response at the start of `received`, and its length in bytes; undefined while it is incomplete. */
const read = (received: Buffer): { answer: BenchAnswer; length: number } | undefined => {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end + 2);
  if (/^transfer-encoding:/im.test(head)) throw new Error('the bench reads no chunked answers');
  const start = end + HEAD_END.length;
  const length = start + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  if (received.length < length) return undefined;
  return {
    answer: { status: Number(head.slice(9, 12)), head, body: received.toString('utf8', start, length) },
    length,
  };
};

/**
 * A minimal client: it shares its core with the database, and its own cost is not measured as the server’s. It speaks
 * as much of HTTP/1.1 as the servers under test send.
 */
export const openConnection = (port: number, host: string): Promise<HttpConnection> =>
  new Promise((opened, failed) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received = Buffer.alloc(0);
    let waiting: { resolve(answer: BenchAnswer): void; reject(error: unknown): void } | undefined;

    const fail = (error: unknown) => {
      waiting?.reject(error);
      waiting = undefined;
      failed(error);
    };
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the server closed the connection')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      try {
        const complete = read(received);
        if (!complete || !waiting) return;
        received = received.subarray(complete.length);
        const { resolve } = waiting;
        waiting = undefined;
        resolve(complete.answer);
      } catch (error) {
        fail(error);
      }
    });
    socket.on('connect', () =>
      opened({
        send: (request) =>
          new Promise((resolve, reject) => {
            waiting = { resolve, reject };
            socket.write(write(request, host));
          }),
        close: () => socket.destroy(),
      }),
    );
  });

/** @throws Error with the start of the body if the status differs */
export const expectStatus = (answer: BenchAnswer, status: number): BenchAnswer => {
  if (answer.status === status) return answer;
  throw new Error(`expected ${status}, got ${answer.status}: ${answer.body.slice(0, 300)}`);
};
