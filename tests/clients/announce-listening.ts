import { Server } from 'node:net';

/** Loaded before a documented program: tells the test, which started it, that it serves. */
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...parameters: unknown[]) {
  this.once('listening', () => process.send?.('listening'));
  return Reflect.apply(listen, this, parameters);
} as typeof listen;
