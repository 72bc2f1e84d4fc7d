import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';
import { freePort } from './world.ts';

interface Pair {
  near: Socket;
  far: Socket;
  isForgotten: boolean;
}

/** Stands between a server and its database, and can disturb the traffic. */
export const startTcpProxy = async (target: { host: string; port: number }) => {
  const pairs = new Set<Pair>();
  let isSilent = false;
  let swallowed = 0;
  let losing: { text: string; onLost(): void } | undefined;

  const connect = (near: Socket) => {
    const pair = { near, far: createConnection(target), isForgotten: false };
    pairs.add(pair);
    let isAnswerLost = false;
    const lose = () => {
      losing?.onLost();
      losing = undefined;
      pair.near.destroy();
      pair.far.destroy();
    };
    const join = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (from === pair.far && isAnswerLost) return lose();
        if (from === pair.near && losing) isAnswerLost ||= bytes.includes(losing.text);
        if (isSilent || pair.isForgotten) swallowed += 1;
        else to.write(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    };
    join(pair.near, pair.far);
    join(pair.far, pair.near);
  };

  const server = createServer(connect);
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const cut = (): number => {
    const count = pairs.size;
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
    pairs.clear();
    return count;
  };

  return {
    /** The address of the database through this proxy. */
    through: (databaseUrl: string): string => {
      const url = new URL(databaseUrl);
      url.hostname = '127.0.0.1';
      url.port = String(port);
      return url.href;
    },
    /** Drops all data from now on, silently: connections stay open, and new ones are accepted. */
    fallSilent: (): void => {
      isSilent = true;
    },
    /** Drops the next answer to a message that contains `text` and ends its connection; resolves then. */
    loseAnswerTo: (text: string): Promise<void> =>
      new Promise((onLost) => {
        losing = { text, onLost };
      }),
    /** Lets data pass again; the dropped data are lost. */
    recover: (): void => {
      isSilent = false;
    },
    /** Drops all data of the open connections; new ones work. Returns the number of open connections. */
    forget: (): number => {
      for (const pair of pairs) pair.isForgotten = true;
      return pairs.size;
    },
    /** The number of dropped chunks. */
    swallowed: (): number => swallowed,
    /** Cuts every open connection, and returns their number. */
    cut,
    close: async (): Promise<void> => {
      server.close();
      cut();
    },
  };
};
