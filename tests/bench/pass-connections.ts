import { type ListenOptions, Server } from 'node:net';

// Loaded before a server: its workers then listen through the first process, which accepts each connection and passes it on.
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...args: [ListenOptions]) {
  const [options] = args;
  if (options.reusePort) args[0] = { ...options, reusePort: false };
  return listen.apply(this, args);
} as typeof listen;
