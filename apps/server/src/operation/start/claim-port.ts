import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sharesPort } from '../../http/shared-port.ts';
import { namePort } from './ports.ts';

/** Longer than another server takes from its claim until its workers listen. */
const CLAIM_MS = 15_000;
/** Workers whose first process was killed give the port up within this time. */
const LEAVE_MS = 3_000;
const RETRY_MS = 50;

interface Claim {
  /** Lets other servers look at the port. */
  release(): Promise<void>;
}

/** Listens by a socket that nobody shares, as soon as nobody else does. */
const listenAlone = async (options: ListenOptions, patienceMs: number): Promise<Server> => {
  for (const start = performance.now(); ; await wait(RETRY_MS)) {
    const server = createServer((socket) => socket.destroy());
    try {
      server.listen(options);
      await once(server, 'listening');
      return server;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || performance.now() - start > patienceMs) throw error;
    }
  }
};

const close = async (server: Server) => {
  server.close();
  await once(server, 'close');
};

/**
 * Makes sure that the port is free before workers share it: SO_REUSEPORT lets any other server of the same user share it
 * too, and each would answer some of the requests of both. The port is tried by a socket that shares nothing. Meanwhile,
 * and until `release`, an abstract Unix socket keeps other servers from doing the same: two that start at once would both
 * find the port free.
 * @throws StartError when another process has the port
 */
export const claimPort = async ({ port, host }: { port: number; host: string }): Promise<Claim> => {
  if (!sharesPort) return { release: async () => undefined };
  const named = namePort('PORT', port, host);
  const claim = await listenAlone({ path: `\0candela-port-${port}` }, CLAIM_MS).catch(named);
  try {
    await close(await listenAlone({ port, host, exclusive: true }, LEAVE_MS).catch(named));
  } catch (error) {
    await close(claim);
    throw error;
  }
  return { release: () => close(claim) };
};
