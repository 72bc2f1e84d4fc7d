import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { openTestDatabase } from '@candela/server/testing/databases';
import { giveSigningKeys } from '@candela/server/testing/signing-keys';
import { startHttpsServer } from './https-server.ts';
import { createVerbs, createWorld, freePort, type WorldOptions } from './world.ts';

/** Terminates TLS in front of `ports`, in turn, as a proxy does. */
const createFront = (ports: readonly number[]) => {
  let turn = 0;
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': incoming.socket.remoteAddress,
      'x-forwarded-host': incoming.headers.host,
      'x-forwarded-proto': 'https',
    };
    const { method, url } = incoming;
    const port = ports[turn++ % ports.length];
    incoming.pipe(
      request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      }).on('error', () => outgoing.destroy()),
    );
  };
};

export type SecureWorld = Awaited<ReturnType<typeof createSecureWorld>>;

export interface SecureWorldOptions extends Pick<WorldOptions, 'env' | 'connection'> {
  /** The number of servers that share the database and take turns; each has its own caches. */
  servers?: number;
}

const createSecret = () => randomBytes(32).toString('base64url');

/**
 * The world over https, as in production: TLS ends in front of the servers, with a certificate that this process
 * trusts, so that libraries need no permission for anything insecure.
 */
export const createSecureWorld = async (options: SecureWorldOptions = {}) => {
  const ports = await Promise.all(Array.from({ length: options.servers ?? 1 }, freePort));
  const front = await startHttpsServer(createFront(ports));
  const origin = `https://${front.host}`;
  const connection = options.connection ?? (await openTestDatabase());
  const secrets = { SECRET_KEY: createSecret(), COOKIE_KEYS: createSecret() };
  if (!options.connection) await giveSigningKeys(connection.db, [secrets.SECRET_KEY]);
  const worlds = await Promise.all(
    ports.map((port) =>
      createWorld({
        connection: { ...connection, close: async () => undefined },
        env: { PORT: String(port), PUBLIC_URL: origin, TRUST_PROXY: '1', ...secrets, ...options.env },
      }),
    ),
  );
  const [world] = worlds;
  if (!world) throw new Error('a world has one server at least');
  const verbs = createVerbs({
    origin,
    ports: [Number(new URL(origin).port)],
    dataDirs: worlds.map(({ config }) => config.dataDir),
    tls: true,
    registerClients: world.registerClients,
  });
  return {
    ...world,
    ...verbs,
    /** The certificate of the server, in PEM, for processes of apps to trust. */
    certificate: front.certificate,
    close: async () => {
      await front.close();
      for (const each of worlds) await each.close();
      if (!options.connection) await connection.close();
    },
  };
};
