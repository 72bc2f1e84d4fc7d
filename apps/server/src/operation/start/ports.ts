import { createServer } from 'node:net';
import { StartError } from '../../ground/start-error.ts';

/** Errors of listening that are the host's, whatever the port: a name that does not resolve, another machine's address. */
const OF_HOST = /^(ENOTFOUND|EAI_|EADDRNOTAVAIL|EINVAL)/;

/** Turns the failure to listen into a StartError that names the setting. */
export const namePort = (setting: string, port: number, host: string) => (error: NodeJS.ErrnoException) => {
  if (error.syscall === undefined) throw error;
  if (OF_HOST.test(error.code ?? ''))
    throw new StartError(`HOST: ${host} is no address or name of this machine (${error.code})`, {
      cause: error,
    });
  const why = error.code === 'EADDRINUSE' ? 'is in use by another process' : `cannot be had (${error.code})`;
  throw new StartError(`${setting}: ${port} on ${host} ${why}`, { cause: error });
};

/**
 * Opens a port for a moment; 0 stands for any that is free.
 * @throws StartError naming the setting
 */
export const tryPort = async (setting: string, port: number, host: string): Promise<void> => {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch(namePort(setting, port, host));
  await new Promise((resolve) => server.close(resolve));
};
