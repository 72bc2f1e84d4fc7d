import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { freePort } from './world.ts';

/** Stands between a server and its database, and can break what goes through it. */
export const startTcpProxy = async (target: { host: string; port: number }) => {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let isSilent = false;
  let swallowed = 0;
  let losing: { text: string; onLost(): void } | undefined;

  const server = createServer((near) => {
    const far = createConnection(target);
    const pair = { near, far };
    pairs.add(pair);
    let isAnswerLost = false;
    const lose = () => {
      losing?.onLost();
      losing = undefined;
      near.destroy();
      far.destroy();
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (from === far && isAnswerLost) return lose();
        if (from === near && losing) isAnswerLost ||= bytes.includes(losing.text);
        if (!isSilent) to.write(bytes);
        else swallowed += 1;
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        if (!isSilent) to.destroy();
      });
    }
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    /** The address of the database through here. */
    through: (databaseUrl: string): string => {
      const url = new URL(databaseUrl);
      url.hostname = '127.0.0.1';
      url.port = String(port);
      return url.href;
    },
    /** From now on nothing arrives, and nobody is told: connections stay open, and new ones are taken. */
    fallSilent: (): void => {
      isSilent = true;
    },
    /** The next answer to something with `text` in it does not arrive: its connection ends. Resolves then. */
    loseAnswerTo: (text: string): Promise<void> =>
      new Promise((onLost) => {
        losing = { text, onLost };
      }),
    /** New connections work again; what was lost is lost. */
    recover: (): void => {
      isSilent = false;
    },
    /** How often something was said that did not arrive. */
    swallowed: (): number => swallowed,
    /** Cuts every connection that is open. */
    cut: (): number => {
      const count = pairs.size;
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      pairs.clear();
      return count;
    },
    close: async (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      for (const { far } of pairs) far.destroy();
      server.close();
    },
  };
};
