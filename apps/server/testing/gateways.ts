import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

interface Listening {
  url: string;
  close(): Promise<void>;
}

const listen = async (server: Server, protocol: string): Promise<Listening> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

interface ReceivedMail {
  from: string;
  to: string[];
  data: string;
}

/** The server’s reply instead of the usual one: a line, nothing at all, or the end of the connection. */
export type SmtpReply = string | 'silence' | 'hang up' | undefined;

const usual: Record<string, string> = {
  GREETING: '220 test ESMTP',
  EHLO: '250-test\r\n250-AUTH PLAIN\r\n250 SMTPUTF8',
  HELO: '250 test',
  AUTH: '235 in',
  MAIL: '250 sender',
  RCPT: '250 recipient',
  DATA: '354 go on',
  BODY: '250 taken',
  RSET: '250 reset',
  QUIT: '221 bye',
};

/** Speaks SMTP on a real socket; `answer` chooses the reply at each step, where BODY is the end of a mail. */
export const listenSmtp = async (answer: (step: string, line: string) => SmtpReply = () => undefined) => {
  const mails: ReceivedMail[] = [];
  const lines: string[] = [];
  const server = createServer((socket) => {
    let buffer = '';
    let mail: ReceivedMail = { from: '', to: [], data: '' };
    let isBody = false;
    const say = (step: string, line = ''): string => {
      const reply = answer(step, line) ?? usual[step] ?? '502 what';
      if (reply === 'hang up') socket.destroy();
      else if (reply !== 'silence') socket.write(`${reply}\r\n`);
      return reply;
    };
    const command = (line: string) => {
      lines.push(line);
      const step = line.split(/[ :]/)[0]?.toUpperCase() ?? '';
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      const reply = say(step, line);
      if (step === 'MAIL') mail = { from: address, to: [], data: '' };
      if (step === 'RCPT' && reply.startsWith('250')) mail.to.push(address);
      if (step === 'DATA' && reply.startsWith('354')) isBody = true;
      if (step === 'QUIT') socket.end();
    };
    say('GREETING');
    socket.setEncoding('utf8').on('data', (chunk) => {
      buffer += chunk;
      for (;;) {
        const end = isBody ? '\r\n.\r\n' : '\r\n';
        const at = buffer.indexOf(end);
        if (at < 0) return;
        const part = buffer.slice(0, at);
        buffer = buffer.slice(at + end.length);
        if (!isBody) {
          command(part);
          continue;
        }
        isBody = false;
        mails.push({ ...mail, data: part.replaceAll('\r\n..', '\r\n.') });
        say('BODY');
      }
    });
  });
  return { ...(await listen(server, 'smtp')), mails, lines };
};

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: string;
}

/** An SMS gateway on a real socket; `answer` returns the status, after any delay. */
export const listenHttp = async (
  answer: (count: number, request: ReceivedRequest) => number | Promise<number> = () => 202,
) => {
  const requests: ReceivedRequest[] = [];
  const server = createHttpServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const received = { headers: request.headers, body };
    requests.push(received);
    const status = await answer(requests.length, received);
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, { location: '/elsewhere' }).end('{}');
  });
  return { ...(await listen(server, 'http')), requests };
};
