/**
 * Whether each worker listens to the port by a socket of its own, so that the kernel spreads connections over them
 * (SO_REUSEPORT). On Linux; elsewhere the first process accepts all connections and passes each to a worker.
 */
export const sharesPort = process.platform === 'linux';
