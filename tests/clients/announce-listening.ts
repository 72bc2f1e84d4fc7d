import { Server } from 'node:net';

/** Loaded before a documented program: notifies the test that started the program once it listens. */
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...parameters: unknown[]) {
  this.once('listening', () => process.send?.('listening'));
  return Reflect.apply(listen, this, parameters);
} as typeof listen;
