import type { ServerResponse } from 'node:http';
import { startHttpsServer } from './https-server.ts';

/** What a host answers for a path: a document in JSON, or whatever the function writes. */
type Answer = Record<string, unknown> | ((answer: ServerResponse) => void);

/** A real https host with the client id metadata documents of apps. */
export const startDocumentHost = async () => {
  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  const server = await startHttpsServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const answer = answers.get(path);
    if (typeof answer === 'function') return answer(response);
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  const urlOf = (path: string) => `https://${server.host}${path}`;
  return {
    host: server.host,
    /** In PEM; other processes have to be configured to trust it. */
    certificate: server.certificate,
    /** The paths that were asked for, the latest last. */
    asked,
    urlOf,
    /** Publishes the document of an app at `path`, and answers its client id. */
    publish: (path: string, fields: Record<string, unknown> = {}): string => {
      const id = urlOf(path);
      answers.set(path, {
        client_id: id,
        client_name: 'Lamp assistant',
        redirect_uris: ['https://app.example/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        ...fields,
      });
      return id;
    },
    answer: (path: string, answer: Answer) => void answers.set(path, answer),
    /** The host knows no document any more. */
    forgetAll: () => answers.clear(),
    close: server.close,
  };
};

export type DocumentHost = Awaited<ReturnType<typeof startDocumentHost>>;
